import { Column, Entity, OneToMany, PrimaryGeneratedColumn, Unique, type Relation } from 'typeorm';
import type { ProductCategory } from './catalogue-codes.js';
import { Price } from './price.entity.js';

/** What is sold, with one or more prices. */
@Entity('product')
@Unique(['category', 'name'])
export class Product {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  category!: ProductCategory;

  @Column('text', { nullable: true })
  shortDescription!: string | null;

  @Column('text', { nullable: true })
  longDescription!: string | null;

  @Column('boolean', { default: true })
  published!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @OneToMany(() => Price, (price) => price.product)
  prices!: Relation<Price>[];
}
