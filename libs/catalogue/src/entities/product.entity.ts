import { Column, Entity, Index, JoinColumn, ManyToOne, OneToMany, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import type { BuiltInProduct, ProductCategory } from '../values/catalogue-codes.js';
import { Image } from '../images/image.entity.js';
import { Price } from './price.entity.js';

/** A product with one or more prices. */
@Entity('product')
@Index('product_category_name_key', ['category', 'name'], { unique: true, where: '"built_in" is null' })
@Index('product_built_in_key', ['builtIn'], { unique: true })
@Index('product_one_cashless', ['sendToCashless'], { unique: true, where: '"send_to_cashless"' })
export class Product {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  category!: ProductCategory;

  /** The purpose of a product that every tenant has and nobody manages; null: a product of staff. */
  @Column('text', { nullable: true })
  builtIn!: BuiltInProduct | null;

  @Column('text', { nullable: true })
  shortDescription!: string | null;

  /** HTML with the few elements that `cleanHtml` allows. */
  @Column('text', { nullable: true })
  longDescription!: string | null;

  /** Like the long description. */
  @Column('text', { nullable: true })
  termsAndConditions!: string | null;

  @Column('boolean', { default: true })
  published!: boolean;

  /** The membership that is recorded on cashless cards: at most one product per tenant. */
  @Column('boolean', { default: false })
  sendToCashless!: boolean;

  /** Members may have memberships of this product renewed and charged by themselves; see `MembershipRenewalsService`. */
  @Column('boolean', { default: false })
  autoRenewal!: boolean;

  @Column('uuid', { nullable: true })
  imageId!: string | null;

  @ManyToOne(() => Image, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'image_id' })
  image!: Relation<Image> | null;

  /** The database raises it with each change of what is sold (migration 76): columns, prices, questions. Only bookings read it. */
  @Column('integer', { default: 1, select: false })
  saleVersion!: number | undefined;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Last change of the product itself; its prices have their own. */
  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  @OneToMany(() => Price, (price) => price.product)
  prices!: Relation<Price>[];
}
