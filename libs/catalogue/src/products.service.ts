import { Injectable } from '@nestjs/common';
import { RefusedInput, violatedConstraint } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { productCategories } from './catalogue-codes.js';
import { Product } from './product.entity.js';

type Writable = Omit<Product, 'id' | 'createdAt' | 'prices'>;
export type NewProduct = Pick<Product, 'name' | 'category'> & Partial<Writable>;

/** Products of the current tenant. */
@Injectable()
export class Products {
  constructor(private readonly db: TenantDb) {}

  create(input: NewProduct): Promise<Product> {
    return this.db.transaction((tx) => this.createIn(tx, input));
  }

  /** @throws RefusedInput on name or category */
  async createIn(tx: Tx, input: NewProduct): Promise<Product> {
    checkProduct(input);
    try {
      const { identifiers } = await tx.insert(Product, { ...input, name: input.name.trim() });
      return await tx.findOneByOrFail(Product, { id: (identifiers[0] as { id: string }).id });
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }

  /** @throws RefusedInput; false when there is no such product */
  update(id: string, change: Partial<Writable>): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const product = await tx.findOne(Product, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!product) return false;
      checkProduct({ ...product, ...change });
      try {
        if (Object.keys(change).length > 0) await tx.update(Product, { id }, change);
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
      return true;
    });
  }
}

function checkProduct(product: Pick<Product, 'name' | 'category'>): void {
  if (!product.name?.trim())
    throw new RefusedInput('name', { en: 'Give the product a name.', fr: 'Donnez un nom au produit.' });
  if (!Object.hasOwn(productCategories, product.category ?? '')) {
    throw new RefusedInput('category', {
      en: 'Choose what kind of product it is.',
      fr: 'Choisissez le type de produit.',
    });
  }
}

function refusalOf(error: unknown): RefusedInput | undefined {
  if (violatedConstraint(error) !== 'product_category_name_key') return undefined;
  return new RefusedInput('name', {
    en: 'A product of this kind and name exists already.',
    fr: 'Un produit de ce type et de ce nom existe déjà.',
  });
}
