import { Controller, Get, Inject, Query } from '@nestjs/common';
import { Redirection, type Reply } from '#http';
import { databaseNow, currentLanguage, kernelProblem, SETTINGS, startOfDayInZone, type Settings } from '#kernel';
import { Access, AnyOrigin, currentTenant, type TenantIdentity } from '#tenancy';
import { calendarKeepsMs, feedLimit, pageLimit } from '../event-lists/agenda-limits.js';
import { agendaPage } from './agenda.page.js';
import { agendaCalendar } from '../event-lists/calendar.js';
import { newsFeed } from '../event-lists/news-feed.js';
import { GatheredEventsService } from '../network/gathered-events.service.js';
import { NetworkPagesService } from '../network/network-pages.service.js';
import { publicReply, hasAgenda, isNetwork, pageTenant } from '../frame/page-answer.js';
import { pageWords } from '../frame/pages.words.js';
import { PublicEventsService } from '../public-events/public-events.service.js';

/** The agenda of a tenant for people, calendars and feed readers. */
@Controller()
@Access('public')
export class AgendaController {
  constructor(
    private readonly events: PublicEventsService,
    private readonly gathered: GatheredEventsService,
    private readonly network: NetworkPagesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async home(@Query('from') from: unknown, @Query() query: Record<string, unknown>): Promise<Reply<string> | Redirection> {
    if (isNetwork()) return this.network.home(query);
    if (!hasAgenda(currentTenant())) return new Redirection(302, '/admin');
    const tenant = currentTenant();
    const start = startOf(from, tenant);
    const now = databaseNow();
    // One more than is shown, to know whether there are later ones.
    const { venue, events: own } = await this.events.coming(pageLimit + 1, now, start?.instant);
    const events = await this.gathered.among(own, pageLimit + 1, now, start?.instant);
    const page = agendaPage({ tenant, settings: this.settings, venue, events, now, from: start, limit: pageLimit });
    return publicReply('text/html', page, { foreignPictures: events.some(({ sender }) => sender !== undefined) });
  }

  @Get('agenda.ics')
  @AnyOrigin()
  async calendar(@Query() query: Record<string, unknown>): Promise<Reply<string>> {
    if (isNetwork()) return this.network.calendar(query);
    const tenant = pageTenant();
    const since = new Date(databaseNow().getTime() - calendarKeepsMs);
    const { venue, events: own } = await this.events.coming(feedLimit, since);
    const events = await this.gathered.among(own, feedLimit, since);
    return publicReply('text/calendar', agendaCalendar(events, venue, tenant, this.settings));
  }

  @Get('agenda.rss')
  @AnyOrigin()
  async news(@Query() query: Record<string, unknown>): Promise<Reply<string>> {
    if (isNetwork()) return this.network.news(query);
    const tenant = pageTenant();
    const { venue, events: own } = await this.events.coming(feedLimit, databaseNow());
    const events = await this.gathered.among(own, feedLimit, databaseNow());
    return publicReply('application/rss+xml', newsFeed(events, venue, tenant, this.settings));
  }
}

/** @throws Problem `query.invalid` when `from` is present but not a valid day */
function startOf(from: unknown, { timeZone }: TenantIdentity): { date: string; instant: Date } | undefined {
  if (from === undefined || from === '') return undefined;
  const instant = typeof from === 'string' ? startOfDayInZone(from, timeZone) : undefined;
  if (instant) return { date: from as string, instant };
  const detail = pageWords[currentLanguage()].writeDate;
  throw kernelProblem('query.invalid', { errors: [{ pointer: '/from', code: 'date', detail }] });
}
