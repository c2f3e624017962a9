import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique, type Relation } from 'typeorm';
import type { EventCategory } from './catalogue-codes.js';
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

  @Column('text', { nullable: true })
  shortDescription!: string | null;

  @Column('text', { nullable: true })
  longDescription!: string | null;

  @Column('timestamptz')
  @Index()
  startsAt!: Date;

  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  @Column('integer', { default: 50 })
  capacity!: number;

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

  /** Scanning opens so many minutes before the start; null: any time. */
  @Column('integer', { nullable: true })
  scanOpensMinutesBefore!: number | null;

  /** Scanning closes so many minutes after the end (the start, when no end is known); null: never. */
  @Column('integer', { nullable: true })
  scanClosesMinutesAfter!: number | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
