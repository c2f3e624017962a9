import { Injectable } from '@nestjs/common';
import { publicColumns, type EventCategory, type PublicAddress, type PublicEvent } from '#catalogue';
import { liveTenantSql, TenantDb, type CategoryCode } from '#tenancy';
import { agendaKeys, type AgendaFilter, type AgendaSource } from './network-agenda.sql.js';

/** The tenant that sends an event. */
export interface Sender {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** Its primary host name. */
  readonly host: string;
  readonly timeZone: string;
}

/** An event as the agenda of a network shows it. Its picture is on the sender's host. */
export interface GatheredEvent extends PublicEvent {
  readonly keywords: readonly string[];
  readonly sender: Sender;
}

/** What the coming events of a network have: kinds and tags by how often, places by name. */
export interface NetworkFacets {
  readonly kinds: readonly EventCategory[];
  /** Names of tags. */
  readonly tags: readonly string[];
  readonly places: readonly Pick<Sender, 'slug' | 'name'>[];
}

/** A tenant that sends events to a network. */
export interface NetworkPlace {
  readonly slug: string;
  readonly name: string;
  readonly host: string;
  readonly category: CategoryCode;
  /** Number of its events that are not over. */
  readonly coming: number;
}

/** Number of coming events whose facets and texts are read: those that start first. */
const mostLookedAt = 1000;
/** Maximum number of tags among the facets. */
const mostTags = 6;

interface Page {
  readonly limit: number;
  readonly skip?: number;
}

/** Agendas with events of several tenants: one statement reads the shared rows only. */
@Injectable()
export class NetworkAgendaService {
  constructor(private readonly db: TenantDb) {}

  /**
   * A page of events by start; events that already run come first.
   * @param ownerId the network; with `gathered`, the tenant on whose own agenda they are shown
   */
  async list(source: AgendaSource, ownerId: string, filter: AgendaFilter, page: Page): Promise<GatheredEvent[]> {
    const keys = agendaKeys(source, ownerId, filter, page);
    const rows = await this.db.sharedStatement<Listed>({ name: `agenda ${keys.name}`, text: listSql(keys.text) }, keys.values);
    // An event that two networks send is shown once.
    return [...new Map(rows.map((row) => [`${row.tenantId} ${row.id}`, toEvent(row)])).values()];
  }

  /**
   * A version tag of such a page: it changes whenever anything shown of its events or their senders changes. Much cheaper than the page.
   * @param now part of the tag, because it decides which events already run, and what is today and tomorrow at each sender
   */
  async state(source: AgendaSource, ownerId: string, filter: AgendaFilter, page: Page, now: Date): Promise<string> {
    const keys = agendaKeys(source, ownerId, filter, page);
    const [row] = await this.db.sharedStatement<{ state: string }>(
      { name: `agenda state ${keys.name}`, text: stateSql(keys.text, keys.values.length + 1) },
      [...keys.values, now],
    );
    return row?.state ?? '';
  }

  /** What readers can choose among the events of a network that are not over. */
  async facets(networkId: string, since: Date): Promise<NetworkFacets> {
    const keys = agendaKeys('network', networkId, { since }, { limit: mostLookedAt });
    const [row] = await this.db.sharedStatement<NetworkFacets & Record<string, unknown>>(
      { name: 'agenda facets', text: facetsSql(keys.text) },
      keys.values,
    );
    return row ?? { kinds: [], tags: [], places: [] };
  }

  /** Names, subtitles, places, tags and senders of these events, for a search that finds nothing as it was typed. */
  async spelledTexts(networkId: string, since: Date): Promise<string[]> {
    const keys = agendaKeys('network', networkId, { since }, { limit: mostLookedAt });
    const rows = await this.db.sharedStatement<{ text: string }>({ name: 'agenda texts', text: spelledSql(keys.text) }, keys.values);
    return rows.map(({ text }) => text);
  }

  /** One event of a network's agenda, past or future, by its UUID or slug. */
  async find(networkId: string, key: { readonly id: string } | { readonly slug: string }): Promise<GatheredEvent | undefined> {
    const [column, value] = 'id' in key ? ['event_id', key.id] : ['slug', key.slug];
    const [row] = await this.db.sharedStatement<Listed>(
      {
        name: `agenda event by ${column}`,
        text: listSql(
          `select network_id, tenant_id, event_id, starts_at, name from shared.federated_event where network_id = $1 and ${column} = $2
           order by starts_at, event_id limit 1`,
        ),
      },
      [networkId, value],
    );
    return row && toEvent(row);
  }

  /** The members of a network by name, including those without events. @param now events that are over are not counted */
  places(networkId: string, now: Date, limit: number): Promise<NetworkPlace[]> {
    return this.db.sharedStatement<NetworkPlace & Record<string, unknown>>(placesStatement, [networkId, now, limit]);
  }

