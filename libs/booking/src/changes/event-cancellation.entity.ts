import { Event } from '#catalogue';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** An event that does not take place: its reservations are cancelled one after the other. */
@Entity('event_cancellation')
export class EventCancellation {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string;

  /** Words of the venue for every holder. */
  @Column('text', { nullable: true })
  note!: string | null;

  /** The member of staff. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** When nothing was left to cancel. */
  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
