import { SigningKey } from '#tickets';
import { Price, Product } from '#catalogue';
import { searchColumn, type Language } from '#kernel';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { texts } from '../locales/memberships.texts.js';

export const membershipStates = {
  pending: texts.localized('membershipStates.pending'),
  active: texts.localized('membershipStates.active'),
  cancelled: texts.localized('membershipStates.cancelled'),
} as const;
export type MembershipStatus = keyof typeof membershipStates;

/** One person's membership for a period, sold at a price of a membership product. A renewal creates another membership. */
@Entity('membership')
@Index('membership_cart_idx', ['cartId'], { where: 'cart_id is not null' })
export class Membership {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  productId!: string;

  @ManyToOne(() => Product)
  @JoinColumn({ name: 'product_id' })
  product!: Relation<Product>;

  @Column('uuid')
  priceId!: string;

  @ManyToOne(() => Price)
  @JoinColumn({ name: 'price_id' })
  price!: Relation<Price>;

  @Column('text')
  email!: string;

  @Column('text')
  @Index()
  emailKey!: string;

  @Column('text', { default: '' })
  firstName!: string;

  @Column('text', { default: '' })
  lastName!: string;

  @Column('text', searchColumn('last_name', 'first_name', 'email'))
  searchText?: string;

  @Column('text', { nullable: true })
  language!: Language | null;

  @Column('text', { default: 'active' })
  status!: MembershipStatus;

  @Column('numeric', { precision: 10, scale: 2, default: 0 })
  amount!: string;

  /** VAT rate in percent at the time of the sale; null: unknown. The amount includes VAT. */
  @Column('numeric', { precision: 4, scale: 2, nullable: true })
  vatRate!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  validFrom!: Date;

  /** null: no end. */
  @Column('timestamptz', { nullable: true })
  validUntil!: Date | null;

  /** The key that signs the code of its card. */
  @Column('smallint')
  @ForeignKey(() => SigningKey)
  signingKeyId!: number;

  /** While payment is pending: after this time it no longer counts as stock. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  releasedAt!: Date | null;

  /** The cart with which it was bought and is paid; null: it was bought alone. */
  @Column('uuid', { nullable: true })
  cartId!: string | null;

  /** Keyed hash of the network of a buyer on the public pages, for the limit per network; null once it is paid, confirmed or a day old. */
  @Column('text', { nullable: true })
  network!: string | null;

  /** When the member accepted the venue's terms on the public pages; null: elsewhere, or there were none. */
  @Column('timestamptz', { nullable: true })
  termsAcceptedAt!: Date | null;

  /** When the member withdrew from the contract. */
  @Column('timestamptz', { nullable: true })
  withdrawnAt!: Date | null;

  /** The last reminder of its end: 1 a month before, 2 a week before; 0: none. */
  @Column('smallint', { default: 0 })
  reminder!: number;

  /** Version of its links; links with another version are invalid. */
  @Column('smallint', { default: 0 })
  linkVersion!: number;

  @Column('integer', { default: 0 })
  sequence!: number;

  /** The member of staff who sold it. No foreign key, because users are in the shared schema. */
  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  /** The API key that sold it. When both are null, the buyer bought it online. */
  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
