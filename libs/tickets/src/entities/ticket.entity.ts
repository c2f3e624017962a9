import { Event, Price } from '#catalogue';
import { OrderLine } from '#orders';
import { searchColumn } from '#kernel';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Reservation } from './reservation.entity.js';
import { SigningKey } from './signing-key.entity.js';
import type { TicketStatus } from './ticket-states.js';

/** One item of a reservation: admission of one person to one event, or goods to hand out. */
@Entity('ticket')
@Index('ticket_holder_idx', ['holderKey', 'eventId'], { where: 'holder_key is not null' })
export class Ticket {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  reservationId!: string;

  @ManyToOne(() => Reservation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'reservation_id' })
  reservation!: Relation<Reservation>;

  @Column('uuid')
  @Index()
  eventId!: string;

  @ManyToOne(() => Event)
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  /** The line of the order that sold it; null: sold before orders were written, until a task has written its order. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey(() => OrderLine)
  lineId!: string | null;

  @Column('uuid')
  priceId!: string;

  @ManyToOne(() => Price)
  @JoinColumn({ name: 'price_id' })
  price!: Relation<Price>;

  /** Amount of this ticket; decimal text. */
  @Column('numeric', { precision: 10, scale: 2, default: 0 })
  amount!: string;

  /** VAT rate in percent at the time of the sale; null: unknown. The amount includes VAT. */
  @Column('numeric', { precision: 4, scale: 2, nullable: true })
  vatRate!: string | null;

  @Column('text', { default: '' })
  firstName!: string;

  @Column('text', { default: '' })
  lastName!: string;

  @Column('text', searchColumn('last_name', 'first_name'))
  searchText?: string;

  /** Address of another person than the buyer, to whom the ticket was given; null: the buyer holds it. */
  @Column('text', { nullable: true })
  holderEmail!: string | null;

  /** Identifies that person for all spellings of the address (see `emailKey()`). */
  @Column('text', { nullable: true })
  holderKey!: string | null;

  /** Number of its transfers. Its code and its link contain it, so that those from before a transfer are invalid. */
  @Column('smallint', { default: 0 })
  codeVersion!: number;

  /** Number of times that its holder changed the name since `renamedSince`. */
  @Column('smallint', { default: 0 })
  renames!: number;

  /** Start of the day in which renames are counted. */
  @Column('timestamptz', { nullable: true })
  renamedSince!: Date | null;

  /** `L`: free seating. */
  @Column('text', { default: 'L' })
  seat!: string;

  @Column('text', { default: 'C' })
  status!: TicketStatus;

  /** The key that signs its code, so that the same ticket always has the same code. */
  @Column('smallint')
  @ForeignKey(() => SigningKey)
  signingKeyId!: number;

  /** True: admission; false: goods, without place and scan. Set from the kind of the product at the time of booking. */
  @Column('boolean', { default: true })
  admission!: boolean;

  /** When the goods were handed out. */
  @Column('timestamptz', { nullable: true })
  fulfilledAt!: Date | null;

  /** The scanning device, or the member of staff, that handed the goods out. */
  @Column('uuid', { nullable: true })
  fulfilledBy!: string | null;

  /** Name of that device or person at that time. */
  @Column('text', { nullable: true })
  fulfilledByName!: string | null;

  @Column('timestamptz', { nullable: true })
  scannedAt!: Date | null;

  /** The device that let it in last. */
  @Column('uuid', { nullable: true })
  scannedBy!: string | null;

  /** The gate of its last entry or exit; null: none was named. */
  @Column('uuid', { nullable: true })
  gateId!: string | null;

  /** When the holder left; null: not since the last entry. A scanned ticket without it counts as inside. */
  @Column('timestamptz', { nullable: true })
  leftAt!: Date | null;

  /** When it was cancelled; null with a whole reservation, which has the time itself, and for tickets of old versions. */
  @Column('timestamptz', { nullable: true })
  cancelledAt!: Date | null;

  /** Goods: when the buyer withdrew from the contract. */
  @Column('timestamptz', { nullable: true })
  withdrawnAt!: Date | null;

  /** Sequence number of its last change, as published in webhook events. */
  @Column('integer', { default: 0 })
  sequence!: number;

  /** Index among the tickets of its reservation, from 0, in booking order. */
  @Column('smallint', { default: 0 })
  position!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
