import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Event } from '../event.entity.js';

/** A word that events are found by. Its first spelling is the one that is shown. */
@Entity('tag')
export class Tag {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** The name without regard to case, by which two spellings are one tag. */
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
  @Index()
  @ForeignKey(() => Tag, { onDelete: 'CASCADE' })
  tagId!: string;
}
