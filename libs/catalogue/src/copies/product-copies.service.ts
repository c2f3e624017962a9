import { Injectable } from '@nestjs/common';
import { momentWords, RefusedInput, retryOnDeadlock } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { Price } from '../entities/price.entity.js';
import { Product } from '../entities/product.entity.js';
import { lockEventByKey } from '../event-data/event-key.js';
import { EventsService } from '../events/events.service.js';
import { ImagesService } from '../images/images.service.js';
import { texts } from '../locales/catalogue.texts.js';
import { PricesService } from '../products/prices.service.js';
import { ProductsService } from '../products/products.service.js';
import { loadProducts, type WholeProduct } from '../products/whole-product.js';
import { QuestionsService } from '../questions/questions.service.js';
import { productKinds } from '../values/catalogue-codes.js';
import { productTexts } from '../values/text-limits.js';
import { refusing } from '../events/event-rules.js';

/** What differs between a price and its copy. */
export type OwnOfCopy = (price: Price) => Partial<Pick<Price, 'stock' | 'salesFrom' | 'salesUntil'>>;

/** A copy of a product: the ids of product and prices, each as original and copy. */
export interface ProductCopy {
  readonly originalId: string;
  readonly id: string;
  readonly priceIds: ReadonlyMap<string, string>;
}
/** Copies what other libs keep about a product, in the same transaction. */
export type ProductFollower = (tx: Tx, copy: ProductCopy) => Promise<void>;

/** Copies products with their prices, questions and pictures, so that an event can have its own. */
@Injectable()
export class ProductCopiesService {
  private readonly followers: ProductFollower[] = [];

  constructor(
    private readonly db: TenantDb,
    private readonly events: EventsService,
    private readonly products: ProductsService,
    private readonly prices: PricesService,
    private readonly questions: QuestionsService,
    private readonly images: ImagesService,
  ) {}

  /** Registers what also copies; call it when the module is initialised. */
  follow(follower: ProductFollower): void {
    this.followers.push(follower);
  }

  /**
   * Copies a product for an event. The copy has the date of the event in its name, because names of products differ.
   */
  async copyIn(tx: Tx, product: WholeProduct, startsAt: Date, own: OwnOfCopy): Promise<ProductCopy> {
    const { category, shortDescription, longDescription, termsAndConditions, published, autoRenewal } = product;
    const { id } = await this.products.createIn(tx, {
      name: await freeName(tx, product, startsAt),
      category,
      shortDescription,
      longDescription,
      termsAndConditions,
      published,
      autoRenewal,
      imageId: product.imageId && (await this.images.copyIn(tx, product.imageId)),
    });
    const priceIds = new Map<string, string>();
    for (const price of product.prices) {
      const { id: priceId, sold: _, createdAt: __, updatedAt: ___, product: ____, requiredMembership: _____, ...columns } = price;
      priceIds.set(priceId, (await this.prices.createIn(tx, { ...columns, ...own(price), productId: id })).id);
    }
    const questions = product.questions.map(({ name, label, help, kind, scope, required, choices }) => {
      return { name, label, help, kind, scope, required, choices };
    });
    if (questions.length > 0) await this.questions.defineIn(tx, id, questions);
    const copy = { originalId: product.id, id, priceIds };
    for (const follower of this.followers) await follower(tx, copy);
    return copy;
  }

  /**
   * Gives an event its own copy of a product that several events sell. Tickets that were sold keep their price; what is left of a stock is
   * the stock of the copy.
   * @returns the copy of that price; undefined when there is no such price or event
   * @throws RefusedInput on eventId
   */
  split(priceId: string, eventId: string): Promise<string | undefined> {
    return retryOnDeadlock(() =>
      this.db.transactionOnce((tx) =>
        refusing(
          (async () => {
            // Nobody takes places of the event until the end, so that the stock is divided rightly.
            const event = await lockEventByKey(tx, eventId, 'for_no_key_update');
            const price = await tx.findOneBy(Price, { id: priceId });
            const [product] = price ? await loadProducts(tx, [price.productId]) : [];
            if (!event || !product) return undefined;
            await this.refuseSplit(tx, product, event.id);
            const sold = await soldFor(tx, event.id, product);
            const { id, priceIds } = await this.copyIn(tx, product, event.startsAt, ({ id: original, stock }) => {
              return { stock: stock === null ? null : Math.max(0, stock - (sold.get(original) ?? 0)) };
            });
            await this.events.replaceProductIn(tx, event.id, product.id, id);
            return priceIds.get(priceId);
          })(),
        ),
      ),
    );
  }

  private async refuseSplit(tx: Tx, product: WholeProduct, eventId: string): Promise<void> {
    const refuse = (sentence: keyof typeof sentences): never => {
      throw new RefusedInput('eventId', sentences[sentence]);
    };
    if (productKinds[product.category] !== 'admission') refuse('admissionOnly');
    if (!product.events.some(({ id }) => id === eventId)) refuse('notSold');
    if (product.events.length < 2) refuse('notShared');
    // The rows belong to booking; the catalogue only checks whether there are any.
    const [row] = await tx.query<{ waits: boolean }[]>(
      `select exists (select 1 from waiting_entry where event_id = $1 and price_id = any($2) and ended_at is null) as waits`,
      [eventId, product.prices.map(({ id }) => id)],
    );
    if (row?.waits) refuse('waitedFor');
  }
}

const sentences = {
  admissionOnly: texts.localized('copies.admissionOnly'),
  notSold: texts.localized('copies.notSold'),
  notShared: texts.localized('copies.notShared'),
  waitedFor: texts.localized('copies.waitedFor'),
} as const;

/** Tickets of each price that count against its stock for an event. */
async function soldFor(tx: Tx, eventId: string, { prices }: WholeProduct): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ priceId: string; sold: number }[]>(
    'select price_id as "priceId", sold from event_price where event_id = $1 and price_id = any($2)',
    [eventId, prices.map(({ id }) => id)],
  );
  return new Map(rows.map(({ priceId, sold }) => [priceId, sold]));
}

/** `Entry · 21/05/2027`, in place of the date of another copy; a second one of the day also has a number. */
async function freeName(tx: Tx, { name, category }: Product, startsAt: Date): Promise<string> {
  const { language, timeZone } = currentTenant();
  const day = momentWords(startsAt, language, timeZone, { day: '2-digit', month: '2-digit', year: 'numeric' });
  const base = name.replace(/ · \d[\d./ -]{7,}( \(\d+\))?$/, '').slice(0, productTexts.name - 30);
  for (let number = 1; ; number += 1) {
    const wanted = `${base} · ${day}${number > 1 ? ` (${number})` : ''}`;
    if (!(await tx.exists(Product, { where: { name: wanted, category } }))) return wanted;
  }
}
