import type { Tx } from '#tenancy';
import type { PreparedImage } from './image-encoding.js';
import type { ImagesService } from './images.service.js';

/** New images of an event or an address; null removes one. */
export interface Pictures {
  readonly picture?: PreparedImage | null;
  /** The small image for lists. */
  readonly sticker?: PreparedImage | null;
}

/** The columns that refer to images. */
export interface PictureIds {
  imageId: string | null;
  stickerImageId: string | null;
}

/** Stores new images. @returns the columns that refer to them, without those of absent images */
export async function storePictures(tx: Tx, images: ImagesService, { picture, sticker }: Pictures): Promise<Partial<PictureIds>> {
  const ids: Partial<PictureIds> = {};
  if (picture !== undefined) ids.imageId = picture && (await images.storeIn(tx, picture));
  if (sticker !== undefined) ids.stickerImageId = sticker && (await images.storeIn(tx, sticker));
  return ids;
}

/** Deletes images that a row no longer refers to. */
export async function removePictures(tx: Tx, images: ImagesService, before: PictureIds, after: Partial<PictureIds>): Promise<void> {
  for (const name of ['imageId', 'stickerImageId'] as const) {
    const id = before[name];
    if (id && after[name] !== undefined && after[name] !== id) await images.removeIn(tx, id);
  }
}
