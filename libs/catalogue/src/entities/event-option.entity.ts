import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Event } from './event.entity.js';

export type EventOptionKind = 'radio' | 'checkbox';

/** An option that people choose when they book an event: one of its `radio` options, any of its `checkbox` options. */
@Entity('event_option')
@Unique(['eventId', 'kind', 'name'])
export class EventOption {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string;

  @Column('text')
  kind!: EventOptionKind;

  @Column('text')
  name!: string;

  /** Whether it can be chosen. An option that somebody chose is unpublished instead of deleted. */
  @Column('boolean', { default: true })
  published!: boolean;

  /** 0, 1, 2 … among the options of its event and kind. */
  @Column('integer')
  position!: number;
}
