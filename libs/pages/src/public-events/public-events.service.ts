import { Inject, Injectable } from '@nestjs/common';
import { roughlyLeftSql, soldOutSql } from '#booking';
import {
  cancelledEventSql,
  eventEndSql,
  isKindSql,
  loadWhole,
  publicEventSql,
  soldForEventsSql,
  type AssumedDuration,
  type Event,
  type PostalAddress,
  type WholeEvent,
} from '#catalogue';
import { isUuid, SETTINGS, type Settings } from '#kernel';
import { type PreparedStatement, hasModule, TenantDb } from '#tenancy';
import { priceRangeSql, type PriceRange } from './price-range.js';

/** The place that sends an event to the networks' agendas. */
export interface PublicSender {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** Absolute URL of its agenda, without the final slash. */
  readonly home: string;
  readonly timeZone: string;
}

export type PublicAddress = Omit<PostalAddress, 'id' | 'isMain' | 'updatedAt' | 'image' | 'imageId' | 'stickerImage' | 'stickerImageId'>;

/** The part of an event that lists show; without the long description, which may be large. */
export interface ListedEvent extends Pick<
  Event,
  | 'id'
  | 'name'
  | 'subtitle'
  | 'slug'
  | 'category'
  | 'shortDescription'
  | 'startsAt'
  | 'endsAt'
  | 'sameAs'
  | 'url'
  | 'sequence'
  | 'createdAt'
  | 'updatedAt'
> {
  readonly postalAddress: PublicAddress | null;
  /** It was published and then cancelled. */
  readonly isCancelled: boolean;
  /** The small image, else the large one. */
  readonly pictureId: string | null;
  /** The sender of another place's event in a network; absent: the tenant's own event. */
  readonly sender?: PublicSender;
  /** Absent for another place's event, and in lists without prices; null when no admission is sold. */
  readonly prices?: PriceRange | null;
  /** For another place's event: its tags in alphabetical order. */
  readonly keywords?: readonly string[];
}

/** Which events a list contains. */
export interface ComingEvents {
  readonly limit: number;
  /** Excludes events that ended before. */
  readonly end: Date;
  /** Excludes events that started before. */
  readonly start?: Date | undefined;
  /** Whether the prices are read, too: they cost a look-up for each event, and change more often than the events. */
  readonly withPrices: boolean;
}

/** The public profile of the venue; every field may be missing. */
export type Venue = Readonly<
  Record<
    | 'shortDescription'
    | 'streetAddress'
    | 'postalCode'
    | 'city'
    | 'country'
    | 'phone'
    | 'email'
    | 'website'
    | 'twitter'
    | 'facebook'
    | 'instagram'
    | 'legalDocuments'
    | 'restaurantMenu'
    | 'imageId'
    | 'logoImageId'
    | 'mapImageId'
    | 'allowedSites'
    | 'accentColour',
    string | null | undefined
  >
> & {
  /** Whether these pages exist. */
  readonly hasImprint?: boolean;
  readonly hasTerms?: boolean;
};

/** A price of a product that is sold for an event. */
export interface PublicPrice {
  readonly id: string;
  readonly product: string;
  readonly name: string;
  /** Decimal text with two places. */
  readonly amount: `${number}`;
  /** The buyer chooses the amount; `amount` is the minimum. */
  readonly freeAmount: boolean;
  readonly soldOut: boolean;
  /** The price of a volunteering slot without a product of staff. */
  readonly volunteering: boolean;
  /** What is left of it for the event, counted exactly when it is few; null: no limit. */
  readonly left: number | null;
  readonly maxPerUser: number | null;
  /** Name of the membership that the buyer must hold. */
  readonly membership: string | null;
  /** Start of its sale in milliseconds. */
  readonly since: number;
}

export interface EventPage {
  readonly event: WholeEvent;
  /** It was published and then cancelled. */
  readonly isCancelled: boolean;
  readonly venue: Venue;
  readonly prices: readonly PublicPrice[];
}

