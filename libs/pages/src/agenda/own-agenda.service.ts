import { Inject, Injectable } from '@nestjs/common';
import { entityTag, type Reply } from '#http';
import { currentLanguage, databaseNow, dateOf, SETTINGS, type Settings } from '#kernel';
import { currentTenant, type TenantIdentity } from '#tenancy';
import { calendarKeepsMs, feedLimit, pageLimit, sitemapLimit } from '../event-lists/agenda-limits.js';
import { agendaJson } from '../event-lists/agenda-json.js';
import { agendaCalendar } from '../event-lists/calendar.js';
import { ListAnswersService } from '../event-lists/list-answers.service.js';
import { newsFeed } from '../event-lists/news-feed.js';
import { ownSitemap } from '../event-lists/sitemap.js';
import { publicReply } from '../frame/page-answer.js';
import { GatheredEventsService } from '../network/gathered-events.service.js';
import { PublicEventsService, type ListedEvent, type Venue } from '../public-events/public-events.service.js';
import { agendaPage, type Agenda } from './agenda.page.js';

/** Increment when the rendering changes: it invalidates the answers that clients have cached. */
const shape = 2;

interface Wanted {
  readonly path: string;
  readonly type: string;
  readonly limit: number;
  /** Excludes events that ended before. */
  readonly end: Date;
  readonly from?: Agenda['from'];
  readonly now: Date;
  readonly withPrices: boolean;
}

interface Listed {
  readonly venue: Venue;
  readonly events: readonly ListedEvent[];
  readonly tenant: TenantIdentity;
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

  /** The page of the agenda. @param from the first day that is shown; undefined: from now on */
  page(from: Agenda['from']): Promise<Reply<string>> {
    const now = databaseNow();
    const { settings } = this;
    // Reads one more than is shown, to know whether there are later events.
    const wanted = { path: '/', type: 'text/html', limit: pageLimit + 1, end: now, from, now, withPrices: true };
    return this.answer(wanted, (listed) => agendaPage({ ...listed, settings, now, from, limit: pageLimit }));
  }

  calendar(): Promise<Reply<string>> {
    const now = databaseNow();
    const end = new Date(now.getTime() - calendarKeepsMs);
    const wanted = { path: '/agenda.ics', type: 'text/calendar', limit: feedLimit, end, now, withPrices: false };
    return this.answer(wanted, ({ events, venue, tenant }) => agendaCalendar(events, venue, tenant, this.settings));
  }

  feed(): Promise<Reply<string>> {
    const now = databaseNow();
    const wanted = { path: '/agenda.rss', type: 'application/rss+xml', limit: feedLimit, end: now, now, withPrices: false };
    return this.answer(wanted, ({ events, venue, tenant }) => newsFeed(events, venue, tenant, this.settings));
  }

  /** The events of the page as schema.org events, for programs and pages of other sites. @param from as for `page` */
  json(from: Agenda['from']): Promise<Reply<string>> {
    const now = databaseNow();
    const wanted = { path: '/agenda.json', type: 'application/json', limit: pageLimit + 1, end: now, from, now, withPrices: true };
    return this.answer(wanted, ({ events, tenant }) => agendaJson({ events, tenant, settings: this.settings, limit: pageLimit }));
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
      make: async () => ownSitemap((await this.events.latest(sitemapLimit)).events, currentTenant(), this.settings),
    });
    return publicReply('application/xml', body, { tag: state.tag });
  }

  /** Reads and renders the body only when the client does not have the current version. */
  private async answer(wanted: Wanted, make: (listed: Listed) => Promise<string>): Promise<Reply<string>> {
    const { path, type, limit, end, from, withPrices } = wanted;
    const { body, state } = await this.answers.answer({
      key: `${path} ${from?.date ?? ''}`,
      state: () => this.state(wanted),
      make: async () => {
        const { venue, events: own } = await this.events.coming({ limit, end, start: from?.instant, withPrices });
        const events = await this.gathered.among(own, limit, end, from?.instant);
        return make({ venue, events, tenant: currentTenant() });
      },
    });
    return publicReply(type, body, { tag: state.tag, foreignPictures: state.gathers });
  }

  /** The entity tag of an answer, and whether it may show events of other places. */
  private async state({ path, limit, end, from, now, withPrices }: Wanted): Promise<{ tag: string; gathers: boolean }> {
    const { name, host, timeZone } = currentTenant();
    const own = await this.events.comingState({ limit, end, start: from?.instant, withPrices }, now);
    const { state: others, isEmpty } = await this.gathered.state(limit, end, from?.instant, now);
    const parts = [shape, path, from?.date, currentLanguage(), dateOf(now, timeZone), name, host, timeZone, own, others];
    // Weak, because the same answer is also sent compressed.
    return { tag: `W/${entityTag(parts)}`, gathers: !isEmpty };
  }
}
