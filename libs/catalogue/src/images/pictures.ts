import type { Tx } from '#tenancy';
import type { PreparedImage } from './image-encoding.js';
import type { Images } from './images.service.js';

/** Pictures that come for an event or an address; null takes one away. */
export interface Pictures {
  readonly picture?: PreparedImage | null;
  /** The small one for lists. */
  readonly sticker?: PreparedImage | null;
}

/** The columns that name them. */
export interface PictureIds {
  imageId: string | null;
  stickerImageId: string | null;
}

/** Stores pictures that came. @returns the columns that name them; what did not come is not among them */
export async function storePictures(
  tx: Tx,
  images: Images,
  { picture, sticker }: Pictures,
): Promise<Partial<PictureIds>> {
  const ids: Partial<PictureIds> = {};
  if (picture !== undefined) ids.imageId = picture && (await images.storeIn(tx, picture));
  if (sticker !== undefined) ids.stickerImageId = sticker && (await images.storeIn(tx, sticker));
  return ids;
}

/** Removes what a row let go of. */
export async function removePictures(
  tx: Tx,
  images: Images,
  before: PictureIds,
  after: Partial<PictureIds>,
): Promise<void> {
  for (const name of ['imageId', 'stickerImageId'] as const) {
    const id = before[name];
    if (id && after[name] !== undefined && after[name] !== id) await images.removeIn(tx, id);
  }
}
