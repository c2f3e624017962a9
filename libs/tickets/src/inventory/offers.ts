import {
  eventEndSql,
  eventIsOverSql,
  isKindSql,
  isPostponedSql,
  nextSaleChangeSql,
  productKinds,
  saleStateSql,
  soldForEventsSql,
  takesVolunteersSql,
  vatRateSql,
  type AssumedDuration,
  type EventCategory,
  type ProductCategory,
  type Question,
  type SaleState,
} from '#catalogue';
import { RefusedInput, violatedConstraint } from '#kernel';
import { queryPrepared, type PreparedStatement, type SentStatement, type Tx } from '#tenancy';
import type { Code } from '../entities/code.entity.js';
import { askedSql } from '../answers/answer-rows.js';
import { discountsVersionSql, nextDiscountChangeSql, openDiscountsSql, type OfferedDiscount } from '../discounts/offered-discounts.js';
import { currentKeySql, type SealedKey } from '../signing/signing-keys.service.js';
import { texts } from '../locales/tickets.texts.js';
import { keptPlacesSql } from '../places/code-uses.js';
import { openPlacesSql } from '../places/free-places.js';

/** A price as it is at the time of the booking. */
export interface OfferedPrice {
  readonly id: string;
  readonly productId: string;
  readonly name: string;
  /** Name of its product. */
  readonly product: string;
  /** Decimal text. */
  readonly amount: string;
  readonly freeAmount: boolean;
  /** In percent, decimal text. */
  readonly vatRate: string | null;
  readonly maxPerUser: number | null;
  readonly requiredMembershipId: string | null;
  /** Sold for all remaining dates of a series together. */
  readonly wholeSeries: boolean;
  readonly published: boolean;
  /** Only a code that names it opens it. */
  readonly hidden: boolean;
  readonly sale: SaleState;
  /** Start of the sale; null: it has always been open. */
  readonly salesFrom: Date | null;
  readonly category: ProductCategory;
  /** Whether its product is sold for the event. */
  readonly linked: boolean;
}

export interface OfferedEvent {
  readonly id: string;
  readonly name: string;
  readonly category: EventCategory;
  readonly startsAt: Date;
  readonly published: boolean;
  readonly isPostponed: boolean;
  readonly isOver: boolean;
  readonly maxPerUser: number | null;
  /** Free places by the counters, with those that the code keeps; negative when a capacity was lowered below what is booked. */
  readonly places: number;
}

export interface OfferedOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'radio' | 'checkbox';
}

/** A code as it is at the time of the booking. Its uses are counted where they are taken. */
export interface OfferedCode extends Pick<
  Code,
  'id' | 'effect' | 'value' | 'appliesTo' | 'priceIds' | 'productIds' | 'eventIds' | 'disabled' | 'version'
> {
  /** Of the places of the event, those that it keeps and nobody has taken yet. */
  readonly kept: number;
  /** Whether it can be used by now. */
  readonly time: 'early' | 'now' | 'late';
}

/** What an event sells, as a sale reads it before it writes. */
export interface Offer {
  readonly event: OfferedEvent;
  readonly prices: ReadonlyMap<string, OfferedPrice>;
  /** Questions that the products of the prices ask, by position. */
  readonly questions: readonly Question[];
  /** The code that was asked for; null: none, or there is no such code. */
  readonly code: OfferedCode | null;
  /** Those that are given now at the event, the oldest first. */
  readonly discounts: readonly OfferedDiscount[];
  /** Published options of the event, by name. */
  readonly options: readonly OfferedOption[];
  /** The key that signs new tickets. */
  readonly signingKey: SealedKey | undefined;
  /** The database's clock when it was read. */
  readonly now: Date;
  /** When a sale begins or ends, or the event is over; null: never. From then on the offer is to be read again. */
  readonly changesAt: Date | null;
  readonly versions: OfferVersions;
}

/** The database raises them with each change of what an offer shows (`event.sale_version`, `product.sale_version`). */
export interface OfferVersions {
  readonly event: number;
  /** By the id of the product. */
  readonly products: ReadonlyMap<string, number>;
  /** One for all discounts; each change raises it. */
  readonly discounts: number;
}

