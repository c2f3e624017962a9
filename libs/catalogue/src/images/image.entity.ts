import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ImageFormat, ImageKind, VariantName } from './image-addresses.js';

/** An uploaded or downloaded image. The original file is not kept, only its variants are. */
@Entity('image')
export class Image {
  @PrimaryColumn('uuid')
  id!: string;

  /** The format of the original; a GIF is stored as PNG. */
  @Column('text')
  kind!: ImageKind;

  /** Pixels of the original, upright. */
  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** An image in one size and format. Stored in the database, so that any number of servers share it. */
@Entity('image_variant')
export class ImageVariant {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Image, { onDelete: 'CASCADE' })
  imageId!: string;

  @PrimaryColumn('text')
  name!: VariantName;

  @PrimaryColumn('text')
  format!: ImageFormat;

  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('bytea')
  bytes!: Buffer;

  @Column('bytea')
  sha256!: Buffer;
}
