import { Event, Price } from '#catalogue';
import { AskingPerson } from '#tickets';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { texts } from '../locales/waiting.texts.js';

export const waitingStates = {
  /** The link in the first mail was not opened: the entry does not count. */
  unconfirmed: texts.localized('waiting.states.unconfirmed'),
  waiting: texts.localized('waiting.states.waiting'),
  /** Places are held for it by a draft. */
  offered: texts.localized('waiting.states.offered'),
  /** Also while it awaits its payment or confirmation. */
  booked: texts.localized('waiting.states.booked'),
  /** The proposal was not taken, paid or confirmed in time. */
  expired: texts.localized('waiting.states.expired'),
  left: texts.localized('waiting.states.left'),
  /** By staff. */
  removed: texts.localized('waiting.states.removed'),
  /** The event began or was cancelled. */
  over: texts.localized('waiting.states.over'),
} as const;
export type WaitingStatus = keyof typeof waitingStates;

/** A person who waits for places of an event at a price. The order of the list is the order of `confirmedAt`. */
@Entity('waiting_entry')
@Index('waiting_entry_person_idx', ['eventId', 'emailKey'], { unique: true, where: 'ended_at is null' })
export class WaitingEntry extends AskingPerson {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  eventId!: string;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  @Column('uuid')
  priceId!: string;

  @ManyToOne(() => Price, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'price_id' })
  price!: Relation<Price>;

  /** Places that the person wants, all or none. */
  @Column('smallint')
  quantity!: number;

  /** The code that the person gave, as `codeKey` writes it. */
  @Column('text', { nullable: true })
  code!: string | null;

  @Column('text', { default: 'unconfirmed' })
  status!: WaitingStatus;

  /** When places were first free, but too few for it. After a round the list passes it, until enough are free at once. */
  @Column('timestamptz', { nullable: true })
  shortSince!: Date | null;

  /** The draft that holds the proposed seats, later the reservation. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Reservation', { onDelete: 'SET NULL' })
  reservationId!: string | null;

  @Column('timestamptz', { nullable: true })
  offeredUntil!: Date | null;

  /** When it became booked, expired, left, removed or over. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}
