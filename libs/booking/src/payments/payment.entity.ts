import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn, Unique, type Relation } from 'typeorm'; // prettier-ignore
import { Membership } from '../memberships/membership.entity.js';
import { Reservation } from '../reservations/reservation.entity.js';
import type { PaymentMethod, PaymentProvider, PaymentStatus } from './payment-states.js';

/** Money for a reservation or a membership, or the word that none was asked for. */
@Entity('payment')
@Unique(['provider', 'reference'])
export class Payment {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  @Index()
  reservationId!: string | null;

  @ManyToOne(() => Reservation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'reservation_id' })
  reservation!: Relation<Reservation> | null;

  @Column('uuid', { nullable: true })
  @Index()
  membershipId!: string | null;

  @ManyToOne(() => Membership, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'membership_id' })
  membership!: Relation<Membership> | null;

  @Column('text')
  provider!: PaymentProvider;

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

  @Column('text', { nullable: true })
  refundReference!: string | null;

  /** Staff's words about it, of a refund for instance. */
  @Column('text', { nullable: true })
  note!: string | null;

  /** Why money that is due does not go back by itself; somebody gives it back by hand then. */
  @Column('text', { nullable: true })
  refundTrouble!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  paidAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  refundedAt!: Date | null;
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
