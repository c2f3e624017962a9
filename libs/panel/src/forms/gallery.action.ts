import { imagePath, mostGalleryPictures, type GalleriesService, type ImagesService } from '#catalogue';
import { isUuid } from '#kernel';
import { PanelFieldError, textOf, type PanelAction, type ViewOf, UploadedFile } from '#panel-kit';
import { refusable } from './refusals.js';

async function galleryView(galleries: GalleriesService, eventId: string | null) {
  const pictures = await galleries.read(eventId);
  return {
    pictures: pictures.map(({ imageId, alternative }) => ({ id: imageId, src: imagePath(imageId, 'med'), alternative })),
    isFull: pictures.length >= mostGalleryPictures,
  };
}

/** The view of the component `GalleryForm`. */
export type GalleryView = ViewOf<typeof galleryView>;

/**
 * An action with a form that shows the pictures of a gallery, adds, describes, moves and deletes them.
 * @param eventIdOf the event of a record; null: the gallery of the venue
 */
export function galleryAction(images: ImagesService, galleries: GalleriesService, eventIdOf: (id: string) => string | null): PanelAction {
  return {
    icon: 'Grid',
    component: 'GalleryForm',
    view: (id) => galleryView(galleries, eventIdOf(id)),
    act: async (id, { img, picture, change, alternative }) => {
      const eventId = eventIdOf(id);
      const pictureId = textOf(picture);
      const text = textOf(alternative);
      if (pictureId !== '') {
        if (!isUuid(pictureId)) throw new PanelFieldError({}, 'error404Record');
        const isKnown = await refusable(() => {
          if (change === 'remove') return galleries.remove(eventId, pictureId);
          return change === 'up' ? galleries.moveUp(eventId, pictureId) : galleries.describe(eventId, pictureId, text);
        });
        return isKnown ? { message: change === 'remove' ? 'pictureRemoved' : 'gallerySaved' } : unknown();
      }
      const file: unknown = img;
      if (!(file instanceof UploadedFile)) throw new PanelFieldError({ img: { message: 'pictureMissing' } });
      const isKnown = await refusable(async () => galleries.add(eventId, await images.prepare(file.bytes(), 'img'), text));
      return isKnown ? { message: 'pictureSaved' } : unknown();
    },
  };
}

function unknown(): never {
  throw new PanelFieldError({}, 'error404Record');
}
