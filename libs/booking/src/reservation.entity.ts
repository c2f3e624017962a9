import type { Language } from '#kernel';
import { Event } from '#catalogue';
import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import type { ReservationStatus } from './reservation-states.js';
import { Ticket } from './ticket.entity.js';

/** One or more tickets that one person booked for one event. */
@Entity('reservation')
export class Reservation {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  eventId!: string;

  @ManyToOne(() => Event)
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  @Column('text')
  email!: string;

  @Column('text', { default: '' })
  firstName!: string;

  @Column('text', { default: '' })
  lastName!: string;

  @Column('text', { default: 'R' })
  status!: ReservationStatus;

  /** Language to write to the buyer in; null: the tenant's. */
  @Column('text', { nullable: true })
  language!: Language | null;

  /** Number of the last change that was told to the outside. */
  @Column('integer', { default: 0 })
  sequence!: number;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;

  @OneToMany(() => Ticket, (ticket) => ticket.reservation)
  tickets!: Relation<Ticket>[];
}