const venueSql = `(select json_build_object('shortDescription', short_description, 'streetAddress', street_address,
  'postalCode', postal_code,
  'city', city, 'country', country, 'phone', phone, 'email', email, 'website', website, 'twitter', twitter,
  'facebook', facebook, 'instagram', instagram, 'legalDocuments', legal_documents, 'restaurantMenu', restaurant_menu, 'imageId', image_id,
  'logoImageId', logo_image_id, 'mapImageId', map_image_id,
  'allowedSites', allowed_sites, 'accentColour', accent_colour, 'hasImprint', imprint is not null, 'hasTerms', terms is not null)
  from {tenant}.configuration)`;

const cancelledSql = cancelledEventSql('e', '{tenant}.');
const publicSql = publicEventSql('e', '{tenant}.');

/** Times in milliseconds, because Date cannot parse JSON's text of years beyond 9999. */
const listSql = (where: string, order: string, more = ''): string => `
select ${venueSql} as venue, coalesce((select json_agg(e) from (
  select ${more}e.id, e.name, e.subtitle, e.slug, e.category, e.same_as as "sameAs", e.url,
  left(e.short_description, 2000) as "shortDescription",
    e.sequence,
    floor(extract(epoch from e.starts_at) * 1000) as "startsAt", floor(extract(epoch from e.ends_at) * 1000) as "endsAt",
    floor(extract(epoch from e.created_at) * 1000) as "createdAt",
    floor(extract(epoch from greatest(e.updated_at, a.updated_at)) * 1000) as "updatedAt",
    ${cancelledSql} as "isCancelled", coalesce(e.sticker_image_id, e.image_id) as "pictureId",
    case when a.id is not null then json_build_object('name', a.name, 'streetAddress', a.street_address,
      'addressLocality', a.address_locality, 'addressRegion', a.address_region, 'postalCode', a.postal_code,
      'addressCountry', a.address_country, 'latitude', a.latitude, 'longitude', a.longitude) end as "postalAddress"
  from {tenant}.event e left join {tenant}.postal_address a on a.id = e.postal_address_id
  where ${publicSql} and ${where}
  order by ${order} limit $1) e), '[]') as events`;

const venueStatement: PreparedStatement = { name: 'pages-venue', text: `select ${venueSql} as venue` };

interface ListStatements {
  readonly list: PreparedStatement;
  readonly state: PreparedStatement;
}

/** @param columns further ones, each with a comma at its end */
function comingStatements(assumed: AssumedDuration, name: string, columns = ''): ListStatements {
  const sql = (more: string): string =>
    listSql(`${eventEndSql('e', assumed)} >= $2 and ($3::timestamptz is null or e.starts_at >= $3)`, 'e.starts_at, e.name, e.id', more);
  return {
    list: { name, text: sql(columns) },
    state: {
      name: `${name}-state`,
      text: `select md5(concat(venue, events)) as state from (${sql(`${columns}e.starts_at <= $4 as started, `)}) l`,
    },
  };
}

const latestStatement: PreparedStatement = {
  name: 'pages-latest',
  text: listSql('true', 'e.starts_at desc, e.id'),
};

const latestStateStatement: PreparedStatement = {
  name: 'pages-latest-state',
  text: `select md5(concat(venue, events)) as state from (${latestStatement.text}) l`,
};

const soldOut = soldOutSql({ event: 'e', price: 'p', product: 'r' }, '{tenant}.');

const roughlyLeft = roughlyLeftSql({ event: 'e', price: 'p', product: 'r' }, 20, '{tenant}.');

const priceStatement: PreparedStatement = {
  name: 'pages-prices',
  text: `
select ${venueSql} as venue, coalesce((select json_agg(p) from (
  select p.id, r.name as product, p.name, p.amount::text as amount, p.free_amount as "freeAmount", ${soldOut} as "soldOut",
    r.built_in is not null as volunteering, m.name as membership, p.max_per_user as "maxPerUser", ${roughlyLeft} as left,
    floor(extract(epoch from greatest(e.created_at, p.created_at)) * 1000) as since
  from ${soldForEventsSql('{tenant}.')} l
  join {tenant}.event e on e.id = l.event_id
  join {tenant}.product r on r.id = l.product_id and r.published and not ${isKindSql('r.category', 'membership')}
  join {tenant}.price p on p.product_id = r.id and p.published
  left join {tenant}.product m on m.id = p.required_membership_id
  where l.event_id = $1
  order by r.name, r.id, p.amount desc, p.name, p.id limit 100) p), '[]') as prices`,
};

