import { Controller, Get, Headers, Inject, Ip, Param, Query } from '@nestjs/common';
import { Redirection, reply, type Reply } from '#http';
import { currentLanguage, kernelProblem, SETTINGS, type Settings } from '#kernel';
import { Access, AnyOrigin } from '#tenancy';
import { AccountReader, heldOrder, isNetwork, pageTenant, personalReply, publicReply, reader, sitesOf, type Visitor } from '#page-kit';
import { eventCalendar } from '../event-lists/calendar.js';
import { EventPagesService } from './event-pages.service.js';
import { sharedEvent, shareTag } from '../share-pictures/shared-event.js';
import { SharePicturesService } from '../share-pictures/share-pictures.service.js';
import type { EventPage } from '../public-events/public-events.service.js';
import { SharedEventPagesService } from './shared-event-pages.service.js';
import { NetworkPagesService } from '../network/network-pages.service.js';

/** One event for people and calendars at the path of its slug; its id redirects there. */
@Controller('event')
@Access('public')
export class EventController {
  constructor(
    private readonly events: EventPagesService,
    private readonly shared: SharedEventPagesService,
    private readonly pictures: SharePicturesService,
    private readonly network: NetworkPagesService,
    private readonly account: AccountReader,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  // Declared before the page, whose path pattern also matches.
  @Get(':slug.ics')
  @AnyOrigin()
  async calendar(@Param('slug') slug: string): Promise<Reply<Redirection | string>> {
    const tenant = pageTenant();
    const found = await this.events.find(slug);
    if (found.event.slug !== slug) return redirect(`/event/${found.event.slug}.ics`);
    return publicReply('text/calendar', eventCalendar(found, tenant, this.settings));
  }

  /** The event as schema.org data, for pages of other sites. */
  @Get(':slug.json')
  @AnyOrigin()
  async json(@Param('slug') slug: string): Promise<Reply<Redirection | string>> {
    pageTenant();
    const { found, booking, changesAt } = await this.shared.read(slug);
    if (found.event.slug !== slug) return redirect(`/event/${found.event.slug}.json`);
    return publicReply('application/json', this.events.json(found, booking), { isForAllSites: true, changesAt });
  }

  /** The picture of link previews, for events without one of their own. */
  @Get(':slug.png')
  @AnyOrigin()
  async picture(@Param('slug') slug: string): Promise<Reply<Redirection | Buffer>> {
    const tenant = pageTenant();
    const found = await this.events.find(slug);
    if (found.event.slug !== slug) return redirect(`/event/${found.event.slug}.png`);
    const shared = sharedEvent(found, tenant);
    const headers = {
      'Content-Type': 'image/png',
      'Content-Language': currentLanguage(),
      'Cache-Control': 'public, max-age=3600',
      ETag: shareTag(shared),
      'Cross-Origin-Resource-Policy': 'cross-origin',
    };
    return reply(() => this.pictures.get(shared), { headers, vary: 'Accept-Language, Cookie' });
  }

  /** The page before the event is published, for whoever has the signed link of the panel. */
  @Get(':slug/preview/:key')
  async preview(@Param('slug') slug: string, @Param('key') key: string): Promise<Reply<string>> {
    pageTenant();
    return personalReply(await this.events.preview(slug, key), { referrer: 'no-referrer' });
  }

  @Get(':slug')
  async page(
    @Param('slug') slug: string,
    @Ip() client: string,
    @Headers('cookie') cookie?: string,
    @Query() query?: unknown,
  ): Promise<Reply<Redirection | string>> {
    if (isNetwork()) return this.toSender(slug);
    pageTenant();
    const page = await this.shared.read(slug);
    const { found, booking, waiting, changesAt } = page;
    const typed = reader(query)('code');
    const shown = typed.slice(0, 60).toWellFormed();
    const code = typed.trim() === '' ? '' : `?code=${encodeURIComponent(shown)}`;
    if (found.event.slug !== slug) return redirect(`/event/${found.event.slug}${code}`);
    const sites = sitesOf(found.venue);
    // Only for who is signed in; all others share one page.
    const visitor = await this.account.visitor(cookie);
    // Who holds tickets of the event continues with them; it may be sold out for others.
    const order = heldOrder();
    const held = order?.slug === slug ? order : undefined;
    if (code !== '' && !held && found.event.sameAs === null)
      return personalReply(await this.withCode(found, typed, client, visitor), { sites });
    // Opening a link changes no order: the reader presses the button.
    const typedCode = held && code !== '' ? { typed: shown } : undefined;
    if (visitor ?? held) return personalReply(this.events.html(found, booking, { waiting, visitor, held, code: typedCode }), { sites });
    const { html, tag } = this.shared.write(page);
    return publicReply('text/html', html, { hasForm: true, sites, changesAt, tag });
  }

  /** The page with a code, for its reader alone. */
  private async withCode(page: EventPage, typed: string, client: string, visitor: Visitor | undefined): Promise<string> {
    const { found, key, code } = await this.events.withCode(page, typed, client);
    const booking = await this.events.booking(found);
    const waiting = await this.events.waiting(found, booking?.canPay);
    return this.events.html(found, booking && { ...booking, form: { ...booking.form, code: key } }, {
      waiting: waiting && { ...waiting, code: key },
      visitor,
      code,
    });
  }

  /** Redirects a network's event to its page at the sending place. @throws Problem `route.unknown` */
  private async toSender(slug: string): Promise<Reply<Redirection>> {
    const address = await this.network.addressOf(slug);
    if (!address) throw kernelProblem('route.unknown');
    return reply(new Redirection(302, address), { headers: { 'Cache-Control': 'public, no-cache' } });
  }
}

/** Cached for a minute only, because the event may be unpublished. */
function redirect(path: string): Reply<Redirection> {
  return reply(new Redirection(301, path), { headers: { 'Cache-Control': 'public, max-age=60' } });
}
