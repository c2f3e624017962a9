import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Event } from './event.entity.js';
import { Product } from './product.entity.js';

/** A product that is sold for an event. */
@Entity('event_product')
export class EventProduct {
  @PrimaryColumn('uuid')
  eventId!: string;

  @PrimaryColumn('uuid')
  @Index()
  productId!: string;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  @ManyToOne(() => Product, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'product_id' })
  product!: Relation<Product>;
}
