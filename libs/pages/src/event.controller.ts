import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { databaseNow, kernelProblem, SETTINGS, type Settings } from '#kernel';
import { Access, AnyOrigin } from '#tenancy';
import type { Response } from 'express';
import { eventCalendar } from './calendar.js';
import { eventPage } from './event.page.js';
import { NetworkPagesService } from './network/network-pages.service.js';
import { answerPublic, isNetwork, pageTenant } from './page-answer.js';
import { PublicEvents, type EventPage } from './public-events.service.js';

/** One event for people and calendars, under its slug; under its id, a redirect there. */
@Controller('event')
@Access('public')
export class EventController {
  constructor(
    private readonly events: PublicEvents,
    private readonly network: NetworkPagesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  // Before the page, whose pattern fits as well.
  @Get(':slug.ics')
  @AnyOrigin()
  async calendar(@Param('slug') slug: string, @Res() response: Response): Promise<void> {
    const tenant = pageTenant();
    const found = await this.read(slug);
    if (found.event.slug !== slug) return redirect(response, `/event/${found.event.slug}.ics`);
    answerPublic(response, 'text/calendar', eventCalendar(found, tenant, this.settings));
  }

  @Get(':slug')
  async page(@Param('slug') slug: string, @Res() response: Response): Promise<void> {
    if (isNetwork()) return this.toSender(slug, response);
    const tenant = pageTenant();
    const found = await this.read(slug);
    if (found.event.slug !== slug) return redirect(response, `/event/${found.event.slug}`);
    answerPublic(response, 'text/html', eventPage({ ...found, tenant, settings: this.settings, now: databaseNow() }));
  }

  /** The page of a network's event is at the place that sends it. @throws Problem `route.unknown` */
  private async toSender(slug: string, response: Response): Promise<void> {
    const address = await this.network.addressOf(slug);
    if (!address) throw kernelProblem('route.unknown');
    response.set('Cache-Control', 'public, no-cache').redirect(302, address);
  }

  /** @throws Problem `route.unknown` */
  private async read(slug: string): Promise<EventPage> {
    const found = await this.events.find(slug);
    if (!found) throw kernelProblem('route.unknown');
    return found;
  }
}

/** For a minute only: an event that is taken back must not live on in caches. */
function redirect(response: Response, path: string): void {
  response.set('Cache-Control', 'public, max-age=60').redirect(301, path);
}
