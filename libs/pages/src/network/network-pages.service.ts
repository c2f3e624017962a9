import { tagKey } from '#catalogue';
import type { Venue } from '#page-kit';
import { Inject, Injectable } from '@nestjs/common';
import { entityTag, type Reply } from '#http';
import { currentLanguage, databaseNow, dateOf, SETTINGS, type Settings } from '#kernel';
import { isFormPublic, NetworkAgendaService, toNetworkEvent, type AgendaFilter, type GatheredEvent } from '#places';
import { currentTenant, TenantsService, tenantUrl } from '#tenancy';
import { agendaCalendar } from '../event-lists/calendar.js';
import { newsFeed } from '../event-lists/news-feed.js';
import { ListAnswersService } from '../event-lists/list-answers.service.js';
import { PublicEventsService, type ListedEvent } from '../public-events/public-events.service.js';
import { sitemapXml } from '../event-lists/sitemap.js';
import { calendarKeepsMs, feedLimit, pageLimit } from '../event-lists/agenda-limits.js';
import { noFacets, type AgendaFacets } from '../public-events/agenda-facets.js';
import {
  agendaHref,
  networkParameters,
  readAgendaQuery,
  readPageQuery,
  toAgendaFilter,
  type AgendaQuery,
} from '../filters/agenda-query.js';
import { meantSearch } from '../filters/forgiving-search.js';
import { isEmptyState } from './gathered-events.service.js';
import { toListedEvent } from './listed-event.js';
import { networkAgendaPage } from './network-agenda.page.js';
import { networkReply } from './network-answer.js';
import { pageOf } from './paging.js';
import { placesPage } from './places.page.js';

const sitemapLimit = 2000;
const placesLimit = 5000;
/** Increment when the rendering changes: it invalidates the answers that clients have cached. */
const shape = 4;

interface State {
  readonly tag: string;
  readonly venue: Venue;
  readonly facets: AgendaFacets;
  /** The filter of the events: another one than was asked for when a search was meant otherwise. */
  readonly filter: AgendaFilter;
}

/** A request, and the data that its answer depends on besides the events. */
interface Asked {
  readonly query: AgendaQuery;
  readonly filter: AgendaFilter;
  readonly limit: number;
  readonly skip: number;
  readonly now: Date;
}

