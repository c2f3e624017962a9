import {
  awaitsConfirmation,
  HolderLinks,
  MailsService,
  RefusedBooking,
  type OrderedCart,
  type RefusedDraft,
  type WholeReservation,
} from '#booking';
import type { Reply } from '#http';
import { currentLanguage, databaseNow, escapeHtml, moneyWords, sumOf, type RefusedInput } from '#kernel';
import { pageFrame, personalReply, PublicEventsService, summaryHtml } from '#pages';
import { checkoutUrlOf } from '#payments';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { nothingTyped, type TypedContact } from '../order/contact-form.dto.js';
import { contactFormHtml } from '../order/contact-form.html.js';
import { OrderLinks } from '../order/order-links.js';
import { isPayable } from '../order/order-steps.js';
import { heldWords, holdHtml } from '../order/order-summary.html.js';
import { orderWords } from '../order/order.words.js';
import { stepHtml } from '../order/step.html.js';
import { asOneOrder, heldUntil } from './cart-order.js';
import { editHtml, partsHtml, stateHtml } from './cart.html.js';
import { cartWords } from './cart.words.js';

/** How often the page looks again for a payment: twenty times in a minute. */
const mostLooks = 20;

interface Contact {
  readonly status?: number;
  readonly typed?: TypedContact;
  readonly faults?: ReadonlyMap<string, string>;
}

interface Step {
  /** HTML of what comes next. */
  readonly html: string;
  /** Path of the next look for a payment. */
  readonly again?: string;
}

