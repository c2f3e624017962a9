import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Dates of one event that belong together: each date is an event of its own, with its places, prices and tickets. */
@Entity('event_series')
export class EventSeries {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Name and first eight hex digits of the id. */
  @Column('text', { unique: true })
  slug!: string;

  /** Places that all dates have together; null: each date has its own places only. Written by `SeriesPoolsService`. */
  @Column('integer', { nullable: true })
  capacity!: number | null;

  /** Admission tickets of all dates while they share places, otherwise 0. The database counts it (migration 88). */
  @Column('integer', { default: 0 })
  booked!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
