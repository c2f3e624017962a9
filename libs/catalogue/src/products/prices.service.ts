import { Injectable } from '@nestjs/common';
import { type Page } from '#http';
import { refuseUnlessWhole, RefusedInput, retryOnDeadlock, toCents, violatedConstraint } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { entryRules, subscriptionTypes, vatOf } from '../values/catalogue-codes.js';
import { amountList, amountOf, isAmount } from '../values/price-amounts.js';
import { Price } from '../entities/price.entity.js';
import { passDates } from '../event-queries/pass-dates.js';
import { Product } from '../entities/product.entity.js';
import { refuseLosingFreeOffer } from './free-offer.js';
import { demandSaleOf, demandSaleUnlessUnpublished, saleableCategories } from '../values/product-module.js';
import { lockProducts } from './product-locks.js';
import { deletePrice } from './product-removal.js';
import { cleanedTexts, refuseUnlessName } from './product-rules.js';
import { priceTexts } from '../values/text-limits.js';
import { In, IsNull, Not } from 'typeorm';
import { texts } from '../locales/catalogue.texts.js';

type Writable = Omit<Price, 'id' | 'sold' | 'createdAt' | 'updatedAt' | 'product' | 'requiredMembership'>;
export type NewPrice = Pick<Price, 'productId' | 'name' | 'amount'> & Partial<Writable>;
export type PriceChange = Partial<Writable>;

/** Maximum number of suggested amounts of a free price. */
const mostSuggested = 5;

/** Manages prices of the current tenant's products. */
@Injectable()
export class PricesService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Newest first. `publishedOnly`: only published prices of published products that the tenant's category can sell. @returns also the
   * total number
   */
  list({ publishedOnly = false, page }: { publishedOnly?: boolean; page?: Page | undefined } = {}): Promise<{
    prices: Price[];
    total: number;
  }> {
    const product = {
      builtIn: IsNull(),
      ...(publishedOnly && { published: true, category: In(saleableCategories()) }),
    };
    const where = { product, ...(publishedOnly && { published: true, hidden: false }) };
    return this.db.transaction(async (tx) => {
      const prices = await tx.find(Price, { where, order: { createdAt: 'DESC', id: 'DESC' }, ...page });
      return { prices, total: page ? await tx.count(Price, { where }) : prices.length };
    });
  }

  create(input: NewPrice): Promise<Price> {
    return this.db.transactionOnce((tx) => this.createIn(tx, input));
  }

  /**
   * Creates a price.
   * @throws RefusedInput on productId, name, amount, vat, stock, maxPerUser, subscriptionType, salesUntil, hidden or requiredMembershipId
   * @throws Problem 403 `tenant.module`
   */
  async createIn(tx: Tx, input: NewPrice): Promise<Price> {
    const price = cleanedTexts(input, priceTexts);
    checkPrice(price);
    await lockProducts(tx, { changed: [price.productId], memberships: [price.requiredMembershipId] });
    await demandSale(tx, price.productId);
    await refuseHiddenMembership(tx, price);
    await refuseUnlessMembership(tx, price.requiredMembershipId);
    try {
      // clock_timestamp(), so that prices of one transaction keep their order of creation.
      const columns = { ...written(price), amount: amountOf(price.amount), createdAt: () => 'clock_timestamp()' };
      const { identifiers } = await tx.insert(Price, columns);
      return await tx.findOneByOrFail(Price, { id: (identifiers[0] as { id: string }).id });
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }

  /** Finds a price of that product, published or not. */
  find(productId: string, id: string): Promise<Price | undefined> {
    return this.db.transaction(async (tx) => (await tx.findOneBy(Price, { id, productId, product: { builtIn: IsNull() } })) ?? undefined);
  }

  /**
   * Changes a price.
   * @param underLock sees the price while it is locked; an error that it throws cancels the change
   * @returns the updated price; undefined when there is no such price
   * @throws RefusedInput, also when a free product would lose its last free offer; what `underLock` throws
   */
  update(id: string, given: PriceChange, underLock?: (current: Price) => void): Promise<Price | undefined> {
    const cleaned = cleanedTexts(given, priceTexts);
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const price = await lockPrice(tx, { id }, cleaned);
        if (!price) return undefined;
        underLock?.(price);
        checkPrice({ ...price, ...cleaned });
        const change = {
          ...written(cleaned),
          ...(cleaned.amount !== undefined && { amount: amountOf(cleaned.amount) }),
        };
        await demandSale(tx, change.productId ?? price.productId, (category) => demandSaleUnlessUnpublished(category, price, change));
        await refuseHiddenMembership(tx, { ...price, ...change });
        await refuseLosingFreeOffer(tx, price, change);
        await refuseUnlessMembership(tx, change.requiredMembershipId);
        try {
          if (Object.keys(change).length > 0) await tx.update(Price, { id }, { ...change, updatedAt: () => 'now()' });
        } catch (error) {
          throw refusalOf(error) ?? error;
        }
        return tx.findOneByOrFail(Price, { id });
      }),
    );
  }

  /**
   * Deletes a price without sales.
   * @returns false when the product has no such price
   * @throws RefusedProduct `offer_sold`, `last_free_offer`; what `underLock` throws
   */
  remove(productId: string, id: string, underLock: (current: Price) => void): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const price = await lockPrice(tx, { id, productId });
        if (!price) return false;
        underLock(price);
        await deletePrice(tx, price);
        return true;
      }),
    );
  }
}

/**
 * Locks a price until the transaction ends, behind its product and the products that its change names.
 * @returns undefined when there is none, or when it is the price of a built-in product
 */
