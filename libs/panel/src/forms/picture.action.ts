import { imagePath, type ImagesService, type PreparedImage } from '#catalogue';
import type { PanelAction } from '#panel-kit';
import { PanelFieldError, type PanelProperty, type ViewOf, UploadedFile } from '#panel-kit';
import { refusable } from './refusals.js';

/** A picture on a detail page; the component `Picture` draws it. */
export const pictureProperty: PanelProperty = {
  name: 'picture',
  type: 'mixed',
  editable: false,
  components: { show: 'Picture' },
};

/** The value of a {@link pictureProperty}, also used by its form. */
export const shownPicture = (imageId: string | null | undefined) => ({
  src: imageId ? imagePath(imageId, 'med') : null,
});

/** The view of the component `PictureForm`. */
export type PictureView = ViewOf<typeof shownPicture>;

/** An action with a form that shows, uploads, replaces and deletes a picture. */
export function pictureAction(
  images: ImagesService,
  imageIdOf: (id: string) => Promise<string | null | undefined>,
  store: (id: string, image: PreparedImage | null) => Promise<unknown>,
): PanelAction {
  return {
    icon: 'Image',
    component: 'PictureForm',
    view: async (id) => shownPicture(await imageIdOf(id)),
    act: async (id, { img, remove }) => {
      if (remove === true) {
        await refusable(() => store(id, null));
        return { message: 'pictureRemoved' };
      }
      const file: unknown = img;
      if (!(file instanceof UploadedFile)) throw new PanelFieldError({ img: { message: 'pictureMissing' } });
      await refusable(async () => store(id, await images.prepare(file.bytes(), 'img')));
      return { message: 'pictureSaved' };
    },
  };
}
