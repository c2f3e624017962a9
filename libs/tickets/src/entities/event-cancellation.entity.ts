import { Event } from '#catalogue';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A cancelled event, whose reservations are cancelled in the background. */
@Entity('event_cancellation')
export class EventCancellation {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string;

  /** Note of the venue, mailed to every holder. */
  @Column('text', { nullable: true })
  note!: string | null;

  /** The member of staff who cancelled it. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** When the last reservation was cancelled; null: in progress. */
  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
