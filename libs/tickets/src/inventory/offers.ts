import {
  eventIsOverSql,
  isKindSql,
  isPostponedSql,
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
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { askedSql } from '../answers/answer-rows.js';
import { currentKeySql, type SealedKey } from '../signing/signing-keys.service.js';
import { isVerifiedSql } from '../people/verified-emails.js';
import { ChecksNeeded, queryDemanding } from './inventory.js';
import { texts } from '../locales/tickets.texts.js';

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
  readonly published: boolean;
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
  readonly capacity: number;
  readonly booked: number;
}

export interface OfferedOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'radio' | 'checkbox';
}

/** What a booking reads before it writes. */
export interface Offer {
  readonly event: OfferedEvent;
  readonly prices: ReadonlyMap<string, OfferedPrice>;
  /** Questions that the products of the prices ask, by position. */
  readonly questions: readonly Question[];
  /** Published options of the event with one of the wanted UUIDs or names, by name. */
  readonly options: readonly OfferedOption[];
  /** Whether the owner of the buyer's address has opened a link mailed to it. */
  readonly verified: boolean;
  /** The key that signs new tickets. */
  readonly signingKey: SealedKey | undefined;
  /** The start of the transaction, by the database's clock. */
  readonly now: Date;
  /** When it was read, by `performance.now()`. */
  readonly readAt: number;
  /** Changes with the event, the prices, the questions and the key, also when a sale begins or ends; not with places and stock. */
  readonly mark: string;
}

interface Buyer {
  /** UUIDs or names of options. */
  readonly options?: readonly string[] | undefined;
  /** See `emailKey()`. */
  readonly emailKey?: string | undefined;
}

type OfferRow = OfferedEvent &
  Pick<Offer, 'options' | 'verified' | 'now' | 'mark'> & {
    readonly prices: readonly (Omit<OfferedPrice, 'salesFrom'> & { readonly salesFrom: string | null })[];
    readonly questions: readonly (Question & { readonly createdAt: string })[];
    readonly keyId: number | null;
    readonly sealed: Buffer;
  };

/**
 * SQL of the CTE `offer`: the event `$1` with the prices `$2`, if it exists. Questions are locked (`for key share`) in the order of their
 * ids, so that their changes wait for the end of the transaction. It is materialised because `markSql` reads some of it again.
 */
const offerCte = (assumed: AssumedDuration): string => `
  asked as (${askedSql('select product_id from price where id = any($2)')} for key share),
  offered as (
    select price.id, price.product_id as "productId", price.name, product.name as product, price.amount::text,
      price.free_amount as "freeAmount", ${vatRateSql('price.vat')}::text as "vatRate",
      price.max_per_user as "maxPerUser", price.required_membership_id as "requiredMembershipId",
      price.published and product.published as published, product.category, ${saleStateSql('price')} as sale,
      price.sales_from as "salesFrom",
      (event_product.event_id is not null or (product.built_in = 'volunteering'
        and exists (select 1 from event where event.id = $1 and ${takesVolunteersSql('event')}))) as linked
    from price join product on product.id = price.product_id
    left join event_product on event_product.product_id = product.id and event_product.event_id = $1
    where price.id = any($2)),
  offer as materialized (
    select event.id, event.name, event.category, event.starts_at as "startsAt", event.published,
      ${isPostponedSql('event')} as "isPostponed",
      ${eventIsOverSql('event', assumed)} as "isOver", event.max_per_user as "maxPerUser", event.capacity, event.booked,
      (select coalesce(json_agg(offered order by id), '[]') from offered) as prices,
      (select coalesce(json_agg(asked order by position), '[]') from asked) as questions,
      key.id as "keyId", key.sealed
    from event left join ${currentKeySql} on true where event.id = $1)`;

/** SQL of `Offer.mark`. */
const markSql = `md5((id, name, category, "startsAt", published, "isPostponed", "isOver", "maxPerUser", prices::text, questions::text,
  "keyId")::text)`;

/** Reads everything in one statement. Options are locked like questions. */
const offerSql = (assumed: AssumedDuration): string => `with ${offerCte(assumed)},
  chosen as (
    select id, name, kind from event_option where event_id = $1 and published and (id::text = any($3) or name = any($4))
    order by id for key share)
  select offer.*, ${markSql} as mark,
    (select coalesce(json_agg(chosen order by name), '[]') from chosen) as options,
    ${isVerifiedSql('$5')} as verified, now() as now
  from offer`;

/** How far the clock of the database may be from what this process expects of it. */
const clockTolerance = `interval '1 second'`;

const sameOfferSql = (assumed: AssumedDuration): string => `with ${offerCte(assumed)}
  select 1 / (exists (select from offer where ${markSql} = $3 and booked + $4::int <= capacity)
    and now() between $5::timestamptz - ${clockTolerance} and $5::timestamptz + ${clockTolerance})::int as same`;

interface Statements {
  readonly offer: PreparedStatement;
  readonly sameOffer: PreparedStatement;
}

const statements = new WeakMap<AssumedDuration, Statements>();

/** Built once, because each booking uses them. */
function statementsFor(assumed: AssumedDuration): Statements {
  const built = statements.get(assumed) ?? {
    offer: { name: 'booking-offer', text: offerSql(assumed) },
    sameOffer: { name: 'booking-same-offer', text: sameOfferSql(assumed) },
  };
  statements.set(assumed, built);
  return built;
}

/**
 * Loads the event to book and the requested prices, with what else a booking reads, in one round trip.
 * @throws RefusedInput on `eventId` when the event does not exist
 */
export async function loadOffer(
  tx: Tx,
  eventId: string,
  priceIds: readonly string[],
  assumed: AssumedDuration,
  { options: wanted = [], emailKey }: Buyer = {},
): Promise<Offer> {
  const values = [eventId, priceIds, wanted.map((text) => text.toLowerCase()), wanted, emailKey ?? null];
  const [row] = await queryPrepared<OfferRow>(tx, statementsFor(assumed).offer, values);
  if (!row) throw noSuchEvent();
  const { prices, questions, options, verified, keyId, sealed, now, mark, ...event } = row;
  return {
    readAt: performance.now(),
    mark,
    event,
    prices: new Map(
      prices.map((price) => [price.id, { ...price, salesFrom: price.salesFrom === null ? null : new Date(price.salesFrom) }]),
    ),
    questions: questions.map((question) => ({ ...question, createdAt: new Date(question.createdAt) })),
    options,
    verified,
    signingKey: keyId === null ? undefined : { id: keyId, sealed },
    now,
  };
}

/** The offer is not the one that was read before. */
export class OfferChanged extends ChecksNeeded {}

/** What the database's clock probably shows. @param offer read a moment ago */
export function nowSince({ now, readAt }: Pick<Offer, 'now' | 'readAt'>): Date {
  return new Date(now.getTime() + Math.floor(performance.now() - readAt));
}

/**
 * Fails in the database when the event is not offered any more as it was, or has fewer places, so that COMMIT can be sent behind it.
 * @param places that are about to be taken
 * @param now what the database's clock is taken to show
 * @throws OfferChanged
 */
export async function demandSameOffer(
  tx: Tx,
  { event, prices, mark }: Offer,
  places: number,
  now: Date,
  assumed: AssumedDuration,
): Promise<void> {
  const values = [event.id, [...prices.keys()], mark, places, now];
  await queryDemanding(tx, statementsFor(assumed).sameOffer, values).catch((error: unknown) => {
    throw error instanceof ChecksNeeded ? new OfferChanged() : error;
  });
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
