import { Inject, Injectable } from '@nestjs/common';
import {
  eventIsOverSql,
  isKindSql,
  loadQuestions,
  saleStateSql,
  soldForEventsSql,
  takesVolunteersSql,
  type Question,
  type SaleState,
} from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { freePlacesSql } from '../places/free-places.js';
import { goodsOnSale, type GoodsOnSale } from './goods-on-sale.js';
import { leftOf, remainingOf } from './remaining.js';
import { waitingCountSql } from './waiting.js';

/** An event that can currently be booked. */
export interface EventOnSale {
  readonly id: string;
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly place: string | null;
  /** Free places, including those of expired holds. */
  readonly remaining: number;
}

/** A price at which an event can currently be booked. */
export interface PriceOnSale {
  readonly id: string;
  readonly name: string;
  readonly productId: string;
  readonly product: string;
  /** Decimal text. */
  readonly amount: string;
  /** The buyer chooses the amount; `amount` is the minimum. */
  readonly freeAmount: boolean;
  /** Remaining stock of the price or, for admission, remaining places of the event, whichever is less; null: no limit. Whoever waits. */
  readonly remaining: number | null;
  /** Whether it is for admission. */
  readonly admits: boolean;
  readonly maxPerUser: number | null;
  /** A pass for several dates: it costs this amount for each of them, and a sale for one event sells one date. */
  readonly isPass: boolean;
  /** Name of the membership that the buyer must have. */
  readonly membership: string | null;
  /** The state of its sale on the public pages; staff sell it at any time. */
  readonly sale: SaleState;
  readonly salesFrom: Date | null;
  readonly salesUntil: Date | null;
}

export interface OptionOnSale {
  readonly id: string;
  readonly name: string;
  readonly kind: 'radio' | 'checkbox';
}

export interface Sale {
  readonly event: EventOnSale & {
    readonly maxPerUser: number | null;
    /** People on its waiting list, who come first; staff may sell before them. */
    readonly waiting: number;
  };
  readonly prices: readonly PriceOnSale[];
  readonly options: readonly OptionOnSale[];
  /** Questions of the products, in order. */
  readonly questions: readonly Question[];
}

const sellsSomething = `(${takesVolunteersSql('event')} or exists (select 1 from event_product
  join product on product.id = event_product.product_id
  join price on price.product_id = product.id
  where event_product.event_id = event.id and product.published and not ${isKindSql('product.category', 'membership')}
  and price.published))`;

const eventColumns = `event.id, event.name, event.starts_at as "startsAt", event.ends_at as "endsAt", event.max_per_user as "maxPerUser",
  coalesce(place.name, place.street_address || ', ' || place.address_locality) as place,
  greatest(0, ${freePlacesSql('event')}) as remaining`;

/** Lists events and prices that can currently be booked, and goods, for the box office and the public pages. */
@Injectable()
export class OnSaleService {
  private readonly onSale: string;

  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.onSale = `event left join postal_address place on place.id = event.postal_address_id
      where event.published and not ${eventIsOverSql('event', settings)} and ${sellsSomething}`;
  }

  /** Bookable events, ordered by start. */
  events(limit: number): Promise<EventOnSale[]> {
    return this.db.transaction((tx) =>
      tx.query<EventOnSale[]>(`select ${eventColumns} from ${this.onSale} order by event.starts_at, event.id limit $1`, [limit]),
    );
  }

  /** Goods that buyers on the public pages can buy for an event, by product. */
  goods(): Promise<GoodsOnSale[]> {
    return this.db.transaction((tx) => goodsOnSale(tx, this.settings));
  }

  /** @returns undefined when the event does not exist, is not published, is over, or sells nothing */
  sale(eventId: string): Promise<Sale | undefined> {
    return this.db.transaction(async (tx) => {
      const [event] = await tx.query<Sale['event'][]>(
        `select ${eventColumns}, ${waitingCountSql('event')} as waiting from ${this.onSale} and event.id = $1`,
        [eventId],
      );
      if (!event) return undefined;
      const [prices, places] = await pricesOf(tx, eventId);
      const options = await tx.query<OptionOnSale[]>(
        'select id, name, kind from event_option where event_id = $1 and published order by kind desc, position, id',
        [eventId],
      );
      const questions = await loadQuestions(tx, [...new Set(prices.map(({ productId }) => productId))]);
      return { event: { ...event, remaining: places }, prices, options, questions };
    });
  }
}

/** Prices, admission first, then by descending amount and in the order in which they were entered; and the event's free places. */
async function pricesOf(tx: Tx, eventId: string): Promise<[PriceOnSale[], number]> {
  const prices = await tx.query<Omit<PriceOnSale, 'remaining' | 'admits'>[]>(
    `select price.id, price.name, price.product_id as "productId", product.name as product, price.amount,
     price.free_amount as "freeAmount", price.max_per_user as "maxPerUser", price.whole_series as "isPass", required.name as membership,
     ${saleStateSql('price')} as sale, price.sales_from as "salesFrom", price.sales_until as "salesUntil"
     from ${soldForEventsSql()} sold join product on product.id = sold.product_id join price on price.product_id = product.id
     left join product required on required.id = price.required_membership_id
     where sold.event_id = $1 and product.published and not ${isKindSql('product.category', 'membership')} and price.published
     order by not ${isKindSql('product.category', 'admission')}, price.required_membership_id nulls first, price.amount desc,
     price.created_at, price.id`,
    [eventId],
  );
  const left = await leftOf(
    tx,
    eventId,
    prices.map(({ id }) => id),
    true,
  );
  const leftById = new Map(left.prices.map((price) => [price.priceId, price]));
  const onSaleNow = prices.flatMap((price): PriceOnSale[] => {
    const stock = leftById.get(price.id);
    return stock ? [{ ...price, remaining: remainingOf(stock, left.places), admits: stock.admits }] : [];
  });
  return [onSaleNow, Math.max(0, left.places)];
}
