import { currency } from '#kernel';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { PaymentMethod, PaymentStatus, RefundMethod, RefundReason } from './payment-states.js';

/**
 * One entry of the ledger: a payment for a reservation or a membership (also an offered one), or a refund. The database refuses to delete a
 * row and to change its amounts, people and times. Only two things change: the state, by `paymentTransitions` and conditional updates that
 * decide races; and columns that are filled later, once.
 */
@Entity('payment')
@Unique(['provider', 'reference'])
@Index('payment_checkout_idx', ['checkoutId'], { where: 'checkout_id is not null' })
@Index('payment_reader_idx', ['readerId'], { unique: true, where: `reader_id is not null and status = 'pending'` })
export class Payment {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text', { default: 'payment' })
  kind!: 'payment' | 'refund';

  /** For a refund: the payment that it refunds, in whole or in part. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey(() => Payment)
  refundOf!: string | null;

  /** Set for refunds only. */
  @Column('text', { nullable: true })
  reason!: RefundReason | null;

  /**
   * The order that it pays, or of the payment that it refunds. null: it was recorded before its order was written, or by an older program;
   * `PaymentOrdersService` fills it.
   */
  @Column('uuid', { nullable: true })
  @Index()
  orderId!: string | null;

  // By name instead of import, because the libs of orders and sales import this lib.
  @ManyToOne('Order')
  @JoinColumn({ name: 'order_id' })
  order!: object | null;

  @Column('uuid', { nullable: true })
  @Index()
  reservationId!: string | null;

  @ManyToOne('Reservation')
  @JoinColumn({ name: 'reservation_id' })
  reservation!: object | null;

  @Column('uuid', { nullable: true })
  @Index()
  membershipId!: string | null;

  @ManyToOne('Membership')
  @JoinColumn({ name: 'membership_id' })
  membership!: object | null;

  /** `venue`, `transfer` (to the bank account of the venue), or the name of a provider of online payments. */
  @Column('text')
  provider!: string;

  /**
   * The account of the tenant that an online payment was begun with. null: it was begun by an older program, with the only account of its
   * provider; it is a payment at the venue; or it is a refund, which has the account of its payment.
   */
  @Column('uuid', { nullable: true })
  accountId!: string | null;

  /** How it was paid; for a refund, how the refunded payment was paid. */
  @Column('text')
  method!: PaymentMethod;

  @Column('text', { default: 'pending' })
  status!: PaymentStatus;

  /** Decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  amount!: string;

  @Column('text', { default: currency })
  currency!: string;

  /** For payments that one checkout pays together: the id of the first of them, which also has the `reference`. Else null. */
  @Column('uuid', { nullable: true })
  checkoutId!: string | null;

  /** The provider's id of the checkout. */
  @Column('text', { nullable: true })
  reference!: string | null;

  /** The provider's id of the payment, required for refunds; of a transfer: the entry of a statement. */
  @Column('text', { nullable: true })
  providerPayment!: string | null;

  /** Address of the checkout page. */
  @Column('text', { nullable: true })
  checkoutUrl!: string | null;

  /** Nobody is there to confirm it: the provider charges a means of payment that it kept, and no page may be opened for it. */
  @Column('boolean', { default: false })
  unattended!: boolean;

  /** The card reader that is asked for the sum, of the first payment of a checkout. It stays when the reader is removed. */
  @Column('uuid', { nullable: true })
  readerId!: string | null;

  /** Why the reader took no money, one of `readerFaults`. */
  @Column('text', { nullable: true })
  readerFault!: string | null;

  /** The provider's id of the refund. */
  @Column('text', { nullable: true })
  refundReference!: string | null;

  /** Note of the staff, for example on a refund. */
  @Column('text', { nullable: true })
  note!: string | null;

  /** Why the last attempt to refund failed. When set, staff may settle the refund by hand. */
  @Column('text', { nullable: true })
  refundTrouble!: string | null;

  /** Number of refund requests to the provider. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** End of the claim of the process that requests the refund; in the past: the time of the last request. */
  @Column('timestamptz', { nullable: true })
  askedUntil!: Date | null;

  /** The member of staff who sold or cancelled. No foreign key, because users are in the shared schema. */
  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  /** The API key that sold or cancelled. When both are null, it was the buyer, online. */
  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  paidAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  refundedAt!: Date | null;

  /** The member of staff who settled the refund by hand. */
  @Column('uuid', { nullable: true })
  refundedBy!: string | null;

  /** null also for a refund that corrects the method of a payment. */
  @Column('text', { nullable: true })
  refundedMethod!: RefundMethod | null;

  /** Note of the staff who settled it, for example the number of a transfer. */
  @Column('text', { nullable: true })
  refundedNote!: string | null;
}

/** An event received from a provider, stored so that each is applied once. */
@Entity('payment_event')
export class PaymentEvent {
  @PrimaryColumn('text')
  provider!: string;

  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  type!: string;

  @Column('uuid', { nullable: true })
  paymentId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  receivedAt!: Date;
}
