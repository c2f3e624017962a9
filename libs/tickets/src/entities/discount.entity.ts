import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** When a discount is given: each kind is a rule in `libs/selling/src/discounts`. */
export const discountKinds = ['n_for_m', 'quantity', 'value', 'events', 'members', 'set'] as const;
export type DiscountKind = (typeof discountKinds)[number];

/** What a discount does with a ticket; `price` is what a set costs together. */
export const discountEffects = ['percent', 'amount', 'price'] as const;
export type DiscountEffect = (typeof discountEffects)[number];

/** Tickets of a set: so many at any of these prices. */
export interface SetPart {
  readonly priceIds: readonly string[];
  readonly quantity: number;
}

/** A discount of the venue that needs no code. */
@Entity('discount')
export class Discount {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** Read by buyers. */
  @Column('text')
  name!: string;

  @Column('text')
  kind!: DiscountKind;

  @Column('text')
  effect!: DiscountEffect;

  /** Percent, or an amount; decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  value!: string;

  /** Tickets (`n_for_m`, `quantity`) or different events (`events`) that it needs. */
  @Column('integer', { nullable: true })
  least!: number | null;

  /** Of `n_for_m`: how many of `least` tickets it reduces, the cheapest ones. */
  @Column('integer', { nullable: true })
  reduced!: number | null;

  /** Of `value`: what the tickets must cost together, decimal text. */
  @Column('numeric', { precision: 10, scale: 2, nullable: true })
  leastAmount!: string | null;

  /** Of `members`: product of the membership that the buyer must have. */
  @Column('uuid', { nullable: true })
  membershipId!: string | null;

  /** Of `set`: what it contains. */
  @Column('jsonb', { default: '[]' })
  parts!: readonly SetPart[];

  /** Prices that it applies to, beside those of `productIds`; none in both: to all. */
  @Column('uuid', { array: true, default: '{}' })
  priceIds!: string[];

  @Column('uuid', { array: true, default: '{}' })
  productIds!: string[];

  /** Events that it applies to; none: to all. */
  @Column('uuid', { array: true, default: '{}' })
  eventIds!: string[];

  @Column('timestamptz', { nullable: true })
  validFrom!: Date | null;

  @Column('timestamptz', { nullable: true })
  validUntil!: Date | null;

  @Column('boolean', { default: false })
  disabled!: boolean;

  /** Raised with each change, so that a sale that was planned before is planned anew. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
