import { isShownSql, eventIsOverSql, isKindSql, saleStateSql, type AssumedDuration, type Image } from '#catalogue';
import { grouped } from '#kernel';
import type { Tx } from '#tenancy';
import { freeGoodsSql } from './remaining.js';

/** Goods that are sold on the pages, and handed out at an event. */
export interface GoodsOnSale {
  readonly productId: string;
  readonly product: string;
  /** null: none. */
  readonly description: string | null;
  readonly image: Pick<Image, 'id' | 'width' | 'height'> | null;
  readonly prices: readonly GoodsPrice[];
  /** The next public events that they are sold for, at most 20; never empty. */
  readonly events: readonly GoodsEvent[];
}

export interface GoodsPrice {
  readonly id: string;
  readonly productId: string;
  readonly name: string;
  /** Decimal text. */
  readonly amount: `${number}`;
  /** The buyer chooses the amount; `amount` is the minimum. */
  readonly freeAmount: boolean;
  readonly maxPerUser: number | null;
  /** What is left for all events; null: no limit. */
  readonly left: number | null;
  /** Name of the membership that the buyer must have; null: none. */
  readonly membership: string | null;
}

export interface GoodsEvent {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  /** Whether a buyer who reserves now may pay at the venue. */
  readonly payAtVenue: boolean;
}

type EventRow = GoodsEvent & Omit<GoodsOnSale, 'prices' | 'events'>;

/** SQL: whether a buyer who reserves for the event now may pay at the venue. */
const payAtVenueSql = `coalesce((select event.starts_at - make_interval(hours => pay_at_venue_hours) > statement_timestamp()
  from configuration), false)`;

/** SQL: goods with the public events that they are sold for. @param schema prefix of the tables */
const soldSql = (assumed: AssumedDuration, schema = ''): string => `${schema}event_product sold
  join ${schema}event on event.id = sold.event_id join ${schema}product on product.id = sold.product_id
  where event.published and not event.is_private and event.same_as is null and not ${eventIsOverSql('event', assumed)}
    and product.published and ${isKindSql('product.category', 'goods')}
    and exists (select 1 from ${schema}price where price.product_id = product.id and ${isShownSql('price')}
      and ${saleStateSql('price')} = 'open')`;

/** SQL: whether goods are sold on the pages. @param schema prefix of the tables */
export function sellsGoodsSql(assumed: AssumedDuration, schema: string): string {
  return `exists (select 1 from ${soldSql(assumed, schema)})`;
}

/** The goods whose sale is open, at most 50 products, by name. */
export async function goodsOnSale(tx: Tx, assumed: AssumedDuration): Promise<GoodsOnSale[]> {
  const rows = await tx.query<EventRow[]>(
    `select * from (
       select product.id as "productId", product.name as product, left(product.short_description, 500) as description,
         (select json_build_object('id', image.id, 'width', image.width, 'height', image.height) from image
           where image.id = product.image_id) as image,
         event.id, event.slug, event.name, event.starts_at as "startsAt", event.ends_at as "endsAt",
         ${payAtVenueSql} as "payAtVenue",
         row_number() over (partition by product.id order by event.starts_at, event.id) as place,
         dense_rank() over (order by product.name, product.id) as rank
       from ${soldSql(assumed)}) as found
     where place <= 20 and rank <= 50 order by rank, place`,
  );
  const byProduct = grouped(rows, ({ productId }) => productId);
  const prices = await tx.query<(GoodsPrice & { stock: number | null })[]>(
    `select price.id, product.id as "productId", price.name, price.amount::text as amount, price.free_amount as "freeAmount",
       price.max_per_user as "maxPerUser", required.name as membership,
       ${freeGoodsSql('price')} as stock
     from product join price on price.product_id = product.id left join product required on required.id = price.required_membership_id
     where product.id = any($1::uuid[]) and ${isShownSql('price')} and ${saleStateSql('price')} = 'open'
     order by price.amount desc, price.created_at, price.id limit 500`,
    [[...byProduct.keys()]],
  );
  const pricesOf = grouped(prices, ({ productId }) => productId);
  return [...byProduct].map(([productId, events]) => {
    const { product, description, image } = events[0] as EventRow;
    const own = (pricesOf.get(productId) ?? []).map(({ stock, ...price }) => ({
      ...price,
      left: stock === null ? null : Math.max(0, stock),
    }));
    return { productId, product, description, image, prices: own, events };
  });
}