/** The agenda of a network (the current tenant) for people, calendars, feed readers, search engines and programs. */
@Injectable()
export class NetworkPagesService {
  constructor(
    private readonly agenda: NetworkAgendaService,
    private readonly events: PublicEventsService,
    private readonly tenants: TenantsService,
    private readonly answers: ListAnswersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The page of the agenda. @throws Problem 400 `query.invalid` with all errors; the other lists throw it too */
  home(query: unknown): Promise<Reply<string>> {
    const asked = this.read(query, pageLimit + 1, true);
    return this.unlessKnown('/', 'text/html', asked, async ({ venue, facets, filter }) => {
      const events = await this.list({ ...asked, filter });
      const meant = filter.text === asked.query.q ? undefined : filter.text;
      const reading = { venue, paysOnline: false, now: asked.now };
      const { settings } = this;
      const hasForm = await this.hasForm();
      return networkAgendaPage({ tenant: currentTenant(), settings, reading, query: asked.query, facets, events, meant, hasForm });
    });
  }

  /** The agenda as schema.org events. */
  json(query: unknown): Promise<Reply<string>> {
    const asked = this.read(query, pageLimit + 1);
    return this.unlessKnown('/agenda.json', 'application/json', asked, async () => {
      const tenant = currentTenant();
      const gathered = await this.gathered(asked);
      const listed = gathered.map((event) => toListedEvent(event, this.settings));
      const { shown, next } = pageOf(listed, pageLimit, tenant.timeZone, asked.query);
      const language = currentLanguage();
      const results = gathered
        .slice(0, shown.length)
        .map((event) => toNetworkEvent(event, tenantUrl(this.settings, event.sender, ''), language));
      const following = next ? tenantUrl(this.settings, tenant, agendaHref('/agenda.json', asked.query, { ...next })) : null;
      return JSON.stringify({ results, next: following });
    });
  }

  calendar(query: unknown): Promise<Reply<string>> {
    const read = this.read(query, feedLimit);
    const { filter } = read;
    const since = read.query.from === undefined ? new Date(filter.since.getTime() - calendarKeepsMs) : filter.since;
    const asked = { ...read, filter: { ...filter, since } };
    return this.unlessKnown('/agenda.ics', 'text/calendar', asked, async ({ venue }) =>
      agendaCalendar(await this.list(asked), venue, currentTenant(), this.settings),
    );
  }

  feed(query: unknown): Promise<Reply<string>> {
    const asked = this.read(query, feedLimit);
    return this.unlessKnown('/agenda.rss', 'application/rss+xml', asked, async ({ venue }) =>
      newsFeed(await this.list(asked), venue, currentTenant(), this.settings),
    );
  }

  /** The network's own pages, and the event pages of its members. */
  sitemap(query: unknown): Promise<Reply<string>> {
    const asked = this.read(query, sitemapLimit);
    return this.unlessKnown('/sitemap.xml', 'application/xml', asked, async () => {
      const tenant = currentTenant();
      const events = await this.gathered(asked);
      const own = ['/', '/places'].map((path) => ({ address: tenantUrl(this.settings, tenant, path) }));
      const pages = events
        .filter(({ sameAs }) => sameAs === null)
        .map(({ sender, slug, updatedAt }) => ({
          address: tenantUrl(this.settings, sender, `/event/${slug}`),
          changed: updatedAt,
        }));
      return sitemapXml([...own, ...pages]);
    });
  }

  async places(): Promise<Reply<string>> {
    const now = databaseNow();
    const { body, state } = await this.answers.answer({
      key: '/places',
      state: () => this.placesState(now),
      make: async ({ venue, hasForm }) => {
        const tenant = currentTenant();
        const places = await this.agenda.places(tenant.id, now, placesLimit);
        return placesPage({ tenant, settings: this.settings, venue, places, hasForm });
      },
    });
    return networkReply('text/html', body, state.tag);
  }

  /** The URL of an event's page; undefined when the event is not in this agenda. */
  async addressOf(slug: string): Promise<string | undefined> {
    const event = await this.agenda.find(currentTenant().id, { slug });
    return event && tenantUrl(this.settings, event.sender, `/event/${event.slug}`);
  }

  /** Whether everybody may create a place with the form of this agenda. */
  private async hasForm(): Promise<boolean> {
    return isFormPublic(this.settings) && (await this.tenants.isFirstMeta());
  }

  private read(sent: unknown, limit: number, isPage = false): Asked {
    const { timeZone } = currentTenant();
    const now = databaseNow();
    const parameters = sent as Record<string, unknown>;
    const query = isPage
      ? readPageQuery(parameters, timeZone, networkParameters, now)
      : readAgendaQuery(parameters, timeZone, networkParameters);
    return { query, filter: toAgendaFilter(query, now, timeZone), limit, skip: query.skip ?? 0, now };
  }

  private gathered({ filter, limit, skip }: Asked): Promise<GatheredEvent[]> {
    return this.agenda.list('network', currentTenant().id, filter, { limit, skip });
  }

  private async list(asked: Asked): Promise<ListedEvent[]> {
    return (await this.gathered(asked)).map((event) => toListedEvent(event, this.settings));
  }

  /**
   * Answers a list. Reading the state of the events is much cheaper than reading the events, which happens only for clients with another
   * version.
   * @param path path of the answer; its entity tag depends on it
   * @param body renders the answer from the network's profile
   */
  private async unlessKnown(path: string, type: string, asked: Asked, body: (state: State) => Promise<string>): Promise<Reply<string>> {
    const { body: make, state } = await this.answers.answer({
      key: `${path} ${JSON.stringify(asked.query)}`,
      state: () => this.state(path, asked),
      make: body,
    });
    return networkReply(type, make, state.tag);
  }

  private async state(path: string, { query, filter: typed, limit, skip, now }: Asked): Promise<State> {
    const { id, name, host, timeZone } = currentTenant();
    const isPage = path === '/';
    const stateOf = (filter: AgendaFilter): Promise<string> => this.agenda.state('network', id, filter, { limit, skip }, now);
    const typedState = await stateOf(typed);
    const meant = isPage && isEmptyState(typedState) ? await this.meantFilter(typed, now) : undefined;
    const filter = meant ?? typed;
    const state = meant ? await stateOf(meant) : typedState;
    const facets = isPage ? await this.facets(now) : noFacets;
    const venue = await this.events.venue();
    const day = dateOf(now, timeZone);
    const language = currentLanguage();
    const parts = [shape, path, query, filter.text, language, day, name, host, timeZone, venue, state, facets, await this.hasForm()];
    // Weak, because the same answer is also sent compressed.
    return { tag: `W/${entityTag(parts)}`, venue, facets, filter };
  }

  private async facets(now: Date): Promise<AgendaFacets> {
    const { kinds, tags, places } = await this.agenda.facets(currentTenant().id, now);
    return { kinds, tags: tags.map((tag) => ({ key: tagKey(tag), name: tag })), places, hasFree: false };
  }

  /** The filter of the search that was meant, when the typed one finds nothing; undefined: there is none. */
  private async meantFilter(filter: AgendaFilter, now: Date): Promise<AgendaFilter | undefined> {
    if (filter.text === undefined) return undefined;
    const text = await meantSearch(filter.text, await this.agenda.spelledTexts(currentTenant().id, now));
    return text === undefined ? undefined : { ...filter, text };
  }

  private async placesState(now: Date): Promise<{ tag: string; venue: Venue; hasForm: boolean }> {
    const { id, name, host } = currentTenant();
    const state = await this.agenda.placesState(id, now, placesLimit);
    const venue = await this.events.venue();
    const hasForm = await this.hasForm();
    return { tag: `W/${entityTag([shape, '/places', currentLanguage(), name, host, venue, state, hasForm])}`, venue, hasForm };
  }
}
