import { Injectable } from '@nestjs/common';
import { refuseUnlessWhole, RefusedInput, violatedConstraint } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { subscriptionTypes, vatRates } from './catalogue-codes.js';
import { Price } from './price.entity.js';

type Writable = Omit<Price, 'id' | 'sold' | 'createdAt' | 'product' | 'requiredMembership'>;
export type NewPrice = Pick<Price, 'productId' | 'name' | 'amount'> & Partial<Writable>;

/** Prices of the current tenant's products. */
@Injectable()
export class Prices {
  constructor(private readonly db: TenantDb) {}

  create(input: NewPrice): Promise<Price> {
    return this.db.transaction((tx) => this.createIn(tx, input));
  }

  /** @throws RefusedInput on productId, name, amount, vat, stock, maxPerUser, subscriptionType or requiredMembershipId */
  async createIn(tx: Tx, input: NewPrice): Promise<Price> {
    checkPrice(input);
    try {
      const { identifiers } = await tx.insert(Price, { ...input, amount: normalized(input.amount) });
      return await tx.findOneByOrFail(Price, { id: (identifiers[0] as { id: string }).id });
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }

  /** @throws RefusedInput; false when there is no such price */
  update(id: string, change: Partial<Writable>): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const price = await tx.findOne(Price, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!price) return false;
      checkPrice({ ...price, ...change });
      const amount = change.amount === undefined ? {} : { amount: normalized(change.amount) };
      try {
        if (Object.keys(change).length > 0) await tx.update(Price, { id }, { ...change, ...amount });
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
      return true;
    });
  }
}

/** `12`, `12.5`, `12,50` → `12.50`, without a float in between. */
function normalized(amount: string): string {
  const [whole = '0', cents = ''] = amount.trim().replace(',', '.').split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}

function checkPrice(price: Partial<Writable>): void {
  if (!price.productId)
    throw new RefusedInput('productId', { en: 'Choose the product.', fr: 'Choisissez le produit.' });
  if (!price.name?.trim())
    throw new RefusedInput('name', { en: 'Give the price a name.', fr: 'Donnez un nom au tarif.' });
  if (!/^\d{1,8}([.,]\d{1,2})?$/.test((price.amount ?? '').trim())) {
    throw new RefusedInput('amount', { en: 'Write an amount such as 12.50.', fr: 'Écrivez un montant tel que 12,50.' });
  }
  const vat = price.vat ?? 'NA';
  if (!Object.hasOwn(vatRates, vat) && !/^\d{1,2}(\.\d{1,2})?$/.test(vat)) {
    throw new RefusedInput('vat', {
      en: 'Write NA, a VAT code, or a rate such as 5.5.',
      fr: 'Écrivez NA, un code de TVA ou un taux tel que 5.5.',
    });
  }
  refuseUnlessWhole('stock', price.stock, 0);
  refuseUnlessWhole('maxPerUser', price.maxPerUser, 1);
  if (price.subscriptionType && !Object.hasOwn(subscriptionTypes, price.subscriptionType)) {
    throw new RefusedInput('subscriptionType', {
      en: 'Choose yearly, monthly or none.',
      fr: 'Choisissez annuelle, mensuelle ou aucune.',
    });
  }
}

function refusalOf(error: unknown): RefusedInput | undefined {
  switch (violatedConstraint(error)) {
    case 'price_product_id_fkey':
      return new RefusedInput('productId', { en: 'There is no such product.', fr: "Ce produit n'existe pas." });
    case 'price_required_membership_id_fkey':
      return new RefusedInput('requiredMembershipId', {
        en: 'There is no such product.',
        fr: "Ce produit n'existe pas.",
      });
    default:
      return undefined;
  }
}
