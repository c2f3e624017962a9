import { DraftsService, RefusedBooking, RefusedDraft, type DraftChoice } from '#booking';
import type { Reply } from '#http';
import { currentLanguage, kernelProblem, RefusedInput } from '#kernel';
import {
  AccountReader,
  bookingWords,
  EventPagesService,
  isPayable,
  personalReply,
  sitesOf,
  type BookingForm,
  type EventPage,
} from '#pages';
import { Injectable } from '@nestjs/common';
import { readTickets, ticketFaults, type SentTickets } from './tickets-form.dto.js';

/** The form, and the header `Cookie` of its reader, who may be signed in. */
type Form = Omit<BookingForm, 'typed' | 'faults'> & { readonly cookie?: string | undefined };

/** Takes the form with the tickets, on the page of the event or for an order that was begun. */
@Injectable()
export class TicketChoiceService {
  constructor(
    private readonly drafts: DraftsService,
    private readonly events: EventPagesService,
    private readonly account: AccountReader,
  ) {}

  /**
   * Runs `take` with the chosen tickets. A refusal shows the page again with what was typed.
   * @returns what `take` returns, or the page
   */
  async choose<Result>(
    slug: string,
    body: unknown,
    form: Form,
    take: (choice: DraftChoice, drafts: DraftsService) => Promise<Result>,
  ): Promise<Result | Reply<string>> {
    const page = await this.read(slug);
    const language = currentLanguage();
    const sent = readTickets(body, language);
    const faults = await this.faultsOf(page, sent);
    if (faults.size > 0) return this.show(page, { ...form, typed: sent.typed, faults }, 422);
    try {
      return await take({ eventId: page.event.id, lines: sent.lines, options: sent.options }, this.drafts);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      // Read again, because the refusal tells that the page changed.
      const now = await this.read(slug);
      return this.show(now, { ...form, typed: sent.typed, faults: ticketFaults(error, sent.lines, now, language) }, statusOf(error));
    }
  }

  /** The page of the event with a form of one buyer. */
  async show(page: EventPage, { cookie, ...form }: BookingForm & Pick<Form, 'cookie'>, status = 200): Promise<Reply<string>> {
    const cart = form.kind === 'book' ? await this.events.cartPath(page) : undefined;
    const visitor = await this.account.visitor(cookie);
    const html = this.events.html(page, { form: { ...form, cart }, canPay: await this.events.canPay(page) }, { visitor });
    return personalReply(html, { status, sites: sitesOf(page.venue) });
  }

  /** @throws Problem `route.unknown` when the event is not public, or sold elsewhere */
  async read(slug: string): Promise<EventPage> {
    const page = await this.events.find(slug);
    if (page.event.sameAs !== null) throw kernelProblem('route.unknown');
    return page;
  }

  /** Faults of the input, and prices that are not sold on this page. */
  private async faultsOf(page: EventPage, { lines, faults }: SentTickets): Promise<ReadonlyMap<string, string>> {
    const canPay = await this.events.canPay(page);
    const shut = lines.filter(({ priceId }) => {
      const price = page.prices.find(({ id }) => id === priceId);
      // What is sold out or not on sale is refused when it is booked.
      return price?.sale === 'open' && !price.soldOut && !isPayable(price, canPay);
    });
    return new Map([...faults, ...shut.map(({ priceId }) => [`q-${priceId}`, bookingWords[currentLanguage()].atVenueOnly] as const)]);
  }
}

function statusOf(error: RefusedInput): number {
  if (error instanceof RefusedDraft) return error.reason === 'too_many_held' ? 429 : 409;
  return error instanceof RefusedBooking ? 409 : 422;
}