  /** A version tag of the result of `places`. */
  async placesState(networkId: string, now: Date, limit: number): Promise<string> {
    const [row] = await this.db.sharedStatement<{ state: string }>(placesStateStatement, [networkId, now, limit]);
    return row?.state ?? '';
  }
}

type Listed = Omit<GatheredEvent, 'sender' | 'postalAddress'> &
  Omit<PublicAddress, 'name'> & {
    readonly placeName: string | null;
    readonly tenantId: string;
    readonly senderSlug: string;
    readonly senderName: string;
    readonly host: string;
    readonly timeZone: string;
  };

const columnsSql = publicColumns.map(({ name, column }) => `f.${column} as "${name}"`).join(', ');

function listSql(keys: string): string {
  return `with k as (${keys})
  select f.event_id as id, ${columnsSql}, f.tags as keywords, f.place_name as "placeName", f.street_address as "streetAddress",
    f.locality as "addressLocality", f.region as "addressRegion", f.postal_code as "postalCode", f.country as "addressCountry",
    f.latitude, f.longitude, f.picture_id as "pictureId", f.is_cancelled as "isCancelled", f.updated_at as "updatedAt",
    t.id as "tenantId", t.slug as "senderSlug", t.name as "senderName", t.time_zone as "timeZone", coalesce(d.host, '') as host
  from k join shared.federated_event f using (network_id, tenant_id, event_id)
  join shared.tenant t on t.id = k.tenant_id and ${liveTenantSql('t')}
  left join shared.domain d on d.tenant_id = t.id and d.is_primary
  order by k.starts_at, k.name, k.event_id`;
}

function stateSql(keys: string, now: number): string {
  return `with k as (${keys})
  select concat_ws(' ', count(*), count(*) filter (where k.starts_at <= $${now}), sum(uuid_hash(k.event_id)::bigint),
    sum(f.updated_at - timestamptz 'epoch'), sum(hashtext(concat_ws(' ', t.name, t.time_zone, d.host,
      ($${now}::timestamptz at time zone t.time_zone)::date))::bigint)) as state
  from k join shared.federated_event f using (network_id, tenant_id, event_id)
  join shared.tenant t on t.id = k.tenant_id and ${liveTenantSql('t')}
  left join shared.domain d on d.tenant_id = t.id and d.is_primary`;
}

function facetsSql(keys: string): string {
  return `with k as materialized (select f.category, f.tags, t.slug, t.name from (${keys}) k
    join shared.federated_event f using (network_id, tenant_id, event_id) join shared.tenant t on t.id = k.tenant_id)
  select (select coalesce(json_agg(category order by count desc, category), '[]')
      from (select category, count(*) as count from k group by category) kind) as kinds,
    (select coalesce(json_agg(tag order by count desc, tag), '[]') from (select tag, count(*) as count from k, unnest(k.tags) tag
      group by tag order by count(*) desc, tag limit ${mostTags}) tag) as tags,
    (select coalesce(json_agg(json_build_object('slug', slug, 'name', name) order by lower(name), slug), '[]')
      from (select distinct slug, name from k) place) as places`;
}

function spelledSql(keys: string): string {
  return `select concat_ws(' ', f.name, f.subtitle, f.place_name, f.locality, array_to_string(f.tags, ' '), t.name) as text from (${keys}) k
    join shared.federated_event f using (network_id, tenant_id, event_id) join shared.tenant t on t.id = k.tenant_id`;
}

const placesStatement = {
  name: 'agenda places',
  text: `select t.slug, t.name, t.category, coalesce(d.host, '') as host,
      (select count(*)::int from shared.federated_event f where f.network_id = m.network_id and f.tenant_id = m.tenant_id
        and f.over_at >= $2 and not f.is_cancelled) as coming
    from shared.network_member m join shared.tenant t on t.id = m.tenant_id and ${liveTenantSql('t')}
    left join shared.domain d on d.tenant_id = t.id and d.is_primary
    where m.network_id = $1 and m.state = 'accepted' order by lower(t.name), t.id limit $3`,
};

const placesStateStatement = {
  name: 'agenda places state',
  text: `select md5(coalesce(json_agg(p)::text, '')) as state from (${placesStatement.text}) p`,
};

function toEvent(row: Listed): GatheredEvent {
  const { tenantId, senderSlug, senderName, host, timeZone, placeName, ...others } = row;
  const { streetAddress, addressLocality, addressRegion, postalCode, addressCountry, latitude, longitude, ...event } = others;
  const address = { name: placeName, streetAddress, addressLocality, addressRegion, postalCode, addressCountry, latitude, longitude };
  return {
    ...event,
    // A place has a country, or at least a name, a street or a town.
    postalAddress: [addressCountry, placeName, streetAddress, addressLocality].every((part) => part === null) ? null : address,
    sender: { id: tenantId, slug: senderSlug, name: senderName, host, timeZone },
  };
}
