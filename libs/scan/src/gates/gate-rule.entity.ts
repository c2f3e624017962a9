import { Price, Product } from '#catalogue';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Gate } from './gate.entity.js';

/** Tickets of one product or of one price may pass a gate. A gate without rules lets every ticket pass. */
@Entity('gate_rule')
@Index('gate_rule_gate_id_product_id_key', { synchronize: false })
export class GateRule {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  gateId!: string;

  @ManyToOne(() => Gate, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'gate_id' })
  gate!: Relation<Gate>;

  /** All prices of this product. Exactly one of product and price is set. */
  @Column('uuid', { nullable: true })
  productId!: string | null;

  @ManyToOne(() => Product, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'product_id' })
  product!: Relation<Product> | null;

  @Column('uuid', { nullable: true })
  priceId!: string | null;

  @ManyToOne(() => Price, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'price_id' })
  price!: Relation<Price> | null;
}
