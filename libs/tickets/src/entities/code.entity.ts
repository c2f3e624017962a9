import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What a code does with the price of a ticket: `none` only opens prices that are hidden. */
export const codeEffects = ['none', 'price', 'amount', 'percent'] as const;
export type CodeEffect = (typeof codeEffects)[number];

/** What a code applies to: tickets and goods, memberships, or both. */
export const codeTargets = ['tickets', 'memberships', 'both'] as const;

/**
 * A code of the venue that reduces or opens prices. Its uses are counted from `CodeUse` and the tickets and memberships of these lines,
 * each as one: so what ends, is cancelled or refunded gives its uses back. No counter has to be changed.
 */
@Entity('code')
export class Code {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** In capitals, see `codeKey`. */
  @Column('text', { unique: true })
  code!: string;

  @Column('text')
  effect!: CodeEffect;

  @Column('text', { default: 'tickets' })
  appliesTo!: (typeof codeTargets)[number];

  /** What a piece costs with it, or how much or how many percent less; decimal text. null: it reduces nothing. */
  @Column('numeric', { precision: 10, scale: 2, nullable: true })
  value!: string | null;

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

  /** Maximum number of tickets and memberships; null: no limit. */
  @Column('integer', { nullable: true })
  maxUses!: number | null;

  /** The same for one person. */
  @Column('integer', { nullable: true })
  maxPerPerson!: number | null;

  /** What it may save in all, decimal text; null: no limit. */
  @Column('numeric', { precision: 10, scale: 2, nullable: true })
  budget!: string | null;

  /** Places of its only event that are kept for it while it is valid. */
  @Column('integer', { default: 0 })
  reserved!: number;

  /**
   * It gives away the places at its only event that others paid, and no more; what one of them costs, decimal text. null: it is an ordinary
   * code.
   */
  @Column('numeric', { precision: 10, scale: 2, nullable: true })
  placeAmount!: string | null;

  /** Whether the page of the event tells how many places others gave. */
  @Column('boolean', { default: false })
  tellsGiven!: boolean;

  /** By which staff find codes that belong together. */
  @Column('text', { nullable: true })
  tag!: string | null;

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
