import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import type { BuiltInProduct, ProductCategory } from './catalogue-codes.js';
import { Image } from './images/image.entity.js';
import { Price } from './price.entity.js';

/** What is sold, with one or more prices. */
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

  /** Of a product that every tenant has and that nobody manages, what it is for; null: a product of staff. */
  @Column('text', { nullable: true })
  builtIn!: BuiltInProduct | null;

  @Column('text', { nullable: true })
  shortDescription!: string | null;

  /** HTML of the few elements that `cleanHtml` lets through. */
  @Column('text', { nullable: true })
  longDescription!: string | null;

  /** As the long description. */
  @Column('text', { nullable: true })
  termsAndConditions!: string | null;

  @Column('boolean', { default: true })
  published!: boolean;

  /** The membership that is recorded on cashless cards: one product of a tenant at most. */
  @Column('boolean', { default: false })
  sendToCashless!: boolean;

  @Column('uuid', { nullable: true })
  imageId!: string | null;

  @ManyToOne(() => Image, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'image_id' })
  image!: Relation<Image> | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The last change of the product itself; its prices have their own. */
  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  @OneToMany(() => Price, (price) => price.product)
  prices!: Relation<Price>[];
}
