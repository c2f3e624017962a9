import { Event } from '#catalogue';
import { AskingPerson } from '#tickets';
import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A person who wants mails of the venue about new dates, or one mail when the sale of tickets for an event begins. Gets none before
 * `confirmedAt`, except the one with the link that confirms.
 */
@Entity('follower')
@Index('follower_person_idx', ['emailKey'], { unique: true, where: 'event_id is null' })
@Index('follower_event_idx', ['eventId', 'emailKey'], { unique: true, where: 'event_id is not null' })
export class Follower extends AskingPerson {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The event whose sale begins; null: all new dates. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string | null;

  /** When the mail about the sale was written; null: not yet. */
  @Column('timestamptz', { nullable: true })
  toldAt!: Date | null;
}