/** The pages of a cart. Personal, not cached. */
@Injectable()
export class CartPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
    private readonly orders: OrderLinks,
    private readonly holders: HolderLinks,
  ) {}

  empty(): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = cartWords[language];
    const main = `<p>${escapeHtml(words.empty)}</p>
<p>${escapeHtml(words.emptyHint)}</p>
<p><a class="button" href="/">${escapeHtml(orderWords[language].backToAgenda)}</a></p>`;
    return this.answer(words.title, main);
  }

  /** What the cart contains. @param faults by the id of the part */
  cart(parts: readonly WholeReservation[], path: string, faults: ReadonlyMap<string, string> = new Map()): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = cartWords[language];
    const { timeZone } = currentTenant();
    const listed = new Map([...faults].map(([id, text]) => [`part-${id}`, text]));
    const actions = (part: WholeReservation): string => editHtml(part, path, `${this.orders.pathTo(part.id)}/tickets`);
    const main = `${summaryHtml(orderWords[language].faults, listed)}${holdHtml({ expiresAt: heldUntil(parts) }, timeZone)}
${partsHtml(parts, timeZone, { faults, actions })}
<p class="ways"><a class="button" href="${escapeHtml(path)}/contact">${escapeHtml(words.proceed)}</a>
<a href="/">${escapeHtml(words.more)}</a></p>
<p class="hint">${escapeHtml(words.binding)}</p>`;
    return this.answer(words.title, main, { status: faults.size > 0 ? 409 : 200 });
  }

  /** The contact form for everything in the cart. */
  async contact(
    cart: OrderedCart,
    path: string,
    { status, typed = nothingTyped, faults = new Map() }: Contact = {},
  ): Promise<Reply<string>> {
    const language = currentLanguage();
    const { timeZone } = currentTenant();
    const hasTerms = (await this.events.venue()).hasTerms === true;
    const form = contactFormHtml({ order: asOneOrder(cart), path: `${path}/contact`, language, timeZone, hasTerms, typed, faults });
    const main = `${holdHtml({ expiresAt: heldUntil(cart.parts) }, timeZone)}
<div id="tickets" tabindex="-1">${partsHtml(cart.parts, timeZone)}</div>
${form}`;
    return this.answer(orderWords[language].kind, main, { status, back: path, pays: true });
  }

  /** A completed cart: what comes next, and the state of each part. */
  completed(
    parts: readonly WholeReservation[],
    path: string,
    { look = 0, hasFailed = false }: { readonly look?: number; readonly hasFailed?: boolean } = {},
  ): Promise<Reply<string>> {
    const { timeZone } = currentTenant();
    const { html, again } = this.nextStep(parts, path, look, hasFailed);
    // The holder's page is not shown before the mail was opened when it confirms the address.
    const linkOf = (part: WholeReservation): string | undefined =>
      awaitsConfirmation(part) ? undefined : this.holders.pathTo({ reservationId: part.id }, part.linkVersion);
    const main = `${html}
${partsHtml(parts, timeZone, { actions: (part) => stateHtml(part, timeZone, linkOf(part)) })}`;
    return this.answer(orderWords[currentLanguage()].kind, main, { status: hasFailed ? 503 : 200, again, pays: true });
  }

  /** Why a part of the cart is refused, with what is still possible. */
  partFault(error: RefusedBooking | RefusedDraft | RefusedInput, text: string): string {
    return error instanceof RefusedBooking && error.reason === 'sold_out' ? cartWords[currentLanguage()].soldOut : text;
  }

  private nextStep(parts: readonly WholeReservation[], path: string, look: number, hasFailed: boolean): Step {
    const language = currentLanguage();
    const [words, order] = [cartWords[language], orderWords[language]];
    const [first] = parts as [WholeReservation];
    const say = (title: string, ...lines: string[]): Step => ({ html: stepHtml(title, lines) });
    if (parts.some(awaitsConfirmation))
      return this.mails.deliver ? say(order.sent, words.mails(first.email), order.sentSpam) : say(order.sent, order.kept);
    if (parts.some(({ payments }) => payments.some(({ status }) => status === 'processing'))) return say(order.payTitle, words.processing);
    const waiting = parts.filter(({ status, expiresAt }) => status === 'U' && expiresAt !== null && expiresAt > databaseNow());
    if (waiting.length > 0 && look >= 1 && look <= mostLooks) {
      const again = `${path}?paid=${look + 1}`;
      return {
        html: `<section class="step" role="status" data-again="${escapeHtml(again)}"><p>${escapeHtml(words.paying)}</p></section>`,
        again,
      };
    }
    const due = waiting.length > 0 ? waiting : parts.filter(isPayable);
    if (due.length > 0) return { html: this.payHtml(due, path, hasFailed) };
    if (parts.every(({ status }) => status === 'C')) return say(words.cancelled);
    return say(words.done);
  }

  /** The step with the button that leads to the payment. */
  private payHtml(due: readonly WholeReservation[], path: string, hasFailed: boolean): string {
    const language = currentLanguage();
    const words = orderWords[language];
    const time = heldWords(heldUntil(due) as Date, language, currentTenant().timeZone);
    const label = escapeHtml(words.pay(moneyWords(sumOf(due), 'EUR', language)));
    const [url] = due.flatMap(({ payments }) => checkoutUrlOf(payments) ?? []);
    const form = `<form class="order" method="post" action="${escapeHtml(path)}/contact"><button class="button">${label}</button></form>`;
    const way = url === undefined ? form : `<p><a class="button" href="${escapeHtml(url)}">${label}</a></p>`;
    const lines = hasFailed ? [] : [words.payText(time)];
    return stepHtml(words.payTitle, lines, { fault: hasFailed ? words.payFailed : undefined, html: [way] });
  }

  private async answer(
    title: string,
    body: string,
    {
      status = 200,
      back,
      again,
      pays = false,
    }: { status?: number | undefined; back?: string; again?: string | undefined; pays?: boolean } = {},
  ): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const label = back === undefined ? orderWords[language].backToAgenda : cartWords[language].back;
    const main = `<p class="back"><a href="${escapeHtml(back ?? '/')}">← ${escapeHtml(label)}</a></p>
<article class="holder order-page">
<header>
<h1>${escapeHtml(title)}</h1>
</header>
${body}
</article>`;
    // With scripts, the script looks again.
    const head = again === undefined ? '' : `<noscript><meta http-equiv="refresh" content="3;url=${escapeHtml(again)}"></noscript>\n`;
    const venue = await this.events.venue();
    const html = pageFrame({ tenant, language, title: `${title} · ${tenant.name}`, main, venue, hasScript: true, head });
    return personalReply(html, { status, pays });
  }
}
