import { imagePath, type ImagesService, type PreparedImage } from '#catalogue';
import type { PanelAction } from '#panel-kit';
import { PanelFieldError, type PanelProperty, type PanelValue, UploadedFile } from '#panel-kit';
import { refusable } from './refusals.js';

/** A picture on a detail page, drawn by the component `Picture`. */
export const pictureProperty: PanelProperty = {
  name: 'picture',
  type: 'mixed',
  editable: false,
  components: { show: 'Picture' },
};

/** The value of a {@link pictureProperty}, and what the form for it shows. */
export const shownPicture = (imageId: string | null | undefined): PanelValue => ({
  src: imageId ? imagePath(imageId, 'med') : null,
});

/** A form to send a picture, see it, replace it and take it away. */
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
      await refusable(async () => store(id, await images.prepare(await file.bytes(), 'img')));
      return { message: 'pictureSaved' };
    },
  };
}