/** What can tell two offers of a tenant apart. */
export interface WantedOffer {
  readonly eventId: string;
  readonly priceIds: readonly string[];
  /** A code as `codeKey` writes it. */
  readonly code?: string | undefined;
}

type OfferRow = OfferedEvent &
  Pick<Offer, 'options' | 'now' | 'changesAt' | 'code' | 'discounts'> & {
    readonly discountsVersion: number;
    readonly prices: readonly (Omit<OfferedPrice, 'salesFrom'> & { readonly salesFrom: string | null; readonly version: number })[];
    readonly questions: readonly (Question & { readonly createdAt: string })[];
    readonly keyId: number | null;
    readonly sealed: Buffer;
    readonly version: number;
  };

/** SQL: when a code begins or ends to be valid next; null: never. */
const nextCodeChangeSql = `case when valid_from > statement_timestamp() then valid_from
  when valid_until > statement_timestamp() then valid_until end`;

/** The event `$1`, if it exists, with the prices `$2` and the code `$3`. */
const offerSql = (assumed: AssumedDuration): string => `with
  asked as (${askedSql('select product_id from price where id = any($2)')}),
  offered as (
    select price.id, price.product_id as "productId", price.name, product.name as product, price.amount::text,
      price.free_amount as "freeAmount", ${vatRateSql('price.vat')}::text as "vatRate",
      price.max_per_user as "maxPerUser", price.required_membership_id as "requiredMembershipId",
      price.whole_series as "wholeSeries",
      price.published and product.published as published, price.hidden, product.category, ${saleStateSql('price')} as sale,
      price.sales_from as "salesFrom", ${nextSaleChangeSql('price')} as changes, product.sale_version as version,
      (event_product.event_id is not null or (product.built_in = 'volunteering'
        and exists (select 1 from event where event.id = $1 and ${takesVolunteersSql('event')}))) as linked
    from price join product on product.id = price.product_id
    left join event_product on event_product.product_id = product.id and event_product.event_id = $1
    where price.id = any($2)),
  optional as (select id, name, kind from event_option where event_id = $1 and published),
  coded as (
    select id, effect, value::text, applies_to as "appliesTo", price_ids as "priceIds", product_ids as "productIds",
      event_ids as "eventIds", disabled, version, case when valid_from > statement_timestamp() then 'early'
        when valid_until <= statement_timestamp() then 'late' else 'now' end as time,
      ${keptPlacesSql('code', '$1')} as kept, ${nextCodeChangeSql} as changes
    from code where code = $3),
  reducing as (${openDiscountsSql('event_ids = array[]::uuid[] or $1 = any(event_ids)')})
  select event.id, event.name, event.category, event.starts_at as "startsAt", event.published,
    ${isPostponedSql('event')} as "isPostponed", ${eventIsOverSql('event', assumed)} as "isOver", event.max_per_user as "maxPerUser",
    ${openPlacesSql('event', '', '(select id from coded)')} as places, event.sale_version as version,
    key.id as "keyId", key.sealed, now() as now,
    least((select min(changes) from offered), (select changes from coded), ${nextDiscountChangeSql},
      case when not ${eventIsOverSql('event', assumed)} then ${eventEndSql('event', assumed)} end) as "changesAt",
    (select row_to_json(coded) from coded) as code,
    (select coalesce(json_agg(reducing), '[]') from reducing) as discounts, ${discountsVersionSql} as "discountsVersion",
    (select coalesce(json_agg(offered order by id), '[]') from offered) as prices,
    (select coalesce(json_agg(asked order by position), '[]') from asked) as questions,
    (select coalesce(json_agg(optional order by name), '[]') from optional) as options
  from event left join ${currentKeySql} on true where event.id = $1`;

const statements = new WeakMap<AssumedDuration, PreparedStatement>();

