import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Image } from '../images/image.entity.js';

/**
 * A place of events. The integer id is public: paths and `postalAddressId` contain it. A place without street or town has a name.
 */
@Entity('postal_address')
@Index('postal_address_one_main', ['isMain'], { unique: true, where: '"is_main"' })
export class PostalAddress {
  /** bigint, so a string. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { nullable: true })
  streetAddress!: string | null;

  @Column('text', { nullable: true })
  addressLocality!: string | null;

  @Column('text', { nullable: true })
  addressRegion!: string | null;

  @Column('text', { nullable: true })
  postalCode!: string | null;

  /** ISO 3166 alpha-2. */
  @Column('text', { nullable: true })
  addressCountry!: string | null;

  @Column('double precision', { nullable: true })
  latitude!: number | null;

  @Column('double precision', { nullable: true })
  longitude!: number | null;

  @Column('boolean', { default: false })
  isMain!: boolean;

  @Column('uuid', { nullable: true })
  imageId!: string | null;

  @ManyToOne(() => Image, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'image_id' })
  image!: Relation<Image> | null;

  /** A small image for lists. */
  @Column('uuid', { nullable: true })
  stickerImageId!: string | null;

  @ManyToOne(() => Image, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'sticker_image_id' })
  stickerImage!: Relation<Image> | null;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
