import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Event } from './event.entity.js';
import { Price } from './price.entity.js';

/**
 * How much of a price's stock one event has used. Only admission prices have such rows: their stock limits each event separately. A row
 * is created with the first booking.
 */
@Entity('event_price')
export class EventPrice {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey(() => Price, { onDelete: 'CASCADE' })
  priceId!: string;

  /** Tickets that count against the price's stock for this event. Written by booking. */
  @Column('integer', { default: 0 })
  sold!: number;
}
