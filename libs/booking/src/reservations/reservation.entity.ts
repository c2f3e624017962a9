import { searchColumn, type Language } from '#kernel';
import { Event } from '#catalogue';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import type { CancelReason, ReservationOrigin, ReservationStatus } from './reservation-states.js';

/** One or more tickets that one person booked for one event. */
@Entity('reservation')
@Index(['eventId', 'emailKey'])
@Index('reservation_held_idx', ['expiresAt'], { where: 'expires_at is not null and released_at is null' })
export class Reservation {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  eventId!: string;

  @ManyToOne(() => Event)
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  /** Empty: the buyer, at the box office, gave none. */
  @Column('text')
  email!: string;

  /**
   * By which all spellings of one address are one person (see `emailKey`). Without an address the reservation's own id: one person a sale.
   */
  @Column('text', { default: '' })
  @Index()
  emailKey!: string;

  @Column('text', { default: '' })
  firstName!: string;

  @Column('text', { default: '' })
  lastName!: string;

  @Column('text', searchColumn('last_name', 'first_name', 'email'))
  searchText?: string;

  @Column('text', { default: 'R' })
  status!: ReservationStatus;

  /** Language to write to the buyer in; null: the tenant's. */
  @Column('text', { nullable: true })
  language!: Language | null;

  /** What it cost when it was booked; decimal text. */
  @Column('numeric', { precision: 10, scale: 2, default: 0 })
  amount!: string;

  @Column('text', { default: 'api' })
  origin!: ReservationOrigin;

  /** Of a hold: from then on it counts no more. null: not a hold (any more). */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** When its places were given back because the hold was over. */
  @Column('timestamptz', { nullable: true })
  releasedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  cancelledAt!: Date | null;

  @Column('text', { nullable: true })
  cancelReason!: CancelReason | null;

  /** Stands in the links to it: links with another number do not work any more. */
  @Column('smallint', { default: 0 })
  linkVersion!: number;

  /** Number of the last change that was told to the outside. */
  @Column('integer', { default: 0 })
  sequence!: number;

  /** The member of staff who sold it; an id of the shared schema, so no foreign key. */
  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  /** The API key that sold it. Neither: the buyer, online. */
  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;
}
