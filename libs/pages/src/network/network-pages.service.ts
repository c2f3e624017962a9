import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { hashTag } from '#http';
import { currentLanguage, databaseNow, dateOf, SETTINGS, type Settings } from '#kernel';
import { NetworkAgendaService, toNetworkEvent, type AgendaFilter, type GatheredEvent } from '#places';
import { currentTenant, Tenants, tenantUrl } from '#tenancy';
import type { Request, Response } from 'express';
import { agendaCalendar } from '../calendar.js';
import { newsFeed } from '../news-feed.js';
import { PublicEvents, type ListedEvent, type Venue } from '../public-events.service.js';
import { sitemapXml } from '../sitemap.js';
import { calendarKeepsMs, feedLimit, pageLimit } from '../agenda-limits.js';
import { agendaHref, readAgendaQuery, toAgendaFilter, type AgendaQuery } from './agenda-query.js';
import { toListedEvent } from './listed-event.js';
import { networkAgendaPage } from './network-agenda.page.js';
import { answerNetwork, prepareNetworkAnswer } from './network-answer.js';
import { pageOf } from './paging.js';
import { placesPage } from './places.page.js';

const sitemapLimit = 2000;
const placesLimit = 5000;
/** To be counted up when the answers are made in another way: who keeps one of before then asks for it anew. */
const shape = 1;

/** What somebody asked for, and what its answer depends on beside the events. */
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
    private readonly events: PublicEvents,
    private readonly tenants: Tenants,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The page of the agenda. @throws Problem 400 `query.invalid` with all faults, as all of these do */
  async home(request: Request, response: Response): Promise<void> {
    const asked = this.read(request, pageLimit + 1);
    const venue = await this.changed(request, response, asked);
    if (!venue) return;
    const { query, now } = asked;
    const tenant = currentTenant();
    const events = await this.list(asked);
    const { shown, next } = pageOf(events, pageLimit, tenant.timeZone, query);
    const hasForm = await this.hasForm();
    const page = networkAgendaPage({
      tenant,
      settings: this.settings,
      venue,
      query,
      events: shown,
      next,
      now,
      hasForm,
    });
    answerNetwork(response, 'text/html', page);
  }

  /** The same as schema.org events. */
  async json(request: Request, response: Response): Promise<void> {
    const asked = this.read(request, pageLimit + 1);
    if (!(await this.changed(request, response, asked))) return;
    const tenant = currentTenant();
    const gathered = await this.gathered(asked);
    const listed = gathered.map((event) => toListedEvent(event, this.settings));
    const { shown, next } = pageOf(listed, pageLimit, tenant.timeZone, asked.query);
    const language = currentLanguage();
    const results = gathered.slice(0, shown.length).map((event) => toNetworkEvent(event, tenantUrl(this.settings, event.sender, ''), language)); // prettier-ignore
    const following = next
      ? tenantUrl(this.settings, tenant, agendaHref('/agenda.json', asked.query, { ...next }))
      : null;
    answerNetwork(response, 'application/json', JSON.stringify({ results, next: following }));
  }

  async calendar(request: Request, response: Response): Promise<void> {
    const asked = this.read(request, feedLimit);
    const { filter, query } = asked;
    const since = query.from === undefined ? new Date(filter.since.getTime() - calendarKeepsMs) : filter.since;
    const wanted = { ...asked, filter: { ...filter, since } };
    const venue = await this.changed(request, response, wanted);
    if (!venue) return;
    const events = await this.list(wanted);
    answerNetwork(response, 'text/calendar', agendaCalendar(events, venue, currentTenant(), this.settings));
  }

  async news(request: Request, response: Response): Promise<void> {
    const asked = this.read(request, feedLimit);
    const venue = await this.changed(request, response, asked);
    if (!venue) return;
    const events = await this.list(asked);
    answerNetwork(response, 'application/rss+xml', newsFeed(events, venue, currentTenant(), this.settings));
  }

  /** Its own pages, and those of the events at the places that have them. */
  async sitemap(request: Request, response: Response): Promise<void> {
    const asked = this.read(request, sitemapLimit);
    if (!(await this.changed(request, response, asked))) return;
    const tenant = currentTenant();
    const events = await this.gathered(asked);
    const own = ['/', '/places'].map((path) => ({ address: tenantUrl(this.settings, tenant, path) }));
    const pages = events
      .filter(({ sameAs }) => sameAs === null)
      .map(({ sender, slug, updatedAt }) => ({
        address: tenantUrl(this.settings, sender, `/event/${slug}`),
        changed: updatedAt,
      }));
    answerNetwork(response, 'application/xml', sitemapXml([...own, ...pages]));
  }

  async places(response: Response): Promise<void> {
    const tenant = currentTenant();
    const [venue, places] = [
      await this.events.venue(),
      await this.agenda.places(tenant.id, databaseNow(), placesLimit),
    ];
    answerNetwork(
      response,
      'text/html',
      placesPage({ tenant, settings: this.settings, venue, places, hasForm: await this.hasForm() }),
    );
  }

  /** Where an event of the agenda has its page; undefined when it is none of this agenda. */
  async addressOf(slug: string): Promise<string | undefined> {
    const event = await this.agenda.find(currentTenant().id, { slug });
    return event && tenantUrl(this.settings, event.sender, `/event/${event.slug}`);
  }

  /** Whether everybody may create a place with the form of this agenda. */
  private async hasForm(): Promise<boolean> {
    return this.settings.tenantForm === 'open' && (await this.tenants.isFirstMeta());
  }

  private read(request: Request, limit: number): Asked {
    const { timeZone } = currentTenant();
    const now = databaseNow();
    const query = readAgendaQuery(request.query, timeZone);
    return { query, filter: toAgendaFilter(query, now, timeZone), limit, skip: query.skip ?? 0, now };
  }

  private gathered({ filter, limit, skip }: Asked): Promise<GatheredEvent[]> {
    return this.agenda.list('network', currentTenant().id, filter, { limit, skip });
  }

  private async list(asked: Asked): Promise<ListedEvent[]> {
    return (await this.gathered(asked)).map((event) => toListedEvent(event, this.settings));
  }

  /**
   * Answers 304 to who has this answer already; the state of its events costs a small part of them.
   * @returns what the network tells of itself; undefined when it is answered
   */
  private async changed(
    request: Request,
    response: Response,
    { query, filter, limit, skip, now }: Asked,
  ): Promise<Venue | undefined> {
    const { id, name, host, timeZone } = currentTenant();
    const state = await this.agenda.state('network', id, filter, { limit, skip }, now);
    const venue = await this.events.venue();
    const parts = [
      shape,
      request.path,
      query,
      currentLanguage(),
      dateOf(now, timeZone),
      name,
      host,
      timeZone,
      venue,
      state,
      await this.hasForm(),
    ];
    // Weak, because the same answer also goes out compressed.
    response.set('ETag', `W/${hashTag(createHash('sha256').update(JSON.stringify(parts)))}`);
    prepareNetworkAnswer(response);
    if (!request.fresh) return venue;
    response.status(304).end();
    return undefined;
  }
}
