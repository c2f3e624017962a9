import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { currentClient, FairLimit, Kept } from '#kernel';
import { currentTenant, QuotasService, TenantDb, type PreparedStatement, type Tx } from '#tenancy';
import { limits } from '../limits.js';
import type { ImageFormat, VariantName } from './image-addresses.js';
import { encodeImage, toPrintableJpeg, type PreparedImage } from './image-encoding.js';
import { Image, ImageVariant } from './image.entity.js';

/** Forms and downloads have limits of their own, which let fewer images of a tenant, and of all tenants, wait here. */
const inTurn = new FairLimit(limits.images.turns);

export interface StoredVariant {
  readonly bytes: Buffer;
  readonly sha256: Buffer;
}

/** Manages images of the current tenant. */
@Injectable()
export class ImagesService {
  /** Cached by tenant and id; a stored image never changes. */
  private readonly printed = new Kept<Buffer>(limits.printable.kept);

  constructor(
    private readonly db: TenantDb,
    private readonly quotas: QuotasService,
  ) {}

  /**
   * Decodes an image and makes its sizes. Takes up to a second: never call it inside a transaction.
   * @param field the field that errors name
   * @throws RefusedInput when it is no JPEG, PNG, WebP, GIF or AVIF, is damaged, or has more than 10 MiB or 50 million pixels
   * @throws Problem tenant.busy when too many images of this tenant wait; tenant.quota when the tenant has stored its quota of today
   */
  async prepare(bytes: Buffer, field: string): Promise<PreparedImage> {
    const prepared = await inTurn.run(() => encodeImage(bytes, field), currentClient());
    await this.quotas.demand(
      'megabytes',
      prepared.variants.reduce((sum, variant) => sum + variant.bytes.length, 0),
    );
    return prepared;
  }

  /** @returns the id of the stored image */
  async storeIn(tx: Tx, { kind, width, height, variants }: PreparedImage): Promise<string> {
    const id = randomUUID();
    await tx.insert(Image, { id, kind, width, height });
    await tx.insert(
      ImageVariant,
      variants.map((variant) => ({ ...variant, imageId: id })),
    );
    return id;
  }

  /** Copies an image for another row, because each image belongs to one row, which deletes it. @returns the id of the copy */
  async copyIn(tx: Tx, id: string): Promise<string> {
    const [copy] = await tx.query<{ id: string }[]>(
      `insert into image (id, kind, width, height) select gen_random_uuid(), kind, width, height from image where id = $1 returning id`,
      [id],
    );
    const copied = (copy as { id: string }).id;
    await tx.query(
      `insert into image_variant (image_id, name, format, width, height, bytes, sha256)
       select $2::uuid, name, format, width, height, bytes, sha256 from image_variant where image_id = $1`,
      [id, copied],
    );
    return copied;
  }

  /** Deletes an image in all its sizes; does nothing when it does not exist. Remove all references to it first. */
  async removeIn(tx: Tx, id: string): Promise<void> {
    await tx.delete(Image, { id });
  }

  /** One variant of an image; undefined when the tenant has none. */
  async variant(id: string, name: VariantName, format: ImageFormat): Promise<StoredVariant | undefined> {
    const [variant] = await this.db.statement<StoredVariant>(variantStatement, [id, name, format]);
    return variant;
  }

  /**
   * An image for paper and mails: JPEG on white, at most 480 pixels wide. Never call it inside a transaction.
   * @returns undefined when the tenant has no such image
   */
  async printable(id: string): Promise<Buffer | undefined> {
    const key = `${currentTenant().id} ${id}`;
    const known = this.printed.get(key);
    if (known) return known;
    const stored = await this.variant(id, 'med', 'webp');
    if (!stored) return undefined;
    const jpeg = await toPrintableJpeg(stored.bytes);
    this.printed.set(key, jpeg);
    return jpeg;
  }
}

/** A prepared statement, because one page of an agenda loads dozens of images. */
const variantStatement: PreparedStatement = {
  name: 'image-variant',
  text: 'select bytes, sha256 from {tenant}.image_variant where image_id = $1 and name = $2 and format = $3',
};
