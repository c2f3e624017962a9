import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Where an event takes place. The integer id is public: paths and `postalAddressId` carry it. */
@Entity('postal_address')
@Index('postal_address_one_main', ['isMain'], { unique: true, where: '"is_main"' })
export class PostalAddress {
  /** bigint arrives as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text')
  streetAddress!: string;

  @Column('text')
  addressLocality!: string;

  @Column('text', { nullable: true })
  addressRegion!: string | null;

  @Column('text')
  postalCode!: string;

  /** ISO 3166 alpha-2. */
  @Column('text')
  addressCountry!: string;

  @Column('double precision', { nullable: true })
  latitude!: number | null;

  @Column('double precision', { nullable: true })
  longitude!: number | null;

  @Column('boolean', { default: false })
  isMain!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
