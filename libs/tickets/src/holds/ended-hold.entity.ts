import { Event } from '#catalogue';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';

/**
 * Tickets of an event that a network held on the pages and gave up, neither paid nor confirmed. They count for it for a while, as if it
 * held them still. Deleted after a day.
 */
@Entity('ended_hold')
@Index('ended_hold_held_by_idx', { synchronize: false })
export class EndedHold {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  eventId!: string;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  /** The draft or reservation, which may be deleted. */
  @PrimaryColumn('uuid')
  reservationId!: string;

  /** Keyed hash of the network, as in reservations. */
  @Column('text')
  network!: string;

  /** The same of the site around it; null for IPv4. */
  @Column('text', { nullable: true })
  networkSite!: string | null;

  @Column('smallint')
  tickets!: number;

  /** How long they were held. */
  @Column('integer')
  seconds!: number;

  /** The first end of this hold: its buyer may begin it anew once. */
  @Column('boolean')
  isFirst!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  endedAt!: Date;
}
