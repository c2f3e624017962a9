import { Column } from 'typeorm';

/** What a tenant says of itself to everybody: columns of its configuration, and of its public record in the shared schema. */
export abstract class PlaceFacts {
  @Column('text', { nullable: true })
  shortDescription!: string | null;

  /** A few elements of HTML, see `cleanHtml`. */
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

  /** Answers to mails go there. */
  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text', { nullable: true })
  website!: string | null;

  /** Whether guests must be members. Shown, not enforced: prices say which membership they require. */
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

  /** Address of the statutes or other legal documents. */
  @Column('text', { nullable: true })
  legalDocuments!: string | null;

  /** Address of the menu of the place's restaurant. */
  @Column('text', { nullable: true })
  restaurantMenu!: string | null;

  /** Pictures of the tenant's schema. */
  @Column('uuid', { nullable: true })
  imageId!: string | null;

  @Column('uuid', { nullable: true })
  logoImageId!: string | null;

  @Column('uuid', { nullable: true })
  mapImageId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
