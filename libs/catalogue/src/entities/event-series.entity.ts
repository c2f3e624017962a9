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

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
