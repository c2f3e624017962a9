import { Injectable } from '@nestjs/common';
import { type Page } from '#http';
import { RefusedInput, retryOnDeadlock } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { In, IsNull } from 'typeorm';
import { EventsService } from '../events/events.service.js';
import type { PreparedImage } from '../images/image-encoding.js';
import { ImagesService } from '../images/images.service.js';
import { PricesService, type NewPrice } from './prices.service.js';
import { Product } from '../entities/product.entity.js';
import { hasFreeOffer } from './free-offer.js';
import { lockProducts } from './product-locks.js';
import { deleteProduct } from './product-removal.js';
import { checkProduct, cleanedTexts, refusalOf } from './product-rules.js';
import { refuseUnlessFree } from './product-kind.js';
import { demandSaleOf, demandSaleUnlessUnpublished, saleableCategories } from '../values/product-module.js';
import { productKinds } from '../values/catalogue-codes.js';
import { refuseMemberships } from '../event-queries/event-products.js';
import { productTexts } from '../values/text-limits.js';
import { loadProducts, type WholeProduct } from './whole-product.js';
import type { NewQuestion } from '../questions/question-rules.js';
import { QuestionsService } from '../questions/questions.service.js';
import { texts } from '../locales/catalogue.texts.js';

type Writable = Omit<Product, 'id' | 'builtIn' | 'saleVersion' | 'createdAt' | 'updatedAt' | 'prices' | 'image'>;
export type NewProduct = Pick<Product, 'name' | 'category'> & Partial<Writable>;

/** A product with related data that is created together with it. */
export type NewWholeProduct = Omit<NewProduct, 'imageId'> & {
  readonly prices?: readonly Omit<NewPrice, 'productId'>[];
  readonly questions?: readonly NewQuestion[];
  /** Events to link it to. */
  readonly eventIds?: readonly string[];
  readonly image?: PreparedImage;
};

/** null removes the image; questions that are not in the list are no longer asked. */
export type ProductChange = Partial<Omit<Writable, 'imageId'>> & {
  readonly image?: PreparedImage | null;
  readonly questions?: readonly NewQuestion[];
  /** Exactly the events to link it to. */
  readonly eventIds?: readonly string[];
};

/** All products, or only public ones: published, and of a category that the tenant can sell. */
export interface ProductQuery {
  readonly publishedOnly?: boolean;
  readonly page?: Page | undefined;
}

/** Manages products of the current tenant, without built-in ones. */
@Injectable()
export class ProductsService {
  constructor(
    private readonly db: TenantDb,
    private readonly prices: PricesService,
    private readonly questions: QuestionsService,
    private readonly events: EventsService,
    private readonly images: ImagesService,
  ) {}

  /** Newest first. @returns also the total number */
  list({ publishedOnly = false, page }: ProductQuery = {}): Promise<{ products: WholeProduct[]; total: number }> {
    const where = {
      builtIn: IsNull(),
      ...(publishedOnly && { published: true, category: In(saleableCategories()) }),
    };
    return this.db.transaction(async (tx) => {
      const rows = await tx.find(Product, {
        where,
        select: { id: true },
        order: { createdAt: 'DESC', id: 'DESC' },
        ...page,
      });
      const ids = rows.map(({ id }) => id);
      const total = page ? await tx.count(Product, { where }) : ids.length;
      return { products: await loadProducts(tx, ids, { publishedOnly }), total };
    });
  }

  /** Finds a product, published or not. */
  find(id: string): Promise<WholeProduct | undefined> {
    return this.db.transaction(async (tx) => (await loadProducts(tx, [id]))[0]);
  }

  /**
   * Creates a product with its prices, image and events, all or nothing. A free product without a published free price gets one.
   * @throws RefusedInput on name or category, and on `prices/<index>/…`, `questions/<index>/…`; UnknownIds on eventIds; RefusedProduct
   * `exists`, `cashless_taken`
   * @throws Problem 403 `tenant.module`
   */
  create(input: NewWholeProduct): Promise<WholeProduct> {
    return retryOnDeadlock(() => this.db.transactionOnce((tx) => this.createWholeIn(tx, input)));
  }

