import { Event } from '#catalogue';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

/** Maximum lengths of texts in characters. */
export const gateTexts = { name: 100 } as const;

/** A way in or out, such as "Main door" or "Balcony". */
@Entity('gate')
export class Gate {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** The event that has this gate; null: every event. */
  @Column('uuid', { nullable: true })
  eventId!: string | null;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event> | null;

  /** Order in lists, ascending. */
  @Column('smallint', { default: 0 })
  position!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