/** The statement that reads an offer, and its values. */
export function offerStatement({ eventId, priceIds, code }: WantedOffer, assumed: AssumedDuration): SentStatement {
  const statement = statements.get(assumed) ?? { name: 'offer', text: offerSql(assumed) };
  // Built once, because each sale uses it.
  statements.set(assumed, statement);
  return { statement, values: [eventId, priceIds, code ?? null] };
}

/** The offer that `offerStatement` has read. @throws RefusedInput on `eventId` when the event does not exist */
export function offerOf([row]: readonly object[]): Offer {
  if (!row) throw noSuchEvent();
  const { prices, questions, code, discounts, discountsVersion, options, keyId, sealed, now, changesAt, version, ...event } =
    row as OfferRow;
  return {
    event,
    prices: new Map(
      prices.map((price) => [price.id, { ...price, salesFrom: price.salesFrom === null ? null : new Date(price.salesFrom) }]),
    ),
    questions: questions.map((question) => ({ ...question, createdAt: new Date(question.createdAt) })),
    code,
    discounts,
    options,
    signingKey: keyId === null ? undefined : { id: keyId, sealed },
    now,
    changesAt,
    versions: {
      event: version,
      products: new Map(prices.map((price) => [price.productId, price.version])),
      discounts: discountsVersion,
    },
  };
}

/** Reads an offer in a transaction. @throws RefusedInput on `eventId` when the event does not exist */
export async function loadOffer(tx: Tx, wanted: WantedOffer, assumed: AssumedDuration): Promise<Offer> {
  const { statement, values } = offerStatement(wanted, assumed);
  return offerOf(await queryPrepared(tx, statement, values));
}

/**
 * SQL: ids of the prices that an event sells now, as a query: what the rules of selling about events, prices and sale windows admit.
 * @param eventId SQL of its id
 * @param prefix of the tables
 */
export function onSaleSql(eventId: string, assumed: AssumedDuration, prefix: string): string {
  return `select price.id from ${prefix}event join ${soldForEventsSql(prefix)} sold on sold.event_id = event.id
    join ${prefix}product on product.id = sold.product_id join ${prefix}price on price.product_id = product.id
    where event.id = ${eventId} and event.published and not ${isPostponedSql('event')} and not ${eventIsOverSql('event', assumed)}
      and product.published and not ${isKindSql('product.category', 'membership')}
      and price.published and ${saleStateSql('price')} = 'open'`;
}

/** Whether a ticket at this price is for admission (else it is for goods). */
export function admits({ category }: Pick<OfferedPrice, 'category'>): boolean {
  return productKinds[category] === 'admission';
}

/** The refusal on `eventId` when the event does not exist. */
function noSuchEvent(): RefusedInput {
  return new RefusedInput('eventId', texts.localized('offers.unknownEvent'));
}

/** Maps a foreign key violation to the input that was deleted after it was checked. */
export function deletedMeanwhile(error: unknown): RefusedInput | undefined {
  switch (violatedConstraint(error)) {
    case 'reservation_event_id_fkey':
    case 'ticket_event_id_fkey':
      return noSuchEvent();
    case 'ticket_price_id_fkey':
      return new RefusedInput('tickets', texts.localized('bookings.priceGone'));
    default:
      return undefined;
  }
}

/**
 * Finds the event of a booking that names none: the only upcoming published event that sells all of these prices.
 * @throws RefusedInput on `eventId` when no event or several sell them
 */
export async function eventSelling(tx: Tx, priceIds: readonly string[], assumed: AssumedDuration): Promise<string> {
  const rows = await tx.query<{ id: string }[]>(
    `select event.id from event where event.published and not ${eventIsOverSql('event', assumed)} and (
       select count(distinct price.id) from price join ${soldForEventsSql()} sold on sold.product_id = price.product_id
       where sold.event_id = event.id and price.id = any($1)) = $2 limit 2`,
    [priceIds, new Set(priceIds).size],
  );
  const [only, another] = rows;
  if (only && !another) return only.id;
  throw new RefusedInput('eventId', only ? texts.localized('offers.severalEvents') : texts.localized('offers.noEvent'));
}
