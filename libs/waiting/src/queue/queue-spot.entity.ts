import type { DraftChoice } from '#selling';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The spot of a buyer in the queue of an event, with what was chosen. The queue has the order of `arrivedAt`. Deleted some minutes after
 * `askBy`.
 */
@Entity('booking_queue')
@Index('booking_queue_next_idx', ['eventId', 'arrivedAt', 'id'], { where: 'served_at is null' })
export class QueueSpot {
  /** Also the id of the draft that the buyer gets. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  eventId!: string;

  /** The cart to which the tickets are added; null: they are booked alone. */
  @Column('uuid', { nullable: true })
  cartId!: string | null;

  /** Keyed hash of the client network. */
  @Column('text')
  network!: string;

  /** The same of the site around it; null for IPv4. */
  @Column('text', { nullable: true })
  networkSite!: string | null;

  @Column('jsonb')
  choice!: Pick<DraftChoice, 'lines' | 'options'>;

  @Column('timestamptz')
  arrivedAt!: Date;

  /** When its owner is expected to ask again at the latest. After that the spot counts no more, until the owner asks. */
  @Column('timestamptz')
  askBy!: Date;

  /** When it was the owner's turn; null: not yet. */
  @Column('timestamptz', { nullable: true })
  servedAt!: Date | null;
}
