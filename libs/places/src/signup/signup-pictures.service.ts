import { ImageFetcher, ImagesService, type PreparedImage } from '#catalogue';
import { RefusedInput } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { PlaceRequestPicture, type FormPicture } from './place-request-picture.entity.js';

export type FormPictures = Partial<Record<FormPicture, PreparedImage>>;

/** The images of a submitted form. */
export interface SentPictures {
  readonly files: Partial<Record<FormPicture, Buffer>>;
  /** URLs to download from; empty for none. */
  readonly addresses: Readonly<Record<FormPicture, string>>;
}

export const formPictures: readonly FormPicture[] = ['image', 'logo'];

/** Images of forms that are drafts or waiting. */
@Injectable()
export class SignupPicturesService {
  constructor(
    private readonly db: TenantDb,
    private readonly images: ImagesService,
    private readonly fetcher: ImageFetcher,
  ) {}

  /**
   * Prepares the submitted images; an uploaded file has priority over a URL. Never call it inside a transaction.
   * @returns the images, and a fault (on `image`, `imageUrl`, `logo` or `logoUrl`) for each invalid one
   * @throws Problem image.busy, tenant.busy
   */
  async prepare({ files, addresses }: SentPictures): Promise<{ pictures: FormPictures; faults: RefusedInput[] }> {
    const pictures: FormPictures = {};
    const faults: RefusedInput[] = [];
    const prepared = formPictures.map(async (field) => {
      const [file, address] = [files[field], addresses[field].trim()];
      try {
        if (file) pictures[field] = await this.images.prepare(file, field);
        else if (address !== '') pictures[field] = await this.fetcher.fetch(address, `${field}Url`);
      } catch (error) {
        if (!(error instanceof RefusedInput)) throw error;
        faults.push(error);
      }
    });
    for (const outcome of await Promise.allSettled(prepared)) if (outcome.status === 'rejected') throw outcome.reason;
    return { pictures, faults };
  }

  /** Stores images with a form and replaces those of the same kind. */
  async keep(tx: Tx, requestId: string, pictures: FormPictures, removed: readonly FormPicture[]): Promise<void> {
    for (const field of formPictures) {
      const picture = pictures[field];
      if (!picture && !removed.includes(field)) continue;
      await tx.delete(PlaceRequestPicture, { requestId, field });
      if (!picture) continue;
      const { kind, width: sourceWidth, height: sourceHeight, variants } = picture;
      await tx.insert(
        PlaceRequestPicture,
        variants.map((variant) => ({ ...variant, requestId, field, kind, sourceWidth, sourceHeight })),
      );
    }
  }

  /** The images that are stored with a form. */
  async load(tx: Tx, requestId: string): Promise<FormPictures> {
    const rows = await tx.findBy(PlaceRequestPicture, { requestId });
    const pictures: FormPictures = {};
    for (const field of formPictures) {
      const variants = rows.filter((row) => row.field === field);
      const [first] = variants;
      if (!first) continue;
      const { kind, sourceWidth: width, sourceHeight: height } = first;
      pictures[field] = { kind, width, height, variants };
    }
    return pictures;
  }

  /** The smallest size of each stored image, as WebP: shown only to the person who sent it. */
  async thumbnails(requestId: string): Promise<Partial<Record<FormPicture, Buffer>>> {
    const rows = await this.db.shared((tx) => tx.findBy(PlaceRequestPicture, { requestId, name: 'thumbnail', format: 'webp' }));
    return Object.fromEntries(rows.map(({ field, bytes }) => [field, bytes]));
  }
}
