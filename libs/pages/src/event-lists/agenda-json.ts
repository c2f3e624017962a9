import { currency, currentLanguage, isoInZone, mapInSlices, present, type Settings } from '#kernel';
import { toNetworkEvent, type NetworkEventAnswer } from '#places';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { type PriceRange, priceRangeWords } from '#page-kit';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { dayAfter, wholeDays } from './whole-days.js';

/** The prices of an event in a list (schema.org AggregateOffer). */
interface AggregateOffer {
  readonly '@type': 'AggregateOffer';
  /** In words, such as `From €8.00`. */
  readonly description: string;
  readonly lowPrice: string;
  readonly highPrice: string;
  readonly priceCurrency: typeof currency;
  readonly availability: `https://schema.org/${'InStock' | 'PreOrder' | 'SoldOut'}`;
  /** When the first sale opens. */
  readonly availabilityStarts?: string;
}

interface AgendaJson {
  /** In the order of their start; one more than the limit when there are later ones. */
  readonly events: readonly ListedEvent[];
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly limit: number;
  /** Path of the events from a day on (`YYYY-MM-DD`). */
  readonly laterFrom: (day: string) => string;
}

/**
 * The agenda of a tenant with its own events, in the form of a network's: `results` are schema.org events, `next` is the address of the
 * later ones. Events with admission have `offers`.
 */
export async function agendaJson({ events, tenant, settings, limit, laterFrom }: AgendaJson): Promise<string> {
  const { shown, next, isTorn } = wholeDays(events, limit, tenant.timeZone);
  const results = await mapInSlices(shown, (event) => JSON.stringify(toAgendaEvent(event, tenant, settings)));
  const following = next ? tenantUrl(settings, tenant, laterFrom(isTorn ? dayAfter(next) : next)) : null;
  return `{"results":[${results.join(',')}],"next":${JSON.stringify(following)}}`;
}

function toAgendaEvent(event: ListedEvent, tenant: TenantIdentity, settings: Settings): NetworkEventAnswer & { offers?: AggregateOffer } {
  const { sender, prices, keywords = [] } = event;
  const home = sender?.home ?? tenantUrl(settings, tenant, '');
  const gathered = { ...event, keywords, sender: sender ?? tenant };
  const offers = prices && !event.isCancelled && event.alteration !== 'postponed' ? toAggregateOffer(prices, tenant.timeZone) : undefined;
  return present({ ...toNetworkEvent(gathered, home, currentLanguage()), offers });
}

function toAggregateOffer(prices: PriceRange, timeZone: string): AggregateOffer {
  const { lowest, highest, soldOut, ended, opensAt } = prices;
  const description = priceRangeWords(prices, currentLanguage());
  const availability = `https://schema.org/${soldOut || ended ? 'SoldOut' : opensAt === null ? 'InStock' : 'PreOrder'}` as const;
  const starts = opensAt === null ? {} : { availabilityStarts: isoInZone(new Date(opensAt), timeZone) };
  return { '@type': 'AggregateOffer', description, lowPrice: lowest, highPrice: highest, priceCurrency: currency, availability, ...starts };
}
