import { Injectable } from '@nestjs/common';
import { retryOnDeadlock } from '#kernel';
import { currentTenant, hasModule, TenantDb, type Tx } from '#tenancy';
import { loadWhole, type WholeEvent } from '../event-data/whole-event.js';
import { productsOf } from '../event-queries/event-products.js';
import type { NewEvent } from '../events/event-change.js';
import { refusing } from '../events/event-rules.js';
import { EventsService } from '../events/events.service.js';
import { GalleriesService } from '../galleries/galleries.service.js';
import { ImagesService } from '../images/images.service.js';
import { loadProducts, type WholeProduct } from '../products/whole-product.js';
import { productKinds } from '../values/catalogue-codes.js';
import { copiedTimes, type Times } from '../events/event-times.js';
import { copyOf, movedTimes } from './event-copy.js';
import { ProductCopiesService } from './product-copies.service.js';

/** How much later a copy of an event starts. */
export type EventStep = 'day' | 'week' | 'month';

interface CopiedEvent {
  readonly step: EventStep;
  /** Default: unpublished. */
  readonly published?: boolean;
}

/** Copies events to later local times, with their products, options, tags, address and pictures. */
@Injectable()
export class EventCopiesService {
  constructor(
    private readonly db: TenantDb,
    private readonly events: EventsService,
    private readonly products: ProductCopiesService,
    private readonly images: ImagesService,
    private readonly galleries: GalleriesService,
  ) {}

  /**
   * Copies an event once, as an event of its own, which belongs to no series.
   * @returns undefined when there is no such event
   * @throws RefusedEvent `exists`
   */
  copy(id: string, { step, published = false }: CopiedEvent): Promise<WholeEvent | undefined> {
    return retryOnDeadlock(() =>
      this.db.transactionOnce((tx) =>
        refusing(
          (async () => {
            const [event] = await loadWhole(tx, [id]);
            if (!event) return undefined;
            const times = await copiedTimes(tx, event, currentTenant().timeZone, 'select begins + $5::interval as starts from original', [
              `1 ${step}`,
            ]);
            return (await this.copiesIn(tx, event, times, { published }))[0];
          })(),
        ),
      ),
    );
  }

  /**
   * Copies an event to each of these times. Products without sale windows are shared with the original; those with one are copied, and
   * their windows move as far as the event. Products and options are copied only where the tenant's category sells tickets.
   * @throws as `copy`
   */
  async copiesIn(tx: Tx, event: WholeEvent, times: readonly Times[], own: Pick<NewEvent, 'published' | 'seriesId'>): Promise<WholeEvent[]> {
    const sold = await this.soldFor(tx, event.id);
    const copies: WholeEvent[] = [];
    for (const each of times) copies.push(await this.insert(tx, event, { ...copyOf(event, each), ...own }, sold));
    return copies;
  }

  /** The products that a copy of an event shares with it, and those of which it gets its own. */
  async plan(id: string): Promise<{ readonly shared: readonly string[]; readonly own: readonly string[] }> {
    const products = await this.db.transaction((tx) => this.soldFor(tx, id));
    const named = (own: boolean): string[] => products.filter((product) => hasWindow(product) === own).map(({ name }) => name);
    return { shared: named(false), own: named(true) };
  }

  private async soldFor(tx: Tx, id: string): Promise<WholeProduct[]> {
    return hasModule('ticketing') ? loadProducts(tx, await productsOf(tx, id)) : [];
  }

  private async insert(tx: Tx, event: WholeEvent, input: NewEvent, sold: readonly WholeProduct[]): Promise<WholeEvent> {
    const copied = async (imageId: string | null): Promise<string | null> => imageId && this.images.copyIn(tx, imageId);
    const pictures = { imageId: await copied(event.imageId), stickerImageId: await copied(event.stickerImageId) };
    const copy = await this.events.createIn(tx, { ...input, ...pictures });
    await this.galleries.copyIn(tx, event.id, copy.id);
    const productIds: string[] = [];
    for (const product of sold) productIds.push(hasWindow(product) ? await this.ownOf(tx, product, event, copy) : product.id);
    await this.events.linkProducts(tx, copy.id, productIds);
    return copy;
  }

  /** A copy of a product for a copy of an event, with the sale windows moved. */
  private async ownOf(tx: Tx, product: WholeProduct, event: WholeEvent, copy: WholeEvent): Promise<string> {
    const times = product.prices.flatMap(({ salesFrom, salesUntil }) => [salesFrom, salesUntil]);
    const moved = await movedTimes(tx, times, { from: event.startsAt, to: copy.startsAt, timeZone: currentTenant().timeZone });
    const windows = new Map(product.prices.map(({ id }, index) => [id, [moved[2 * index] ?? null, moved[2 * index + 1] ?? null] as const]));
    const { id } = await this.products.copyIn(tx, product, copy.startsAt, (price) => {
      const [salesFrom, salesUntil] = windows.get(price.id) ?? [null, null];
      return { salesFrom, salesUntil };
    });
    return id;
  }
}

/** The stock of goods is one for all events, so that they are always shared. */
function hasWindow({ category, prices }: WholeProduct): boolean {
  return productKinds[category] === 'admission' && prices.some(({ salesFrom, salesUntil }) => salesFrom !== null || salesUntil !== null);
}
