import { Event, type EventAlteration } from '#catalogue';
import type { Language } from '#kernel';
import type { MailPlace } from '#messages';
import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * `changed`: time, place or status of the event; `untold`: the same without mails, so that a later notice knows what guests were told last;
 * `message`: what staff wrote; `reminder`: it takes place tomorrow; `test`: a message to its author.
 */
export type NoticeKind = 'changed' | 'untold' | 'message' | 'reminder' | 'test';

/** Who gets a message: everybody with a valid ticket, who has entered, who is still expected, or who waits for places. */
export const noticeAudiences = ['holders', 'entered', 'expected', 'waiting'] as const;
export type NoticeAudience = (typeof noticeAudiences)[number];

/** Subject and text of a message; plain text. */
export interface NoticeText {
  readonly subject: string;
  readonly words: string;
}

/** What an event was before a change; instants as ISO 8601. */
export interface EventBefore {
  readonly startsAt: string;
  readonly endsAt: string | null;
  /** Absent in rows of older programs. */
  readonly doorsAt?: string | null;
  readonly alteration: EventAlteration | null;
  readonly place: MailPlace | null;
}

/** A mail to the guests of an event. Its mails are written in the background. */
@Entity('event_notice')
@Index('event_notice_reminder_idx', ['eventId', 'startsAt'], { unique: true, where: `kind = 'reminder'` })
export class EventNotice {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string;

  @Column('text')
  kind!: NoticeKind;

  @Column('text', { default: 'holders' })
  audience!: NoticeAudience;

  /** Only guests with these prices; null: all. */
  @Column('uuid', { array: true, nullable: true })
  priceIds!: string[] | null;

  /** Of a message, by language. Guests with another language get the first one. */
  @Column('jsonb', { nullable: true })
  texts!: Partial<Record<Language, NoticeText>> | null;

  /** Note of staff about a change. */
  @Column('text', { nullable: true })
  note!: string | null;

  @Column('jsonb', { nullable: true })
  before!: EventBefore | null;

  /** The start of which a reminder reminds. */
  @Column('timestamptz', { nullable: true })
  startsAt!: Date | null;

  /** The member of staff; null: an integration, or a reminder. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** When the last mail was written, or a later notice of a change replaced this one; null: in progress. */
  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
