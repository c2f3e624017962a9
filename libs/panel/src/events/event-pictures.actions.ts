import type { EventsService, GalleriesService, ImagesService } from '#catalogue';
import type { PanelAction } from '#panel-kit';
import { galleryAction } from '../forms/gallery.action.js';
import { pictureAction } from '../forms/picture.action.js';

/** The actions for the one picture of an event, and for its gallery. */
export function eventPictureActions(
  events: EventsService,
  images: ImagesService,
  galleries: GalleriesService,
): Readonly<Record<'picture' | 'gallery', PanelAction>> {
  return {
    picture: {
      ...pictureAction(
        images,
        async (id) => (await events.find(id))?.imageId,
        (id, picture) => events.update(id, { picture }),
      ),
      inForm: true,
    },
    gallery: { ...galleryAction(images, galleries, (id) => id), inForm: true },
  };
}
