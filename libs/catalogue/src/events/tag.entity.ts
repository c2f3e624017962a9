import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
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
  eventId!: string;

  @PrimaryColumn('uuid')
  @Index()
  tagId!: string;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  @ManyToOne(() => Tag, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tag_id' })
  tag!: Relation<Tag>;
}
