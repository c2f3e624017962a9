import { AccountReader, personalReply, reader, sitesOf } from '#page-kit';
import { RefusedDraft, type DraftChoice } from '#selling';
import { RefusedBooking } from '#tickets';
import type { Reply } from '#http';
import { currentLanguage, kernelProblem, RefusedInput } from '#kernel';
import {
  bookingWords,
  EventPagesService,
  isPayable,
  SharedEventPagesService,
  type BookingForm,
  type CodedEventPage,
  type SharedEventPage,
} from '#pages';
import { hasModule } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { readTickets, ticketFaults, type SentTickets } from './tickets-form.dto.js';

/** The form, and the header `Cookie` of its reader, who may be signed in. */
type Form = Omit<BookingForm, 'typed' | 'faults' | 'code'> & Buyer;

interface Buyer {
  readonly cookie?: string | undefined;
  /** Id of the order, or of the cart, whose tickets the form replaces. */
  readonly held?: string | undefined;
}

/** The same with the IP address of the buyer, who may try codes. */
type SentForm = Form & { readonly client: string };

/** Takes the form with the tickets, on the page of the event or for an order that was begun. */
@Injectable()
export class TicketChoiceService {
  constructor(
    private readonly events: EventPagesService,
    private readonly shared: SharedEventPagesService,
    private readonly account: AccountReader,
  ) {}

  /**
   * Runs `take` with the chosen tickets, which say whether a pass for all dates is among them. A refusal shows the page
   * again with what was typed.
   * @returns what `take` returns, or the page
   */
  async choose<Result>(
    slug: string,
    body: unknown,
    form: SentForm,
    take: (choice: DraftChoice) => Promise<Result>,
  ): Promise<Result | Reply<string>> {
    const { client, held, ...shown } = form;
    const read = await this.read(slug);
    const { found, key, code } = await this.events.withCode(read.found, reader(body)('code'), client, held);
    const page = { ...read, found };
    const language = currentLanguage();
    const sent = readTickets(body, language);
    const faults = await this.faultsOf(page, sent);
    const again = { ...shown, code: key, typed: sent.typed };
    if (faults.size > 0 || code?.fault !== undefined) return this.show({ ...page, code }, { ...again, faults }, 422);
    try {
      const allDates = sent.lines.some(({ priceId }) => page.found.prices.some(({ id, pass }) => id === priceId && pass !== null));
      const visitor = hasModule('membership') ? await this.account.visitor(form.cookie) : undefined;
      const buying = visitor && { memberships: [...visitor.memberships] };
      return await take({ eventId: page.found.event.id, lines: sent.lines, options: sent.options, code: key, allDates, buying });
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.refuse(slug, { ...again, held }, error, sent.lines);
    }
  }

  /** The page after a refusal, with what was typed. It is read again, because the refusal tells that it changed. */
  async refuse(
    slug: string,
    { held, ...form }: BookingForm & Form,
    error: RefusedInput,
    lines: DraftChoice['lines'],
  ): Promise<Reply<string>> {
    const now = await this.read(slug, { isNew: true });
    const { found, key, code } = await this.events.pricedWith(now.found, form.code, held);
    const faults = ticketFaults(error, lines, found, currentLanguage());
    return this.show({ ...now, found, code }, { ...form, code: key, faults }, statusOf(error));
  }

  /** The page of the event with a form of one buyer. */
  async show(
    { found, booking, code }: SharedEventPage & Pick<CodedEventPage, 'code'>,
    { cookie, ...form }: BookingForm & Pick<Buyer, 'cookie'>,
    status = 200,
  ): Promise<Reply<string>> {
    const cart = form.kind === 'book' ? (booking ? booking.form.cart : await this.events.cartPath(found)) : undefined;
    const canPay = booking?.canPay ?? (await this.events.canPay(found));
    const visitor = await this.account.visitor(cookie);
    const html = this.events.html(found, { form: { ...form, cart }, canPay }, { visitor, code });
    return personalReply(html, { status, sites: sitesOf(found.venue) });
  }

  /** See `SharedEventPagesService.read`. @throws Problem `route.unknown` when the event is not public, or sold elsewhere */
  async read(slug: string, how: { readonly isNew?: boolean } = {}): Promise<SharedEventPage> {
    const page = await this.shared.read(slug, how);
    if (page.found.event.sameAs !== null) throw kernelProblem('route.unknown');
    return page;
  }

  /** The same with the prices of a code that applies already. @param held id of the order that uses it */
  async readWith(slug: string, code: string | undefined, held: string): Promise<SharedEventPage & Pick<CodedEventPage, 'code'>> {
    const page = await this.read(slug);
    const { found, code: shown } = await this.events.pricedWith(page.found, code, held);
    return { ...page, found, code: shown };
  }

  /** Faults of the input, and prices that are not sold on this page. */
  private async faultsOf({ found, booking }: SharedEventPage, { lines, faults }: SentTickets): Promise<ReadonlyMap<string, string>> {
    const canPay = booking?.canPay ?? (await this.events.canPay(found));
    const shut = lines.filter(({ priceId }) => {
      const price = found.prices.find(({ id }) => id === priceId);
      // What is sold out or not on sale is refused when it is booked.
      return price?.sale === 'open' && !price.soldOut && !isPayable(price, canPay);
    });
    return new Map([...faults, ...shut.map(({ priceId }) => [`q-${priceId}`, bookingWords[currentLanguage()].atVenueOnly] as const)]);
  }
}

/** Other conflicts are 409. */
const draftStatuses: Partial<Record<RefusedDraft['reason'], number>> = {
  too_many_held: 429,
  too_many_here: 429,
  queue_full: 503,
};

function statusOf(error: RefusedInput): number {
  if (error instanceof RefusedDraft) return draftStatuses[error.reason] ?? 409;
  return error instanceof RefusedBooking ? 409 : 422;
}