type Stored = Omit<ListedEvent, 'startsAt' | 'endsAt' | 'createdAt' | 'updatedAt'> &
  Record<'startsAt' | 'createdAt' | 'updatedAt', number> & { readonly endsAt: number | null };

const findStatement: PreparedStatement = {
  name: 'pages-find',
  text: `select e.id, ${cancelledSql} as "isCancelled" from {tenant}.event e
    where (e.slug = $1 or e.id = $2) and ${publicSql}`,
};

/** The public events of the current tenant: published or cancelled after publication, and not private. No others are returned. */
@Injectable()
export class PublicEventsService {
  private readonly plain: ListStatements;
  private readonly priced: ListStatements;

  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.plain = comingStatements(settings, 'pages-coming');
    this.priced = comingStatements(settings, 'pages-coming-priced', `${priceRangeSql} as prices, `);
  }

  /** Events that are not over, including running ones, in the order of their start. */
  coming({ limit, end, start, withPrices }: ComingEvents): Promise<{ venue: Venue; events: ListedEvent[] }> {
    return this.list((withPrices ? this.priced : this.plain).list, [limit, end, start ?? null]);
  }

  /** A version tag of the result of `coming` and of which of its events have started. Takes much less time than reading the list. */
  comingState({ limit, end, start, withPrices }: ComingEvents, now: Date): Promise<string> {
    return this.state((withPrices ? this.priced : this.plain).state, [limit, end, start ?? null, now]);
  }

  /** Past and future events, latest start first. */
  latest(limit: number): Promise<{ venue: Venue; events: ListedEvent[] }> {
    return this.list(latestStatement, [limit]);
  }

  /** A version tag of the result of `latest`. */
  latestState(limit: number): Promise<string> {
    return this.state(latestStateStatement, [limit]);
  }

  /** The public profile of the current tenant. */
  async venue(): Promise<Venue> {
    const [found] = await this.db.statement<{ venue: Venue | null }>(venueStatement, []);
    return found?.venue ?? emptyVenue;
  }

  /** One event by its slug or id; undefined when there is no public one. */
  async find(slugOrId: string): Promise<EventPage | undefined> {
    const id = isUuid(slugOrId) ? slugOrId.toLowerCase() : null;
    const [known] = await this.db.statement<{ id: string; isCancelled: boolean }>(findStatement, [slugOrId, id]);
    if (!known) return undefined;
    const [event] = await this.db.transaction((tx) => loadWhole(tx, [known.id]));
    if (!event) return undefined;
    const [found] = await this.db.statement<{ venue: Venue | null; prices: PublicPrice[] }>(priceStatement, [event.id]);
    const { isCancelled } = known;
    // A tenant without ticketing shows no prices.
    const prices = hasModule('ticketing') ? (found?.prices ?? []) : [];
    return { event, isCancelled, venue: found?.venue ?? emptyVenue, prices };
  }

  private async state(statement: PreparedStatement, values: unknown[]): Promise<string> {
    const [found] = await this.db.statement<{ state: string }>(statement, values);
    return found?.state ?? '';
  }

  private async list(statement: PreparedStatement, values: unknown[]): Promise<{ venue: Venue; events: ListedEvent[] }> {
    const [found] = await this.db.statement<{ venue: Venue | null; events: Stored[] }>(statement, values);
    return { venue: found?.venue ?? emptyVenue, events: (found?.events ?? []).map(listed) };
  }
}

const emptyVenue = {} as Venue;

function listed(stored: Stored): ListedEvent {
  return {
    ...stored,
    startsAt: new Date(stored.startsAt),
    endsAt: stored.endsAt === null ? null : new Date(stored.endsAt),
    // A tenant without ticketing shows no prices.
    prices: hasModule('ticketing') ? (stored.prices ?? null) : null,
    createdAt: new Date(stored.createdAt),
    updatedAt: new Date(stored.updatedAt),
  };
}
