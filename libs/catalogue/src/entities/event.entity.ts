import type { TextLimits } from '#kernel';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique, type Relation } from 'typeorm';
import type { CutOffPolicy, EventCategory } from '../values/catalogue-codes.js';
import { doorNoteLength } from '../values/text-limits.js';
import { Image } from '../images/image.entity.js';
import type { EventDetails } from '../values/event-details.js';
import { EventSeries } from './event-series.entity.js';
import { PostalAddress } from './postal-address.entity.js';
import { PublicEventColumns, publicEventTexts } from './public-event-columns.js';

/** An event for which people hold tickets. */
@Entity('event')
@Unique(['name', 'startsAt'])
@Index('event_series_id_idx', ['seriesId', 'startsAt'], { where: 'series_id is not null' })
export class Event extends PublicEventColumns {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** Name, local date and time, first eight hex digits of the id. */
  @Column('text', { unique: true })
  slug!: string;

  @Column('text', { default: 'CHT' })
  category!: EventCategory;

  /** HTML with the few elements that `cleanHtml` allows. */
  @Column('text', { nullable: true })
  longDescription!: string | null;

  @Column('timestamptz')
  startsAt!: Date;

  @Column('integer', { default: 50 })
  capacity!: number;

  /** Admission tickets that count against the capacity. Written by booking. */
  @Column('integer', { default: 0 })
  booked!: number;

  @Column('integer', { nullable: true })
  maxPerUser!: number | null;

  @Column('boolean', { default: true })
  published!: boolean;

  @Column('boolean', { default: false })
  isPrivate!: boolean;

  @Column('bigint', { nullable: true })
  postalAddressId!: string | null;

  @ManyToOne(() => PostalAddress, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'postal_address_id' })
  postalAddress!: Relation<PostalAddress> | null;

  /** Minutes before the start when scanning opens; null: no limit. */
  @Column('integer', { nullable: true })
  scanOpensMinutesBefore!: number | null;

  /** Minutes after the end (see `eventEnd`) when scanning closes; null: never. */
  @Column('integer', { nullable: true })
  scanClosesMinutesAfter!: number | null;

  /** Whether holders who left may enter again with the same ticket. */
  @Column('boolean', { default: false })
  reentry!: boolean;

  /** How devices without a connection share the work: see `cutOffPolicies`. */
  @Column('text', { default: 'record' })
  cutOffPolicy!: CutOffPolicy;

  /** Plain text that devices show at each scan of this event, for example the colour of the wristband. */
  @Column('text', { nullable: true })
  doorNote!: string | null;

  /** Age in whole years that devices ask to check; null: no limit. */
  @Column('smallint', { nullable: true })
  minimumAge!: number | null;

  /** The parent event. A volunteering event (ACT) must have one. */
  @Column('uuid', { nullable: true })
  superEventId!: string | null;

  @ManyToOne(() => Event, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'super_event_id' })
  superEvent!: Relation<Event> | null;

  /** The series that the event is a date of; null: it stands alone. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => EventSeries, { onDelete: 'SET NULL' })
  seriesId!: string | null;

  /** HTML; added to the confirmation mail. */
  @Column('text', { nullable: true })
  customConfirmationMessage!: string | null;

  /** Information that only pages and answers show. */
  @Column('jsonb', { nullable: true })
  details!: EventDetails | null;

  /** Last day for returning tickets, in days before the start. */
  @Column('integer', { default: 7 })
  merchantReturnDays!: number;

  @Column('uuid', { nullable: true })
  imageId!: string | null;

  @ManyToOne(() => Image, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'image_id' })
  image!: Relation<Image> | null;

  /** A small image for lists. */
  @Column('uuid', { nullable: true })
  stickerImageId!: string | null;

  @ManyToOne(() => Image, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'sticker_image_id' })
  stickerImage!: Relation<Image> | null;

  /** The database raises it with each change of what is sold (migration 76): columns, links, options. Only bookings read it. */
  @Column('integer', { default: 1, select: false })
  saleVersion!: number | undefined;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Last change of the event itself; its address and its parent have their own. */
  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}

/** Text columns that people write. The others hold identifiers and URLs. */
type WrittenText = Exclude<
  { [Name in keyof Event]: string extends NonNullable<Event[Name]> ? Name : never }[keyof Event],
  'id' | `${string}Id` | 'slug' | 'sameAs' | 'url' | 'alteration'
>;

/** Maximum lengths of texts in characters, for API and panel: all text columns that people write, and related lists of names. */
export const eventTexts = {
  ...publicEventTexts,
  doorNote: doorNoteLength,
  longDescription: 100_000,
  customConfirmationMessage: 10_000,
  keywords: { entries: 50, each: 100 },
  radioOptions: { entries: 50, each: 200 },
  checkboxOptions: { entries: 50, each: 200 },
} as const satisfies TextLimits & Record<WrittenText, number>;

/** Texts that keep the HTML elements that `cleanHtml` allows. All others are stored as plain text on one line. */
export const eventHtmlTexts: ReadonlySet<string> = new Set<WrittenText>(['longDescription', 'customConfirmationMessage']);