async function lockPrice(tx: Tx, where: { id: string; productId?: string }, change: PriceChange = {}): Promise<Price | undefined> {
  const found = await tx.findOne(Price, { where, select: { id: true, productId: true } });
  if (!found) return undefined;
  await lockProducts(tx, { changed: [found.productId, change.productId], memberships: [change.requiredMembershipId] });
  const price = await tx.findOne(Price, { where, lock: { mode: 'pessimistic_write' } });
  if (!price || (await tx.exists(Product, { where: { id: price.productId, builtIn: Not(IsNull()) } }))) return undefined;
  return price;
}

/** Normalises the VAT rate: with a decimal point, codes in capitals. */
function written<Change extends Partial<Writable>>(price: Change): Change {
  const vat = vatOf(price.vat);
  const { suggestedAmounts: suggested, usualAmount: usual } = price;
  return {
    ...price,
    ...(vat !== undefined && { vat }),
    ...(suggested !== undefined && {
      suggestedAmounts: suggested === null ? null : (amountList(suggested, mostSuggested) ?? suggested) || null,
    }),
    ...(usual != null && isAmount(usual) && { usualAmount: amountOf(usual) }),
  };
}

/** @throws RefusedInput on suggestedAmounts or usualAmount */
function checkSuggested({ amount, suggestedAmounts, usualAmount }: Partial<Writable>): void {
  const suggested = suggestedAmounts ? amountList(suggestedAmounts, mostSuggested)?.split(' ') : [];
  if (!suggested) throw new RefusedInput('suggestedAmounts', texts.localized('prices.suggested', { most: mostSuggested }));
  const least = toCents(amountOf(amount ?? '0'));
  if (suggested.some((one) => toCents(one) < least)) throw new RefusedInput('suggestedAmounts', texts.localized('prices.suggestedTooLow'));
  if (usualAmount == null) return;
  const isOne = isAmount(usualAmount) && suggested.includes(amountOf(usualAmount));
  if (!isOne) throw new RefusedInput('usualAmount', texts.localized('prices.usual'));
}

function checkPrice(price: Partial<Writable>): void {
  if (!price.productId) throw new RefusedInput('productId', texts.localized('prices.productMissing'));
  refuseUnlessName(price.name, texts.localized('prices.nameMissing'));
  if (!isAmount(price.amount)) {
    throw new RefusedInput('amount', texts.localized('prices.amountInvalid'));
  }
  checkSuggested(price);
  if (vatOf(price.vat ?? 'NA') === undefined) {
    throw new RefusedInput('vat', texts.localized('prices.vatInvalid'));
  }
  refuseUnlessWhole('stock', price.stock, 0);
  refuseUnlessWhole('maxPerUser', price.maxPerUser, 1);
  if (price.subscriptionType && !Object.hasOwn(subscriptionTypes, price.subscriptionType)) {
    throw new RefusedInput('subscriptionType', texts.localized('prices.subscriptionTypeInvalid'));
  }
  if (price.entryRule && !entryRules.includes(price.entryRule)) {
    throw new RefusedInput('entryRule', texts.localized('prices.entryRuleInvalid'));
  }
  if (price.wholeSeries && price.freeAmount) throw new RefusedInput('wholeSeries', texts.localized('prices.passFreeAmount'));
  if (price.wholeSeries && price.hidden) throw neverOpened();
  if (price.passDates != null) checkPassDates(price.passDates, price.wholeSeries);
  const { salesFrom, salesUntil } = price;
  if (salesFrom && salesUntil && salesUntil <= salesFrom) {
    throw new RefusedInput('salesUntil', texts.localized('prices.salesEndFirst'));
  }
}

/** @throws RefusedInput on passDates */
function checkPassDates(count: number, isPass = false): void {
  if (!isPass) throw new RefusedInput('passDates', texts.localized('prices.passOfOneDate'));
  if (Number.isInteger(count) && count >= passDates.fewest && count <= passDates.most) return;
  throw new RefusedInput('passDates', texts.localized('prices.passDates', passDates));
}

/** Checks that the required product is a membership, and locks it so that it stays one until the price is written. */
async function refuseUnlessMembership(tx: Tx, id: string | null | undefined): Promise<void> {
  if (!id) return;
  const product = await tx.findOne(Product, {
    where: { id },
    select: { id: true, category: true },
    lock: { mode: 'pessimistic_read' },
  });
  if (product?.category === 'A') return;
  throw new RefusedInput('requiredMembershipId', texts.localized('prices.unknownMembership'));
}

/** A code opens hidden prices of tickets and goods only. */
const neverOpened = (): RefusedInput => new RefusedInput('hidden', texts.localized('prices.neverOpened'));

/** @throws RefusedInput on hidden */
async function refuseHiddenMembership(tx: Tx, { productId, hidden }: Pick<NewPrice, 'productId' | 'hidden'>): Promise<void> {
  if (hidden && (await tx.exists(Product, { where: { id: productId, category: 'A' } }))) throw neverOpened();
}

/** The foreign key refuses an unknown product. @throws RefusedInput on productId when it is built in; Problem 403 `tenant.module` */
async function demandSale(tx: Tx, productId: string, demand = demandSaleOf): Promise<void> {
  const product = await tx.findOne(Product, {
    where: { id: productId },
    select: { id: true, category: true, builtIn: true },
  });
  if (product?.builtIn) throw noSuchProduct();
  if (product) demand(product.category);
}

function refusalOf(error: unknown): RefusedInput | undefined {
  if (violatedConstraint(error) !== 'price_product_id_fkey') return undefined;
  return noSuchProduct();
}

function noSuchProduct(): RefusedInput {
  return new RefusedInput('productId', texts.localized('prices.unknownProduct'));
}
