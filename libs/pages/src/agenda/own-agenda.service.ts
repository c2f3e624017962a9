import { Inject, Injectable } from '@nestjs/common';
import { entityTag, type Reply } from '#http';
import { currentLanguage, databaseNow, dateOf, SETTINGS, type Settings } from '#kernel';
import type { AgendaFilter } from '#places';
import { currentTenant, type TenantIdentity } from '#tenancy';
import { calendarKeepsMs, feedLimit, pageLimit, sitemapLimit } from '../event-lists/agenda-limits.js';
import { agendaJson } from '../event-lists/agenda-json.js';
import { agendaCalendar } from '../event-lists/calendar.js';
import { ListAnswersService } from '../event-lists/list-answers.service.js';
import { newsFeed } from '../event-lists/news-feed.js';
import { ownSitemap } from '../event-lists/sitemap.js';
import { type Venue, publicReply } from '#page-kit';
import { GatheredEventsService } from '../network/gathered-events.service.js';
import { PublicEventsService, type ListedEvent } from '../public-events/public-events.service.js';
import { agendaHref, ownParameters, readAgendaQuery, toAgendaFilter, type AgendaQuery } from '../filters/agenda-query.js';
import { agendaPage } from './agenda.page.js';

/** Increment when the rendering changes: it invalidates the answers that clients have cached. */
const shape = 4;

interface Wanted {
  readonly path: string;
  readonly type: string;
  readonly limit: number;
  readonly filter: AgendaFilter;
  /** The query of the reader. */
  readonly query?: AgendaQuery;
  readonly now: Date;
  readonly withPrices: boolean;
}

interface State {
  readonly tag: string;
  readonly gathers: boolean;
  readonly changesAt: Date | undefined;
}

interface Listed {
  readonly venue: Venue;
  readonly events: readonly ListedEvent[];
  readonly tenant: TenantIdentity;
}

/** The parameters of a request. */
type Sent = Readonly<Record<string, unknown>>;

/** Reads the query of a page. @throws Problem 400 `query.invalid` with all errors */
function read(sent: Sent): Pick<Wanted, 'limit' | 'filter' | 'now' | 'withPrices'> & { readonly query: AgendaQuery } {
  const now = databaseNow();
  const { timeZone } = currentTenant();
  const query = readAgendaQuery(sent, timeZone, ownParameters);
  const filter = toAgendaFilter(query, now, timeZone);
  // One more than is shown, to know whether there are later events.
  return { limit: pageLimit + 1, filter, query, now, withPrices: true };
}

/** The agenda of a tenant that has its own events: as a page, a calendar, a feed, JSON and a sitemap. */
@Injectable()
export class OwnAgendaService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly gathered: GatheredEventsService,
    private readonly answers: ListAnswersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The page of the agenda. @param query sent by the reader @throws Problem 400 `query.invalid` with all errors */
  page(query: Sent): Promise<Reply<string>> {
    const { settings } = this;
    const wanted = { path: '/', type: 'text/html', ...read(query) };
    return this.answer(wanted, (listed) => agendaPage({ ...listed, ...wanted, settings, limit: pageLimit }));
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
    const wanted = { path: '/agenda.json', type: 'application/json', ...read(query) };
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
    const { path, type, limit, filter, query = {}, withPrices } = wanted;
    const { body, state } = await this.answers.answer({
      key: `${path} ${JSON.stringify(query)}`,
      state: () => this.state(wanted),
      make: async () => {
        const { venue, events: own } = await this.events.coming({ limit, filter, withPrices });
        const events = await this.gathered.among(own, limit, filter);
        return make({ venue, events, tenant: currentTenant() });
      },
    });
    const { tag, gathers, changesAt } = state;
    return publicReply(type, body, { tag, foreignPictures: gathers, hasSearch: path === '/', changesAt });
  }

  /** The entity tag of an answer, when its sales change next, and whether it may show events of other places. */
  private async state({ path, limit, filter, query = {}, now, withPrices }: Wanted): Promise<State> {
    const { name, host, timeZone } = currentTenant();
    const { state: own, changesAt } = await this.events.comingState({ limit, filter, withPrices }, now);
    const { state: others, isEmpty } = await this.gathered.state(limit, filter, now);
    const parts = [shape, path, query, currentLanguage(), dateOf(now, timeZone), name, host, timeZone, own, others];
    // Weak, because the same answer is also sent compressed.
    return { tag: `W/${entityTag(parts)}`, gathers: !isEmpty, changesAt };
  }
}
