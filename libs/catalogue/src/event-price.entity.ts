import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Event } from './event.entity.js';
import { Price } from './price.entity.js';

/**
 * How much of a price's stock one event has used. Only prices of admission have such rows: their stock limits each event separately. A row
 * appears with the first booking.
 */
@Entity('event_price')
export class EventPrice {
  @PrimaryColumn('uuid')
  eventId!: string;

  @PrimaryColumn('uuid')
  @Index()
  priceId!: string;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  @ManyToOne(() => Price, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'price_id' })
  price!: Relation<Price>;

  /** Tickets that count against the price's stock for this event. Written by booking. */
  @Column('integer', { default: 0 })
  sold!: number;
}
