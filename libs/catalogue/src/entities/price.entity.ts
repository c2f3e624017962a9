import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import type { EntryRule, SubscriptionType } from '../values/catalogue-codes.js';
import { Product } from './product.entity.js';

/** An amount at which a product is sold, with its own limits. */
@Entity('price')
export class Price {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  productId!: string;

  @ManyToOne(() => Product, (product) => product.prices, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'product_id' })
  product!: Relation<Product>;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  shortDescription!: string | null;

  @Column('text', { nullable: true })
  longDescription!: string | null;

  /** Decimal text with two places (`12.50`); never a float. */
  @Column('numeric', { precision: 10, scale: 2 })
  amount!: string;

  /** The buyer chooses the amount; `amount` is the minimum. */
  @Column('boolean', { default: false })
  freeAmount!: boolean;

  /** Amounts that buyers of a free price can choose from, decimal texts separated by spaces; null: they only type one. */
  @Column('text', { nullable: true })
  suggestedAmounts!: string | null;

  /** The one of these that is said to be usual, decimal text. */
  @Column('numeric', { precision: 10, scale: 2, nullable: true })
  usualAmount!: string | null;

  /** `NA`, a VAT code, or a decimal rate as text. */
  @Column('text', { default: 'NA' })
  vat!: string;

  /** null: no limit; 0: sold out. For admission it limits each event separately, for goods and memberships the total. */
  @Column('integer', { nullable: true })
  stock!: number | null;

  /** Goods and memberships that count against the stock; for admission see `EventPrice`. Written by booking. */
  @Column('integer', { default: 0 })
  sold!: number;

  @Column('integer', { nullable: true })
  maxPerUser!: number | null;

  @Column('text', { nullable: true })
  subscriptionType!: SubscriptionType | null;

  /** The membership product that a buyer must hold. */
  @Column('uuid', { nullable: true })
  requiredMembershipId!: string | null;

  @ManyToOne(() => Product, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'required_membership_id' })
  requiredMembership!: Relation<Product> | null;

  @Column('boolean', { default: true })
  published!: boolean;

  /** Buyers on the public pages and over the API can choose this price from this time on; null: from the beginning. */
  @Column('timestamptz', { nullable: true })
  salesFrom!: Date | null;

  /** End of the sale to these buyers; null: none. */
  @Column('timestamptz', { nullable: true })
  salesUntil!: Date | null;

  /** Plain text that devices show at each scan of a ticket of this price. */
  @Column('text', { nullable: true })
  doorNote!: string | null;

  /** How often a ticket lets in: see `entryRules`. */
  @Column('text', { default: 'once' })
  entryRule!: EntryRule;

  /**
   * A pass: sold for all remaining dates of a series together, see `passDatesSql`; `amount` is what one date costs. Staff may sell it for
   * one date.
   */
  @Column('boolean', { default: false })
  wholeSeries!: boolean;

  /** Of a pass: how many of the remaining dates it is for, which the buyer chooses; null: all. */
  @Column('smallint', { nullable: true })
  passDates!: number | null;

  /** Nobody learns of it and nobody can choose it without a code that names it, or its product. Staff see and sell it. */
  @Column('boolean', { default: false })
  hidden!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
