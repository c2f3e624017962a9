import { customersOfSite, type Settings } from '#kernel';
import { countsAtOnceSql } from '../entities/reservation-states.js';
import { capacitySql } from '../places/free-places.js';
import { givenUpSql } from './ended-holds.js';
import { isHeldBySql } from './network-sql.js';

/** Keyed hashes of the networks that a draft counts for, see `ClientNetworks`. */
export interface NetworkKeys {
  readonly network: string;
  readonly networkSite: string | null;
}

/** The networks that a draft counts for, and the maximum number of tickets that they may hold. */
export interface NetworkLimit extends NetworkKeys {
  /** Over all events. */
  readonly maximum: number;
  readonly siteMaximum: number;
  /** For admission to one event, or a tenth of its capacity when that is more. */
  readonly ofEvent: number;
  /** Duration of a hold. */
  readonly holdMinutes: number;
}

export type HoldSettings = Pick<Settings, 'heldTicketsPerNetwork' | 'heldTicketsPerEvent' | 'holdMinutes'>;

/** What the networks of a buyer may hold. */
export const networkLimit = (keys: NetworkKeys, settings: HoldSettings): NetworkLimit => ({
  ...keys,
  maximum: settings.heldTicketsPerNetwork,
  siteMaximum: settings.heldTicketsPerNetwork * customersOfSite,
  ofEvent: settings.heldTicketsPerEvent,
  holdMinutes: settings.holdMinutes,
});

/** What a draft takes: the SQL of its id, its event, its tickets, those of them that take places, and the members of `NetworkLimit`. */
export type LimitedSql = Readonly<
  Record<'id' | 'event' | 'tickets' | 'admission' | 'minutes' | 'network' | 'maximum' | 'site' | 'siteMaximum' | 'ofEvent', string>
>;

/**
 * SQL: number of tickets that drafts hold now, and reservations that are neither paid nor confirmed. Tickets to be paid at the venue are
 * held for days, so they count only as long as others, except those that were given at once (`countsAtOnceSql`).
 * @param condition on `held`, which selects a network
 */
const heldSql = (condition: string, { id, minutes }: LimitedSql): string => `(select count(*) from ticket join reservation held
  on held.id = ticket.reservation_id where ${condition} and held.network is not null and held.id <> ${id}::uuid
  and (held.expires_at > statement_timestamp()
      and (not held.pay_at_venue or held.created_at > statement_timestamp() - make_interval(mins => ${minutes}::int))
    or ${countsAtOnceSql('held', 'statement_timestamp()')}))`;

/**
 * SQL: maxima of one event, `of_network` and `of_site`. Many phones of one provider share a site, but it never holds more than half of the
 * places.
 */
const eventMaximaSql = ({ event, ofEvent }: Pick<LimitedSql, 'event' | 'ofEvent'>): string => `(select most as of_network,
    greatest(most, least(most * ${customersOfSite}, capacity / 2)) as of_site
  from (select most_places as capacity, greatest(${ofEvent}::int, most_places / 10) as most
    from event, lateral (select ${capacitySql('event')} as most_places) as places where id = ${event}::uuid) as one)`;

const ofEventSql = (by: 'network' | 'site', most: string, p: LimitedSql): string =>
  `${heldSql(`held.event_id = ${p.event}::uuid and ${isHeldBySql('held', by, p)} and ticket.admission`, p)}
    + ${givenUpSql(by, p, most)} + ${p.admission}::int <= ${most}`;

/** SQL: whether a draft may hold its tickets, as far as its event is concerned. */
const eventFitsSql = (p: LimitedSql): string => `(${p.admission}::int = 0 or exists (select 1 from ${eventMaximaSql(p)} as maxima
  where ${ofEventSql('network', 'of_network', p)} and ${ofEventSql('site', 'of_site', p)}))`;

/** SQL: whether a draft may hold its tickets. */
export const networkFitsSql = (p: LimitedSql): string =>
  `(${heldSql(isHeldBySql('held', 'network', p), p)} + ${p.tickets}::int <= ${p.maximum}::int
    and ${heldSql(isHeldBySql('held', 'site', p), p)} + ${p.tickets}::int <= ${p.siteMaximum}::int
    and ${eventFitsSql(p)})`;

/** SQL: the maximum of one network for an event, when the draft would exceed it; null: the limit over all events is the reason. */
export const exceededMaximumSql = (p: LimitedSql): string =>
  `case when not ${eventFitsSql(p)} then (select of_network from ${eventMaximaSql(p)} as maxima) end`;
