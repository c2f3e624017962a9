import { Column } from 'typeorm';

/** Public facts about a tenant: columns of its configuration and of its public record in the shared schema. */
export abstract class PlaceFacts {
  @Column('text', { nullable: true })
  shortDescription!: string | null;

  /** HTML with the few elements that `cleanHtml` allows. */
  @Column('text', { nullable: true })
  longDescription!: string | null;

  @Column('text', { nullable: true })
  streetAddress!: string | null;

  @Column('text', { nullable: true })
  postalCode!: string | null;

  @Column('text', { nullable: true })
  city!: string | null;

  /** ISO 3166 alpha-2. */
  @Column('text', { nullable: true })
  country!: string | null;

  @Column('text', { nullable: true })
  phone!: string | null;

  /** Reply address of mails. */
  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text', { nullable: true })
  website!: string | null;

  /** Whether guests must be members. Only shown: prices define which membership they require. */
  @Column('boolean', { default: false })
  membershipRequired!: boolean;

  /** Whether pages invite guests to become members. */
  @Column('boolean', { default: false })
  membershipButton!: boolean;

  @Column('text', { nullable: true })
  twitter!: string | null;

  @Column('text', { nullable: true })
  facebook!: string | null;

  @Column('text', { nullable: true })
  instagram!: string | null;

  /** URL of the statutes or other legal documents. */
  @Column('text', { nullable: true })
  legalDocuments!: string | null;

  /** URL of the menu of the place's restaurant. */
  @Column('text', { nullable: true })
  restaurantMenu!: string | null;

  /** Images of the tenant's schema. */
  @Column('uuid', { nullable: true })
  imageId!: string | null;

  @Column('uuid', { nullable: true })
  logoImageId!: string | null;

  @Column('uuid', { nullable: true })
  mapImageId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