  /** @throws as `create` */
  async createWholeIn(tx: Tx, { prices = [], questions = [], eventIds = [], image, ...product }: NewWholeProduct): Promise<WholeProduct> {
    if (productKinds[product.category] === 'membership') refuseMemberships('eventIds', eventIds);
    const imageId = image ? await this.images.storeIn(tx, image) : null;
    const memberships = prices.map(({ requiredMembershipId }) => requiredMembershipId);
    await lockProducts(tx, { memberships });
    const { id, category } = await this.createIn(tx, { ...product, imageId });
    for (const [index, price] of prices.entries()) await this.offer(tx, { ...price, productId: id }, index);
    if (category === 'F') await this.offerForFree(tx, id);
    await this.events.sellIn(tx, eventIds, id);
    if (questions.length > 0) await this.questions.defineIn(tx, id, questions);
    return (await loadProducts(tx, [id]))[0] as WholeProduct;
  }

  /** Creates the product alone. @throws RefusedInput on name or category; RefusedProduct; Problem 403 `tenant.module` */
  async createIn(tx: Tx, input: NewProduct): Promise<Product> {
    const product = cleanedTexts(input, productTexts);
    checkProduct(product);
    demandSaleOf(product.category);
    try {
      const { identifiers } = await tx.insert(Product, product);
      return await tx.findOneByOrFail(Product, { id: (identifiers[0] as { id: string }).id });
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }

  /**
   * Changes a product.
   * @param underLock sees the product while it is locked; an error that it throws cancels the change
   * @returns the updated product; undefined when there is no such product
   * @throws RefusedInput; UnknownIds on eventIds; RefusedProduct `exists`, `cashless_taken`; Problem 403 `tenant.module`; what
   * `underLock` throws
   */
  update(
    id: string,
    { image, questions, eventIds, ...given }: ProductChange,
    underLock?: (current: WholeProduct) => void,
  ): Promise<WholeProduct | undefined> {
    const change = cleanedTexts(given, productTexts);
    return this.changing(async (tx) => {
      const product = await this.lock(tx, id, underLock);
      if (!product) return undefined;
      checkProduct({ ...product, ...change });
      demandSaleUnlessUnpublished(change.category ?? product.category, product, change);
      await refuseUnlessFree(tx, product, change.category ?? product.category);
      const picture = image === undefined ? {} : { imageId: image && (await this.images.storeIn(tx, image)) };
      const columns = { ...change, ...picture };
      // Before the product: a change of its category locks events, and bookings lock questions before the event.
      if (questions) await this.questions.defineIn(tx, id, questions);
      try {
        if (Object.keys(columns).length > 0) await tx.update(Product, { id }, { ...columns, updatedAt: () => 'now()' });
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
      if (image !== undefined && product.imageId) await this.images.removeIn(tx, product.imageId);
      if (change.category === 'F') await this.offerForFree(tx, id);
      if (eventIds) await this.events.sellOnlyIn(tx, eventIds, id);
      return (await loadProducts(tx, [id]))[0];
    });
  }

  /**
   * Deletes a product that nobody bought, with its prices and image.
   * @returns false when there is no such product
   * @throws RefusedProduct `sold`, `required`; what `underLock` throws
   */
  remove(id: string, underLock: (current: WholeProduct) => void): Promise<boolean> {
    return this.changing(async (tx) => {
      const product = await this.lock(tx, id, underLock);
      if (!product) return false;
      await this.events.sellOnlyIn(tx, [], id);
      await deleteProduct(tx, product);
      if (product.imageId) await this.images.removeIn(tx, product.imageId);
      return true;
    });
  }

  private async lock(tx: Tx, id: string, underLock?: (current: WholeProduct) => void): Promise<Product | undefined> {
    const product = await tx.findOne(Product, {
      where: { id, builtIn: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    if (!product) return undefined;
    if (underLock) for (const current of await loadProducts(tx, [id])) underLock(current);
    return product;
  }

  private changing<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return retryOnDeadlock(() => this.db.transaction(work));
  }

  private async offer(tx: Tx, price: NewPrice, index: number): Promise<void> {
    try {
      await this.prices.createIn(tx, price);
    } catch (error) {
      throw error instanceof RefusedInput ? error.within(`prices/${index}`) : error;
    }
  }

  /** Ensures that a free product has a published price of zero. */
  private async offerForFree(tx: Tx, productId: string): Promise<void> {
    if (await hasFreeOffer(tx, productId)) return;
    const name = texts.translate(currentTenant().language, 'freeOffer.free');
    await this.prices.createIn(tx, { productId, name, amount: '0.00' });
  }
}
