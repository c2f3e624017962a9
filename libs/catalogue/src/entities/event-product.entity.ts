import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Event } from './event.entity.js';
import { Product } from './product.entity.js';

/** A product that is sold for an event. */
@Entity('event_product')
export class EventProduct {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey(() => Product, { onDelete: 'CASCADE' })
  productId!: string;
}
