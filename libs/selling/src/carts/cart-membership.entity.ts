import { Price, Product } from '#catalogue';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

/**
 * A membership in a cart whose contact form was not sent yet; its id becomes that of the membership. It takes no stock. A cart has at most
 * one of each product.
 */
@Entity('cart_membership')
@Index('cart_membership_product_idx', ['cartId', 'productId'], { unique: true })
export class CartMembership {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  cartId!: string;

  @Column('uuid')
  @Index()
  productId!: string;

  @ManyToOne(() => Product, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'product_id' })
  product!: Relation<Product>;

  @Column('uuid')
  @Index()
  priceId!: string;

  @ManyToOne(() => Price, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'price_id' })
  price!: Relation<Price>;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;
}
