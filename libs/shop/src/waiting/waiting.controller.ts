import { pageTenant, reader } from '#page-kit';
import { RefusedWaiting, WaitingLinks, WaitingListService, type ShownEntry } from '#waiting';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { currentLanguage, databaseNow, isUuid, kernelProblem, RefusedInput, siteOfClient } from '#kernel';
import { EventPagesService, PublicEventsService, waitingFormWords, type EventPage } from '#pages';
import { EnteredCodesService, RefusedDraft } from '#selling';
import { Access } from '#tenancy';
import { Body, Controller, Get, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { OfferBookingService } from './offer-booking.service.js';
import { WaitingPagesService } from './waiting-pages.service.js';

type Shown = Reply<string> | Reply<Redirection>;

const fields = ['price', 'quantity', 'email'] as const;

/** The waiting lists of sold-out events: joining, and the page behind the link in each mail. */
@Controller()
@Access('public')
export class WaitingController {
  constructor(
    private readonly list: WaitingListService,
    private readonly links: WaitingLinks,
    private readonly events: EventPagesService,
    private readonly pages: WaitingPagesService,
    private readonly bookings: OfferBookingService,
    private readonly venue: PublicEventsService,
    private readonly codes: EnteredCodesService,
  ) {}

  @Post('event/:slug/wait')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: fields })
  async join(@Param('slug') slug: string, @Body() body: unknown, @Ip() client: string): Promise<Shown> {
    pageTenant();
    const textOf = reader(body);
    const typed = { price: textOf('price'), quantity: textOf('quantity').trim().slice(0, 20), email: textOf('email').trim() };
    const page = await this.events.find(slug);
    const { event } = page;
    if (event.sameAs !== null) throw kernelProblem('route.unknown');
    try {
      if (!isUuid(typed.price)) throw new RefusedWaiting('no_list', 'price');
      const quantity = /^\d{1,3}$/.test(typed.quantity) ? Number(typed.quantity) : 0;
      const code = await this.codeOf(textOf('code'), client);
      const wanted = { eventId: event.id, priceId: typed.price, quantity, email: typed.email, language: currentLanguage(), code };
      const id = await this.list.join(wanted, siteOfClient(client));
      return await this.pages.sent(page, typed.email, id && this.links.pathTo(id));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.refuse(page, { ...typed, code: textOf('code') }, error);
    }
  }

  @Get('waiting/:id/:mark')
  async show(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    return this.page(await this.find(id, mark));
  }

  /** POST only, because programs that check mails follow links. */
  @Post('waiting/:id/:mark/confirm')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async confirm(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    await this.find(id, mark);
    await this.list.confirm(id);
    return seeOther(this.links.pathTo(id));
  }

  @Post('waiting/:id/:mark/leave')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async leave(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    await this.find(id, mark);
    await this.list.leave(id);
    return seeOther(this.links.pathTo(id));
  }

  /** Books the offered places at once, or leads to the contact form when something is to be paid or asked. */
  @Post('waiting/:id/:mark/book')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async book(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    const entry = await this.find(id, mark);
    try {
      const path = await this.bookings.book(entry, await this.venue.hasTerms());
      return seeOther(path ?? this.links.pathTo(id));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.page(entry, error.message);
    }
  }

  private async page(entry: ShownEntry, fault?: string): Promise<Shown> {
    const path = this.links.pathTo(entry.id);
    const acceptsTerms = (await this.venue.hasTerms()) && (await this.bookings.isAtOnce(entry));
    return this.pages.entry(entry, { path, acceptsTerms, ...(fault !== undefined && { fault }) });
  }

  /** Shows the form as it was typed. Without a form, places are free again, or the page of the event says why nobody can wait. */
  private async refuse(
    page: EventPage,
    { code, ...typed }: { price: string; quantity: string; email: string; code: string },
    error: RefusedInput,
  ): Promise<Shown> {
    const waiting = await this.events.waiting(page);
    if (!waiting) return isOnSale(page) ? this.pages.free(page) : seeOther(`/event/${page.event.slug}`);
    const text = error instanceof RefusedWaiting && error.reason === 'no_list' ? waitingFormWords[currentLanguage()].free : error.message;
    const isOften = error instanceof RefusedDraft || (error instanceof RefusedWaiting && error.reason.startsWith('too_many'));
    const status = isOften ? 429 : error instanceof RefusedWaiting ? 409 : 422;
    // The form does not show the code, which is one of the price.
    const field = error.field === 'code' ? 'price' : error.field;
    return this.pages.form(page, { ...waiting, typed, code: code || undefined, faults: new Map([[`wait-${field}`, text]]) }, status);
  }

  /** Nobody waits in vain for a code: one that cannot be used now is not kept. @throws RefusedDraft when too many codes were tried */
  private async codeOf(typed: string, client: string): Promise<string | undefined> {
    try {
      return await this.codes.enter(typed, client);
    } catch (error) {
      if (!(error instanceof RefusedInput) || error instanceof RefusedDraft) throw error;
      return undefined;
    }
  }

  /** @throws Problem `route.unknown` when the link is not valid, or the entry was deleted */
  private async find(id: string, mark: string): Promise<ShownEntry> {
    pageTenant();
    const entry = isUuid(id) && this.links.opens(id, mark) ? await this.list.find(id) : undefined;
    if (!entry) throw kernelProblem('route.unknown');
    return entry;
  }
}

/** Whether tickets can be booked again. */
function isOnSale({ event, isCancelled, prices }: EventPage): boolean {
  return !isCancelled && event.startsAt > databaseNow() && prices.some(({ sale, soldOut }) => sale === 'open' && !soldOut);
}
