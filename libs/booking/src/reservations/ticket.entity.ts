import { Event, Price } from '#catalogue';
import { searchColumn } from '#kernel';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Reservation } from './reservation.entity.js';
import { SigningKey } from '../signing/signing-key.entity.js';
import type { TicketStatus } from './ticket-states.js';

/** One item of a reservation: the right of one person to enter one event, or goods that are handed out. */
@Entity('ticket')
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

  @Column('uuid')
  priceId!: string;

  @ManyToOne(() => Price)
  @JoinColumn({ name: 'price_id' })
  price!: Relation<Price>;

  /** What this ticket costs; decimal text. */
  @Column('numeric', { precision: 10, scale: 2, default: 0 })
  amount!: string;

  /** VAT in percent at which it was sold; null: written by who knew none. The amount includes it. */
  @Column('numeric', { precision: 4, scale: 2, nullable: true })
  vatRate!: string | null;

  @Column('text', { default: '' })
  firstName!: string;

  @Column('text', { default: '' })
  lastName!: string;

  @Column('text', searchColumn('last_name', 'first_name'))
  searchText?: string;

  /** `L`: free seating. */
  @Column('text', { default: 'L' })
  seat!: string;

  @Column('text', { default: 'C' })
  status!: TicketStatus;

  /** The key its code is signed with, so that the same ticket always renders the same string. */
  @Column('smallint')
  @ForeignKey(() => SigningKey)
  signingKeyId!: number;

  /** Whether it lets somebody in, by the kind of its product when it was booked. Else it is goods: no place, no scan. */
  @Column('boolean', { default: true })
  admission!: boolean;

  /** Of goods: when they were handed out. */
  @Column('timestamptz', { nullable: true })
  fulfilledAt!: Date | null;

  /** The scanning device, or the member of staff, that handed the goods out. */
  @Column('uuid', { nullable: true })
  fulfilledBy!: string | null;

  /** The name of that device or person at the time. */
  @Column('text', { nullable: true })
  fulfilledByName!: string | null;

  @Column('timestamptz', { nullable: true })
  scannedAt!: Date | null;

  /** The scanning device that let it in. */
  @Column('uuid', { nullable: true })
  scannedBy!: string | null;

  /** Number of the last change that was told to the outside. */
  @Column('integer', { default: 0 })
  sequence!: number;

  /** 0, 1, 2 … among the tickets of its reservation, in the order in which they were booked. */
  @Column('smallint', { default: 0 })
  position!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
