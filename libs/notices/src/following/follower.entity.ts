import type { Language } from '#kernel';
import { Event } from '#catalogue';
import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A person who wants mails of the venue about new dates, or one mail when the sale of tickets for an event begins. Gets none before
 * `confirmedAt`, except the one with the link that confirms.
 */
@Entity('follower')
@Index('follower_person_idx', ['emailKey'], { unique: true, where: 'event_id is null' })
@Index('follower_event_idx', ['eventId', 'emailKey'], { unique: true, where: 'event_id is not null' })
@Index('follower_network_idx', ['network', 'createdAt'], { where: 'network is not null' })
export class Follower {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  email!: string;

  @Column('text')
  @Index()
  emailKey!: string;

  /** Language of the mails. */
  @Column('text', { nullable: true })
  language!: Language | null;

  /** Keyed hash of the network that it was made from, for the limit per network; null once it is confirmed. */
  @Column('text', { nullable: true })
  network!: string | null;

  /** Mails that forms have caused before the confirmation, the last one at `askedAt`. */
  @Column('smallint', { default: 1 })
  mails!: number;

  @Column('timestamptz', { default: () => 'now()' })
  askedAt!: Date;

  /** When the person opened the link; null: not yet. */
  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  /** The event whose sale begins; null: all new dates. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string | null;

  /** When the mail about the sale was written; null: not yet. */
  @Column('timestamptz', { nullable: true })
  toldAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
