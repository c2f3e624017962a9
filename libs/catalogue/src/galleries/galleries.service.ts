import { Injectable } from '@nestjs/common';
import { isVisible, RefusedInput, refuseUnfitText, retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { IsNull } from 'typeorm';
import { Event } from '../entities/event.entity.js';
import { GalleryPicture } from '../entities/gallery-picture.entity.js';
import type { PreparedImage } from '../images/image-encoding.js';
import type { Image } from '../images/image.entity.js';
import { ImagesService } from '../images/images.service.js';
import { texts } from '../locales/catalogue.texts.js';
import { plainText } from '../values/event-text.js';
import { advisoryLock } from '../values/turns.js';

/** Pictures of one gallery at most. */
export const mostGalleryPictures = 24;
/** Characters of an alternative text at most. */
const longestAlternative = 300;

/** A picture of a gallery as pages show it. */
export type GalleryImage = Pick<Image, 'id' | 'kind' | 'width' | 'height'> & Pick<GalleryPicture, 'alternative'>;

/** SQL: the pictures of a gallery as JSON, in their order, see `GalleryImage`. @param eventId SQL; absent: the gallery of the venue */
export function gallerySql(eventId?: string): string {
  return `coalesce((select json_agg(json_build_object('id', i.id, 'kind', i.kind, 'width', i.width, 'height', i.height,
      'alternative', g.alternative) order by g.position, i.id)
    from {tenant}.gallery_picture g join {tenant}.image i on i.id = g.image_id
    where ${eventId === undefined ? 'g.event_id is null' : `g.event_id = ${eventId}`}), '[]')`;
}

/** Manages the galleries of the current tenant: of each event, and of the venue itself (`eventId` null). */
@Injectable()
export class GalleriesService {
  constructor(
    private readonly db: TenantDb,
    private readonly images: ImagesService,
  ) {}

  /** The pictures of a gallery in their order. */
  read(eventId: string | null): Promise<GalleryPicture[]> {
    return this.db.transaction((tx) => picturesIn(tx, eventId));
  }

  /**
   * Adds a picture behind the others.
   * @returns false when there is no such event
   * @throws RefusedInput on `alternative` or `img`
   */
  add(eventId: string | null, image: PreparedImage, alternative: string): Promise<boolean> {
    const text = checkedAlternative(alternative);
    return this.changing(eventId, async (tx, pictures) => {
      if (pictures.length >= mostGalleryPictures) throw new RefusedInput('img', texts.localized('galleries.full', { mostGalleryPictures }));
      const position = Math.max(-1, ...pictures.map((picture) => picture.position)) + 1;
      await tx.insert(GalleryPicture, { imageId: await this.images.storeIn(tx, image), eventId, position, alternative: text });
    });
  }

  /** Changes an alternative text; does nothing when the gallery does not have the picture. @throws RefusedInput on `alternative` */
  describe(eventId: string | null, imageId: string, alternative: string): Promise<boolean> {
    const text = checkedAlternative(alternative);
    return this.changing(eventId, async (tx, pictures) => {
      if (pictures.some((picture) => picture.imageId === imageId)) await tx.update(GalleryPicture, { imageId }, { alternative: text });
    });
  }

  /** Moves a picture before the one that precedes it; does nothing when it is the first one, or the gallery does not have it. */
  moveUp(eventId: string | null, imageId: string): Promise<boolean> {
    return this.changing(eventId, async (tx, pictures) => {
      const ids = pictures.map((picture) => picture.imageId);
      const index = ids.indexOf(imageId);
      if (index < 1) return;
      ids.splice(index - 1, 2, imageId, ids[index - 1] as string);
      for (const [position, id] of ids.entries()) await tx.update(GalleryPicture, { imageId: id }, { position });
    });
  }

  /** Deletes a picture; does nothing when the gallery does not have it. */
  remove(eventId: string | null, imageId: string): Promise<boolean> {
    return this.changing(eventId, async (tx, pictures) => {
      if (pictures.some((picture) => picture.imageId === imageId)) await this.images.removeIn(tx, imageId);
    });
  }

  /** Deletes the gallery of an event that is locked. */
  async clearIn(tx: Tx, eventId: string): Promise<void> {
    for (const { imageId } of await picturesIn(tx, eventId)) await this.images.removeIn(tx, imageId);
  }

  /** Copies the gallery of an event to another one. */
  async copyIn(tx: Tx, fromId: string, toId: string): Promise<void> {
    // Locked, so that no picture is deleted before it is copied.
    const pictures = await tx.find(GalleryPicture, { ...inOrder(fromId), lock: { mode: 'for_key_share' } });
    for (const { imageId, position, alternative } of pictures) {
      await tx.insert(GalleryPicture, { imageId: await this.images.copyIn(tx, imageId), eventId: toId, position, alternative });
    }
  }

  /**
   * Runs a change of a gallery; the lock decides about positions and the number of pictures.
   * @returns false when there is no such event
   */
  private changing(eventId: string | null, work: (tx: Tx, pictures: readonly GalleryPicture[]) => Promise<void>): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transactionOnce(async (tx) => {
        await advisoryLock(tx, 'galleries');
        // The event stays until the end of the transaction.
        const isKnown =
          eventId === null ||
          (await tx.findOne(Event, { where: { id: eventId }, select: { id: true }, lock: { mode: 'for_key_share' } })) !== null;
        if (isKnown) await work(tx, await picturesIn(tx, eventId));
        return isKnown;
      }),
    );
  }
}

const inOrder = (eventId: string | null) =>
  ({ where: { eventId: eventId ?? IsNull() }, order: { position: 'ASC', imageId: 'ASC' } }) as const;

const picturesIn = (tx: Tx, eventId: string | null): Promise<GalleryPicture[]> => tx.find(GalleryPicture, inOrder(eventId));

function checkedAlternative(alternative: string): string {
  refuseUnfitText('alternative', alternative, longestAlternative);
  const text = plainText(alternative);
  if (!isVisible(text)) throw new RefusedInput('alternative', texts.localized('galleries.alternative'));
  return text;
}
