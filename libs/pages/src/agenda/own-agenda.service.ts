import { Inject, Injectable } from '@nestjs/common';
import { entityTag, type Reply } from '#http';
import { currentLanguage, databaseNow, dateOf, SETTINGS, type Settings } from '#kernel';
import type { AgendaFilter } from '#places';
import { CheckoutsService } from '#payments';
import { currentTenant, type TenantIdentity } from '#tenancy';
import { calendarKeepsMs, feedLimit, pageLimit, sitemapLimit } from '../event-lists/agenda-limits.js';
import { agendaJson } from '../event-lists/agenda-json.js';
import { agendaCalendar } from '../event-lists/calendar.js';
import { ListAnswersService } from '../event-lists/list-answers.service.js';
import { newsFeed } from '../event-lists/news-feed.js';
import { ownSitemap } from '../event-lists/sitemap.js';
import { publicReply } from '#page-kit';
import { GatheredEventsService } from '../network/gathered-events.service.js';
import { PublicEventsService, type ListedEvents } from '../public-events/public-events.service.js';
import {
  agendaHref,
  ownPageParameters,
  ownParameters,
  readAgendaQuery,
  readPageQuery,
  toAgendaFilter,
  type AgendaQuery,
} from '../filters/agenda-query.js';
import { meantSearch } from '../filters/forgiving-search.js';
import { agendaPage } from './agenda.page.js';

/** Increment when the rendering changes: it invalidates the answers that clients have cached. */
const shape = 6;
/** Number of events that are over, which the page shows when nothing comes. */
const latelyLimit = 4;

interface Wanted {
  readonly path: string;
  readonly type: string;
  readonly limit: number;
  readonly filter: AgendaFilter;
  /** The query of the reader. */
  readonly query?: AgendaQuery;
  readonly now: Date;
  readonly withPrices: boolean;
  readonly isGrouped?: boolean;
}

interface State {
  readonly tag: string;
  readonly gathers: boolean;
  readonly changesAt: Date | undefined;
  /** The filter of the events: another one than was asked for when a search was meant otherwise. */
  readonly filter: AgendaFilter;
  readonly isEmpty: boolean;
  readonly paysOnline: boolean;
}

interface Listed extends ListedEvents {
  readonly tenant: TenantIdentity;
  readonly state: State;
}

/** The parameters of a request. */
type Sent = Readonly<Record<string, unknown>>;

/** Reads the query of a page. @throws Problem 400 `query.invalid` with all errors */
function read(sent: Sent, isPage: boolean): Pick<Wanted, 'limit' | 'filter' | 'now' | 'withPrices'> & { readonly query: AgendaQuery } {
  const now = databaseNow();
  const { timeZone } = currentTenant();
  const query = isPage ? readPageQuery(sent, timeZone, ownPageParameters, now) : readAgendaQuery(sent, timeZone, ownParameters);
  const filter = toAgendaFilter(query, now, timeZone);
  // One more than is shown, to know whether there are later events.
  return { limit: pageLimit + 1, filter, query, now, withPrices: true };
}

/** Whether a series is listed with its next date: not in the calendar of a month, and not where one day was chosen. */
const isGrouped = ({ view, from, to }: AgendaQuery): boolean => view !== 'month' && !(from !== undefined && from === to);

