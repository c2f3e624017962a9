import type { ImageFormat, ImageKind, VariantName } from '#catalogue';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { PlaceRequest } from './place-request.entity.js';

export type FormPicture = 'image' | 'logo';

/** One size of a form's image; it has no public URL. */
@Entity({ schema: 'shared', name: 'place_request_picture' })
export class PlaceRequestPicture {
  @PrimaryColumn('uuid')
  @ForeignKey(() => PlaceRequest, { onDelete: 'CASCADE' })
  requestId!: string;

  @PrimaryColumn('text')
  field!: FormPicture;

  @PrimaryColumn('text')
  name!: VariantName;

  @PrimaryColumn('text')
  format!: ImageFormat;

  /** The format of the original image. */
  @Column('text')
  kind!: ImageKind;

  @Column('integer')
  sourceWidth!: number;

  @Column('integer')
  sourceHeight!: number;

  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('bytea')
  bytes!: Buffer;

  @Column('bytea')
  sha256!: Buffer;
}
