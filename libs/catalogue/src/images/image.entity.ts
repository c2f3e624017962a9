import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ImageFormat, ImageKind, VariantName } from './image-addresses.js';

/** A picture that was uploaded or fetched. What it was made of is not kept: only its variants are. */
@Entity('image')
export class Image {
  @PrimaryColumn('uuid')
  id!: string;

  /** The kind it came in; a GIF is kept as PNG. */
  @Column('text')
  kind!: ImageKind;

  /** Pixels of the picture as it came, upright. */
  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** A picture in one size and format. In the database, so that any number of servers share it. */
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