/** The agenda of a tenant that has its own events: as a page, a calendar, a feed, JSON and a sitemap. */
@Injectable()
export class OwnAgendaService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly gathered: GatheredEventsService,
    private readonly answers: ListAnswersService,
    private readonly checkouts: CheckoutsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The page of the agenda. @param query sent by the reader @throws Problem 400 `query.invalid` with all errors */
  page(query: Sent): Promise<Reply<string>> {
    const { settings } = this;
    const sent = read(query, true);
    const wanted = { path: '/', type: 'text/html', ...sent, isGrouped: isGrouped(sent.query) };
    return this.answer(wanted, async ({ tenant, venue, events, facets, state }) => {
      const { filter, isEmpty, paysOnline } = state;
      const lately = isEmpty ? (await this.events.latest(latelyLimit)).events : [];
      const meant = filter.text === wanted.query.q ? undefined : filter.text;
      const reading = { venue, paysOnline, now: wanted.now };
      return agendaPage({ tenant, settings, reading, query: wanted.query, facets, events, meant, lately });
    });
  }

  calendar(): Promise<Reply<string>> {
    const now = databaseNow();
    const filter = { since: new Date(now.getTime() - calendarKeepsMs) };
    const wanted = { path: '/agenda.ics', type: 'text/calendar', limit: feedLimit, filter, now, withPrices: false };
    return this.answer(wanted, ({ events, venue, tenant }) => agendaCalendar(events, venue, tenant, this.settings));
  }

  feed(): Promise<Reply<string>> {
    const now = databaseNow();
    const wanted = { path: '/agenda.rss', type: 'application/rss+xml', limit: feedLimit, filter: { since: now }, now, withPrices: false };
    return this.answer(wanted, ({ events, venue, tenant }) => newsFeed(events, venue, tenant, this.settings));
  }

  /** The events of the page as schema.org events, for programs and pages of other sites. Like `page`. */
  json(query: Sent): Promise<Reply<string>> {
    const wanted = { path: '/agenda.json', type: 'application/json', ...read(query, false) };
    const laterFrom = (after: string): string => agendaHref('/agenda.json', wanted.query, { after });
    return this.answer(wanted, ({ events, tenant }) =>
      agendaJson({ events, tenant, settings: this.settings, limit: pageLimit, laterFrom }),
    );
  }

  /** The sitemap for search engines: the agenda and the tenant's own events, latest start first. */
  async sitemap(): Promise<Reply<string>> {
    const { body, state } = await this.answers.answer({
      key: '/sitemap.xml',
      state: async () => {
        const { name, host } = currentTenant();
        const parts = [shape, '/sitemap.xml', currentLanguage(), name, host, await this.events.latestState(sitemapLimit)];
        return { tag: `W/${entityTag(parts)}` };
      },
      make: async () => ownSitemap(await this.events.latest(sitemapLimit), currentTenant(), this.settings),
    });
    return publicReply('application/xml', body, { tag: state.tag });
  }

  /** Reads and renders the body only when the client does not have the current version. */
  private async answer(wanted: Wanted, make: (listed: Listed) => Promise<string>): Promise<Reply<string>> {
    const { path, type, limit, query = {}, withPrices, isGrouped: groups } = wanted;
    const { body, state } = await this.answers.answer({
      key: `${path} ${JSON.stringify(query)}`,
      state: () => this.state(wanted),
      make: async (known) => {
        const { filter } = known;
        const list = await this.events.coming({ limit, filter, withPrices, withFacets: path === '/', isGrouped: groups });
        const events = await this.gathered.among(list.events, limit, filter);
        return make({ ...list, events, tenant: currentTenant(), state: known });
      },
    });
    const { tag, gathers, changesAt } = state;
    return publicReply(type, body, { tag, foreignPictures: gathers, hasSearch: path === '/', changesAt });
  }

  /** The entity tag of an answer, when its sales change next, and whether it may show events of other places. */
  private async state(wanted: Wanted): Promise<State> {
    const { path, query = {}, now } = wanted;
    const isPage = path === '/';
    const typed = await this.listState(wanted, wanted.filter);
    const meant = isPage && typed.isEmpty ? await this.meantFilter(wanted) : undefined;
    const { own, others, gathers, isEmpty, changesAt } = meant ? await this.listState(wanted, meant) : typed;
    const filter = meant ?? wanted.filter;
    const { name, host, timeZone } = currentTenant();
    const paysOnline = isPage && (await this.checkouts.available());
    const past = isPage && isEmpty ? await this.events.latestState(latelyLimit) : '';
    const day = dateOf(now, timeZone);
    const parts = [shape, path, query, filter.text, currentLanguage(), day, name, host, timeZone, own, others, paysOnline, past];
    // Weak, because the same answer is also sent compressed.
    return { tag: `W/${entityTag(parts)}`, gathers, changesAt, filter, isEmpty, paysOnline };
  }

  /** The versions of the events of a filter. */
  private async listState({ path, limit, now, withPrices, isGrouped: groups }: Wanted, filter: AgendaFilter) {
    const wanted = { limit, filter, withPrices, withFacets: path === '/', isGrouped: groups };
    const { state: own, count, changesAt } = await this.events.comingState(wanted, now);
    const { state: others, isEmpty: isAlone } = await this.gathered.state(limit, filter, now);
    return { own, others, gathers: !isAlone, isEmpty: count === 0 && isAlone, changesAt };
  }

  /** The filter of the search that was meant, when the typed one finds nothing; undefined: there is none. */
  private async meantFilter({ filter, now }: Wanted): Promise<AgendaFilter | undefined> {
    if (filter.text === undefined) return undefined;
    const text = await meantSearch(filter.text, await this.events.spelledTexts(now));
    return text === undefined ? undefined : { ...filter, text };
  }
}
