import { type Venue, pageFrame, pageWords, personalReply, sitesOf } from '#page-kit';
import type { CompletedReservation, OrderedTickets } from '#selling';
import { MailsService, type WholeReservation } from '#tickets';
import type { Reply } from '#http';
import { currency, currentLanguage, escapeHtml, moneyWords, untilWhen } from '#kernel';
import { PublicEventsService } from '#pages';
import { CheckoutsService } from '#payments';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { nothingTyped, type TypedContact } from './contact-form.dto.js';
import { contactFormHtml } from './contact-form.html.js';
import { heldSentences, holdHtml, orderHeadHtml, orderLinesHtml } from './order-summary.html.js';
import { orderWords, orderWordsFor } from './order.words.js';
import { sameBeforeHtml, sendAgainHtml, type SentMail } from './send-again.html.js';
import { mailedStepHtml, stepHtml } from './step.html.js';

interface Shown {
  readonly status?: number;
  readonly typed?: TypedContact;
  readonly faults?: ReadonlyMap<string, string>;
  /** The address of who is signed in. */
  readonly signedIn?: string | undefined;
  /** Path of an order with the same tickets that this browser completed before. */
  readonly same?: string | undefined;
}

/** The pages of an order after its tickets were chosen. Personal, not cached. */
@Injectable()
export class OrderPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
    private readonly checkouts: CheckoutsService,
  ) {}

  /** The page with the contact form. */
  async contact(
    order: OrderedTickets,
    path: string,
    { status, typed = nothingTyped, faults = new Map(), signedIn, same }: Shown = {},
  ): Promise<Reply<string>> {
    const { timeZone } = currentTenant();
    const venue = await this.events.venue();
    const { reservation } = order;
    const { tickets, amount } = reservation;
    const shown = { ...order, tickets, amount, shownIds: tickets.map(({ id }) => id) };
    const language = currentLanguage();
    const known = { typed, faults, signedIn, accounts: await this.checkouts.offered() };
    const form = contactFormHtml({ order: shown, path, language, timeZone, hasTerms: venue.hasTerms === true, ...known });
    const main = `${sameBeforeHtml(same)}${holdHtml(reservation, timeZone)}
${orderLinesHtml(reservation, `${path}/tickets`, faults.get('tickets'))}
${form}`;
    return this.answer(main, { order: reservation, venue, status, pays: true });
  }

  /** The page after a booking whose e-mail address is to be confirmed: the link was mailed. */
  async sent(reservation: WholeReservation, mail: SentMail): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = orderWordsFor(language, reservation.tickets);
    const { timeZone } = currentTenant();
    const { email, expiresAt, payUntil, payAtVenue, amount } = reservation;
    const price = moneyWords(amount, currency, language);
    const until = [
      ...heldSentences(expiresAt, reservation.tickets, timeZone),
      ...(payUntil ? [payAtVenue ? words.sentVenue(price, untilWhen(payUntil, language, timeZone)) : words.sentOnline(price)] : []),
    ];
    const said = { title: words.sent, text: words.sentText(email), kept: words.kept, more: until };
    const main = `${mailedStepHtml(this.mails.deliver, said, sendAgainHtml(email, mail), mail.isSentAgain)}
${orderLinesHtml(reservation)}`;
    return this.answer(main, { order: reservation, venue: await this.events.venue(), status: mail.status });
  }

  /** The page of a booked order for who is not known to be the buyer: the tickets are in the mail. */
  async booked(reservation: WholeReservation): Promise<Reply<string>> {
    const words = orderWordsFor(currentLanguage(), reservation.tickets);
    const account = `<p><a href="/account">${escapeHtml(pageWords[currentLanguage()].account)}</a></p>`;
    const main = `${stepHtml(words.bookedTitle, [this.mails.deliver ? words.inMail : words.keptBooked], { html: [account] })}
${orderLinesHtml(reservation)}`;
    return this.answer(main, { order: reservation, venue: await this.events.venue() });
  }

  /** The page of an order whose link has ended. */
  async ended(): Promise<Reply<string>> {
    const words = orderWords[currentLanguage()];
    const account = `<p><a class="button" href="/account">${escapeHtml(pageWords[currentLanguage()].account)}</a></p>`;
    const main = `<h1>${escapeHtml(words.endedTitle)}</h1>\n<p>${escapeHtml(words.endedText)}</p>\n${account}`;
    return this.answer(main, { venue: await this.events.venue(), status: 410, title: words.endedTitle });
  }

  /** The page from which a payment that was not begun can be begun. @param hasFailed the provider could not be reached */
  async pay(reservation: CompletedReservation, path: string, hasFailed = false): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = orderWordsFor(language, reservation.tickets);
    const { timeZone } = currentTenant();
    const form = `<form class="order" method="post" action="${escapeHtml(path)}">
<button class="button">${escapeHtml(words.pay(moneyWords(reservation.amount, currency, language)))}</button></form>`;
    const html = [holdHtml(reservation, timeZone, 'payText'), form];
    const main = `${stepHtml(words.payTitle, [], { fault: hasFailed ? words.payFailed : undefined, html })}
${orderLinesHtml(reservation)}`;
    return this.answer(main, { order: reservation, venue: await this.events.venue(), status: hasFailed ? 503 : 200, pays: true });
  }

  /** In a frame: a link that leaves it, because neither the payment nor the tickets may be shown on a page of another site. */
  async leave(reservation: WholeReservation, address: string): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = orderWordsFor(language, reservation.tickets);
    const { timeZone } = currentTenant();
    const { status, amount } = reservation;
    const pays = status === 'U';
    const title = pays ? words.payTitle : words.bookedTitle;
    const button = pays ? words.pay(moneyWords(amount, currency, language)) : words.openTickets;
    const leaving = `<a class="button" href="${escapeHtml(address)}" target="_top">${escapeHtml(button)}</a>`;
    const html = [...(pays ? [holdHtml(reservation, timeZone, 'payText')] : []), `<p>${leaving}</p>`];
    const main = `${stepHtml(title, pays ? [] : [words.bookedText], { html })}
${orderLinesHtml(reservation)}`;
    return this.answer(main, { order: reservation, venue: await this.events.venue() });
  }

  /** The page of an order that is deleted, because nobody completed it. */
  async gone(): Promise<Reply<string>> {
    const words = orderWords[currentLanguage()];
    const main = `<h1>${escapeHtml(words.goneTitle)}</h1>
<p>${escapeHtml(words.goneText)}</p>
<p><a class="button" href="/">${escapeHtml(words.backToAgenda)}</a></p>`;
    return this.answer(main, { venue: await this.events.venue(), status: 410 });
  }

  private answer(
    body: string,
    more: { order?: CompletedReservation; venue: Venue; status?: number | undefined; pays?: boolean; title?: string },
  ): Reply<string> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const words = orderWords[language];
    const { order, venue, status = 200, pays = false, title: name = order?.event.name ?? words.goneTitle } = more;
    const back = order
      ? `<p class="back"><a href="/event/${escapeHtml(order.event.slug)}">← ${escapeHtml(words.backToEvent)}</a></p>\n`
      : '';
    const main = order ? `${back}<article class="holder order-page">\n${orderHeadHtml(order, tenant.timeZone)}\n${body}\n</article>` : body;
    const title = `${name} · ${tenant.name}`;
    const sites = sitesOf(venue);
    return personalReply(pageFrame({ tenant, language, title, main, venue, hasScript: true, sites }), { status, pays, sites });
  }
}
