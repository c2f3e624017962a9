import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { PaymentMethod, PaymentProvider, PaymentStatus, RefundMethod, RefundReason } from './payment-states.js';

/**
 * One line of the ledger: money for a reservation or a membership (or the word that none was asked for), or money that goes back. The
 * database refuses to change what a row says of money, people and times, and to delete it. Two things are added to a row: its state, which
 * follows `paymentTransitions`, because races are decided by one conditional statement on it; and facts that come later, written once.
 */
@Entity('payment')
@Unique(['provider', 'reference'])
@Index('payment_refund_due_idx', ['createdAt'], { where: "status = 'refund_due'" })
export class Payment {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text', { default: 'payment' })
  kind!: 'payment' | 'refund';

  /** Of a refund: the payment that it gives back, in whole or in part. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey(() => Payment)
  refundOf!: string | null;

  /** Of a refund. */
  @Column('text', { nullable: true })
  reason!: RefundReason | null;

  @Column('uuid', { nullable: true })
  @Index()
  reservationId!: string | null;

  // Named, not imported: the lib that sells imports this one.
  @ManyToOne('Reservation')
  @JoinColumn({ name: 'reservation_id' })
  reservation!: object | null;

  @Column('uuid', { nullable: true })
  @Index()
  membershipId!: string | null;

  @ManyToOne('Membership')
  @JoinColumn({ name: 'membership_id' })
  membership!: object | null;

  @Column('text')
  provider!: PaymentProvider;

  /** How it was paid; of a refund, how that was paid which goes back. */
  @Column('text')
  method!: PaymentMethod;

  @Column('text', { default: 'pending' })
  status!: PaymentStatus;

  /** Decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  amount!: string;

  @Column('text', { default: 'EUR' })
  currency!: string;

  /** The provider's checkout. */
  @Column('text', { nullable: true })
  reference!: string | null;

  /** What the provider calls the payment itself; a refund names it. */
  @Column('text', { nullable: true })
  providerPayment!: string | null;

  /** Where the buyer pays. */
  @Column('text', { nullable: true })
  checkoutUrl!: string | null;

  /** What the provider calls the refund. */
  @Column('text', { nullable: true })
  refundReference!: string | null;

  /** Staff's words about it, of a refund for instance. */
  @Column('text', { nullable: true })
  note!: string | null;

  /** Why money that is due did not go back at the last try; somebody may give it back by hand then. */
  @Column('text', { nullable: true })
  refundTrouble!: string | null;

  /** How often the provider was asked to give it back. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Until then one process asks the provider to give it back; in the past: when it was asked last. */
  @Column('timestamptz', { nullable: true })
  askedUntil!: Date | null;

  /** The member of staff who sold or cancelled; an id of the shared schema, so no foreign key. */
  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  /** The API key that did. Neither: the buyer, online. */
  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  paidAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  refundedAt!: Date | null;

  /** The member of staff who gave it back by hand. */
  @Column('uuid', { nullable: true })
  refundedBy!: string | null;

  @Column('text', { nullable: true })
  refundedMethod!: RefundMethod | null;

  /** What staff noted when they gave it back: the number of a transfer, say. */
  @Column('text', { nullable: true })
  refundedNote!: string | null;
}

/** Something that a provider told: kept so that each is applied once. */
@Entity('payment_event')
export class PaymentEvent {
  @PrimaryColumn('text')
  provider!: PaymentProvider;

  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  type!: string;

  @Column('uuid', { nullable: true })
  paymentId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  receivedAt!: Date;
}
