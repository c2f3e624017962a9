import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Order } from './order.entity.js';

/** What a line sells. A `donation` and a `gift_card` belong to the order itself: to none of its reservations and memberships. */
export type LineKind = 'ticket' | 'goods' | 'membership' | 'donation' | 'gift_card';

/**
 * A position of an order. Once the order is placed, only `effectiveAt` changes, once. What is taken back is a line of its own that counts
 * against the first one. Sums of lines are what the venue sold.
 */
@Entity('order_line')
@Index('order_line_donation_idx', ['eventId', 'campaignId'], { where: "kind = 'donation'" })
export class OrderLine {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  orderId!: string;

  @ManyToOne(() => Order)
  @JoinColumn({ name: 'order_id' })
  order!: Relation<Order>;

  /** Among the lines of its reservation, or of its membership; of a line that takes back: that of the first one. */
  @Column('integer')
  position!: number;

  @Column('text')
  kind!: LineKind;

  // By name instead of import, because their libs import this lib.
  /** null: a donation and a gift card have none. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Price')
  priceId!: string | null;

  /** That of the price. */
  @Column('uuid', { nullable: true })
  productId!: string | null;

  /** Of tickets and goods; of a donation: the event at which it pays places for others. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Event')
  eventId!: string | null;

  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey('Reservation', { onDelete: 'CASCADE' })
  reservationId!: string | null;

  /** null also for a membership in a cart: it exists once the cart is completed. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Membership')
  membershipId!: string | null;

  /** What a donation is given for; null: for the venue. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Campaign')
  campaignId!: string | null;

  /** The line that this one takes back, in whole or in part. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey(() => OrderLine)
  ofLine!: string | null;

  /** Product and price, as they were named. */
  @Column('text')
  name!: string;

  /** Negative: taken back. */
  @Column('integer')
  quantity!: number;

  /** Of one piece, with VAT; decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  unitAmount!: string;

  /** With VAT; decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  amount!: string;

  /** In percent, decimal text. */
  @Column('numeric', { precision: 5, scale: 2 })
  vatRate!: string;

  /** The VAT in `amount`, decimal text: its share of the VAT of all lines of the order with this rate. */
  @Column('numeric', { precision: 10, scale: 2 })
  vatAmount!: string;

  /** When it was sold: paid, confirmed or given away; of a line that takes back: when. null: not yet, or never. */
  @Column('timestamptz', { nullable: true })
  effectiveAt!: Date | null;

  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
