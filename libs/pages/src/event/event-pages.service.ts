import { MembershipOrdersService } from '#memberships';
import { DraftCompletionService, EnteredCodesService } from '#selling';
import { eventEnd, EventPreviewLinks, EventsService } from '#catalogue';
import { costsNothing, currentLanguage, databaseNow, kernelProblem, RefusedInput, SETTINGS, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import type { EnteredCode } from '../codes/code-form.js';
import { appliedCode, pricesWith } from '../codes/coded-page.js';
import { PublicEventsService, type EventPage } from '../public-events/public-events.service.js';
import { isBookable } from '../ticket-forms/booking-offer.js';
import { waitablePrices, type WaitingForm } from '../ticket-forms/waiting-form.js';
import { eventJsonLd, type EventPageInput } from './event-json-ld.js';
import { eventPage } from './event.page.js';

/** A page with a code. */
export interface CodedEventPage {
  readonly found: EventPage;
  /** The code that applies; absent: none. */
  readonly key?: string;
  /** What the field for it says. */
  readonly code?: EnteredCode;
}

/** Pages of the current tenant's events, with the form that sells their tickets. */
@Injectable()
export class EventPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly orders: DraftCompletionService,
    private readonly memberships: MembershipOrdersService,
    private readonly drafts: EventsService,
    private readonly previews: EventPreviewLinks,
    private readonly codes: EnteredCodesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @param slugOrId slug or UUID @throws Problem `route.unknown` when there is no public event */
  async find(slugOrId: string): Promise<EventPage> {
    const found = await this.events.find(slugOrId);
    if (!found) throw kernelProblem('route.unknown');
    return found;
  }

  /** The page of an event that is not public yet. @param key of its link @throws Problem `route.unknown` when the link is not valid */
  async preview(slug: string, key: string): Promise<string> {
    const event = await this.drafts.find(slug);
    if (!event || !this.previews.opens(event.id, key)) throw kernelProblem('route.unknown');
    const page = await this.events.pageOf(event, false);
    return eventPage({ ...page, tenant: currentTenant(), settings: this.settings, now: databaseNow(), isPreview: true });
  }

  /**
   * A page with a code that a buyer entered. A code that cannot be used here changes nothing but what the field for it says.
   * @param typed in any spelling
   * @param client IP address of the buyer
   * @param order that the buyer changes, or their cart
   */
  withCode(page: EventPage, typed: string, client: string, order?: string): Promise<CodedEventPage> {
    return this.coded(page, typed, { order, find: () => this.codes.enter(typed, client) });
  }

  /** The same with a code that was entered before. @param code as `codeKey` writes it */
  pricedWith(page: EventPage, code: string | undefined, order?: string): Promise<CodedEventPage> {
    return this.coded(page, code ?? '', { order, find: async () => code });
  }

  private async coded(
    page: EventPage,
    typed: string,
    { order, find }: { readonly order: string | undefined; readonly find: () => Promise<string | undefined> },
  ): Promise<CodedEventPage> {
    try {
      const code = await find();
      if (code === undefined) return { found: page };
      const used = await this.codes.at(page.event.id, code, { order });
      const opened = used.opened.length > 0 ? await this.events.pageOf(page.event, page.isCancelled, used.opened) : page;
      const found = { ...opened, prices: pricesWith(opened.prices, used) };
      return { found, key: code, code: appliedCode(used, found.prices, currentLanguage()) };
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return { found: page, code: { typed: typed.slice(0, 60), fault: error.message } };
    }
  }

  /** Whether buyers of its tickets can pay on the public pages. True for events that cost nothing. */
  async canPay({ event, prices }: EventPage): Promise<boolean> {
    const costs = prices.some(({ amount, freeAmount }) => freeAmount || !costsNothing(amount));
    return !costs || this.orders.canPay(event.id);
  }

  /** Where the tickets of an event are added to a cart; undefined when the venue sells nothing else. */
  async cartPath({ event }: EventPage): Promise<string | undefined> {
    const sellsMore = (await this.events.sellsOthers(event.id, databaseNow())) || (await this.memberships.sellsForCart());
    return sellsMore ? `/cart/event/${event.slug}` : undefined;
  }

  /** What the public page offers, the same for everybody; undefined when nothing can be booked here. */
  async booking(page: EventPage): Promise<EventPageInput['booking']> {
    const { event, isCancelled, prices } = page;
    if (isCancelled || isPostponed(event) || event.sameAs !== null || prices.length === 0) return undefined;
    if (eventEnd(event, this.settings) < databaseNow()) return undefined;
    // Sold out, or not on sale: how it could be paid does not matter.
    if (!prices.some((price) => isBookable(price, true))) return undefined;
    const canPay = await this.canPay(page);
    if (!prices.some((price) => isBookable(price, canPay))) return undefined;
    return { form: { action: `/event/${event.slug}/book`, kind: 'book', cart: await this.cartPath(page) }, canPay };
  }

  /**
   * The event as schema.org data, which can be sent to the API as a new event: without gallery and series, which the
   * API does not take.
   * @param booking as for `html`
   */
  json(page: EventPage, booking: EventPageInput['booking']): string {
    const tenant = currentTenant();
    const { settings } = this;
    const url = tenantUrl(settings, tenant, `/event/${page.event.slug}`);
    return JSON.stringify(eventJsonLd({ ...page, gallery: [], series: null, tenant, settings, now: databaseNow(), booking }, url));
  }

  /**
   * The form of the waiting list, the same for everybody; undefined when nothing that could be booked here is sold out.
   * @param canPay when it is known already
   */
  async waiting(page: EventPage, canPay?: boolean): Promise<WaitingForm | undefined> {
    const { event, isCancelled, prices } = page;
    if (isCancelled || isPostponed(event) || event.sameAs !== null) return undefined;
    if (event.startsAt <= databaseNow() || !prices.some(({ soldOut }) => soldOut)) return undefined;
    const waitable = waitablePrices(prices, canPay ?? (await this.canPay(page)));
    if (waitable.length === 0) return undefined;
    return { action: `/event/${event.slug}/wait`, prices: waitable, maxPerUser: event.maxPerUser };
  }

  /** @param booking undefined: nothing can be booked @param more.visitor, more.held only for a page that is not cached */
  html(
    page: EventPage,
    booking: EventPageInput['booking'],
    more: Pick<EventPageInput, 'waiting' | 'visitor' | 'held' | 'code'> = {},
  ): string {
    return eventPage({ ...page, tenant: currentTenant(), settings: this.settings, now: databaseNow(), booking, ...more });
  }
}

/** It has no date, so nothing is sold for it. */
const isPostponed = ({ alteration }: EventPage['event']): boolean => alteration === 'postponed';
