import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique, type Relation } from 'typeorm';
import type { EventCategory } from './catalogue-codes.js';
import { Image } from './images/image.entity.js';
import { PostalAddress } from './postal-address.entity.js';

/** Something that happens at a time, and that people hold tickets for. */
@Entity('event')
@Unique(['name', 'startsAt'])
export class Event {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Name, local date and time, first eight hex digits of the id. */
  @Column('text', { unique: true })
  slug!: string;

  @Column('text', { default: 'CHT' })
  category!: EventCategory;

  /** Plain text. */
  @Column('text', { nullable: true })
  shortDescription!: string | null;

  /** HTML of the few elements that `cleanHtml` lets through. */
  @Column('text', { nullable: true })
  longDescription!: string | null;

  @Column('timestamptz')
  @Index()
  startsAt!: Date;

  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  @Column('integer', { default: 50 })
  capacity!: number;

  /** Tickets for admission that count against the capacity. Written by booking. */
  @Column('integer', { default: 0 })
  booked!: number;

  @Column('integer', { nullable: true })
  maxPerUser!: number | null;

  @Column('boolean', { default: true })
  published!: boolean;

  @Column('boolean', { default: false })
  isPrivate!: boolean;

  @Column('bigint', { nullable: true })
  @Index()
  postalAddressId!: string | null;

  @ManyToOne(() => PostalAddress, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'postal_address_id' })
  postalAddress!: Relation<PostalAddress> | null;

  /** Scanning opens so many minutes before the start; null: any time. */
  @Column('integer', { nullable: true })
  scanOpensMinutesBefore!: number | null;

  /** Scanning closes so many minutes after the end (see `eventEnd`); null: never. */
  @Column('integer', { nullable: true })
  scanClosesMinutesAfter!: number | null;

  /** What this event is a part of. A volunteering event (ACT) has one. */
  @Column('uuid', { nullable: true })
  @Index()
  superEventId!: string | null;

  @ManyToOne(() => Event, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'super_event_id' })
  superEvent!: Relation<Event> | null;

  /** HTML; what who booked is told besides the usual. */
  @Column('text', { nullable: true })
  customConfirmationMessage!: string | null;

  /** The event's page elsewhere: with it the event is an external one. */
  @Column('text', { nullable: true })
  sameAs!: string | null;

  /** A page about the event, as an integration sent it; null: the tenant's own page. Does not make the event an external one. */
  @Column('text', { nullable: true })
  url!: string | null;

  /** So many days before the start tickets may be given back. */
  @Column('integer', { default: 7 })
  merchantReturnDays!: number;

  @Column('uuid', { nullable: true })
  imageId!: string | null;

  @ManyToOne(() => Image, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'image_id' })
  image!: Relation<Image> | null;

  /** A small picture for lists. */
  @Column('uuid', { nullable: true })
  stickerImageId!: string | null;

  @ManyToOne(() => Image, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'sticker_image_id' })
  stickerImage!: Relation<Image> | null;

  /** Number of the last change that was told to the outside. */
  @Column('integer', { default: 0 })
  sequence!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The last change of the event itself; its address and its parent have their own. */
  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
