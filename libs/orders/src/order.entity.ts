import { currency } from '#kernel';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Where an order was made. */
export type OrderChannel = 'api' | 'panel' | 'page';

/**
 * `open`: a cart or a hold, which may change and is told to nobody. `placed`: its lines do not change any more. `void`: it ended before
 * anything of it was sold.
 */
export type OrderState = 'open' | 'placed' | 'void';

/** What a buyer buys at once: reservations and memberships, with their lines. The buyer stands in these. */
@Entity('orders')
@Index('orders_customer_idx', ['customerId'], { where: 'customer_id is not null' })
export class Order {
  /** That of its cart; without one, that of its reservation or membership. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Raised by each change. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column('text', { default: 'open' })
  state!: OrderState;

  /** Codes that were tried to confirm it since its address was changed. */
  @Column('smallint', { default: 0 })
  codeAttempts!: number;

  @Column('text')
  channel!: OrderChannel;

  /** The member of staff, or the API key, who sold it; both null: the buyer, online. No foreign keys, because they are in other schemas. */
  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('text', { default: currency })
  currency!: string;

  /** The cards that the buyer entered. No foreign keys, because an array has none. */
  @Column('uuid', { array: true, default: () => "'{}'" })
  giftCardIds!: string[];

  /** The customer on whose account it was sold: paid later, perhaps in parts; null: it is paid at once, or before. */
  // By name instead of import, because orders know nothing of the ways to pay.
  @Column('uuid', { nullable: true })
  @ForeignKey('Customer')
  customerId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  placedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  voidAt!: Date | null;
}
