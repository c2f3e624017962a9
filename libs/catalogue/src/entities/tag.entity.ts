import { Column, Entity, ForeignKey, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Event } from './event.entity.js';

/** A word by which events are found. The first spelling is shown. */
@Entity('tag')
export class Tag {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** The name without case, the same for all spellings of a tag. */
  @Column('text', { unique: true })
  key!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** A tag that an event has. */
@Entity('event_tag')
export class EventTag {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey(() => Tag, { onDelete: 'CASCADE' })
  tagId!: string;
}
