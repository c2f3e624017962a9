import { OrderLinks, isPaying, pageFrame, pageWords, personalReply, summaryHtml } from '#page-kit';
import type { WholeMembership } from '#memberships';
import { cartAmount, type CartContents, type CartSavings, type ChosenMembership, type OrderedCart, type RefusedCartPart } from '#selling';
import { awaitsConfirmation, HolderLinks, MailsService, RefusedBooking, type WholeReservation } from '#tickets';
import type { Reply } from '#http';
import { currency, currentLanguage, databaseNow, escapeHtml, moneyWords, untilWhen } from '#kernel';
import { PublicEventsService } from '#pages';
import { CheckoutsService, checkoutUrlOf } from '#payments';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { nothingTyped, type TypedContact } from '../order/contact-form.dto.js';
import { contactFormHtml } from '../order/contact-form.html.js';
import { holdHtml } from '../order/order-summary.html.js';
import { leadsToHolder } from '../order/order-link.js';
import { leftWords } from '../order/order-steps.js';
import { orderWords, orderWordsFor } from '../order/order.words.js';
import { sameBeforeHtml, sendAgainHtml, type SentMail } from '../order/send-again.html.js';
import { mailedStepHtml, stepHtml } from '../order/step.html.js';
import { askDonationHtml, donationHtml, donationStateHtml, removeDonationHtml, type TypedDonation } from './cart-donation.html.js';
import { chosenHtml, membershipsHtml, missingHtml } from './cart-memberships.html.js';
import { asOneOrder, confirmationLines, dueOf, dueSum, heldUntil, ticketsIn, wholeSum } from './cart-order.js';
import { joiningHtml, savingHtml } from './cart-saving.html.js';
import { editHtml, partsHtml, removeHtml, stateHtml } from './cart.html.js';
import { cartWords, cartWordsFor } from './cart.words.js';
import { goodsWords } from '../goods/goods.words.js';

interface ShownCart {
  /** By the id of the part or membership. */
  readonly faults?: ReadonlyMap<string, string> | undefined;
  readonly savings?: CartSavings;
  /** Products of the memberships of who is signed in. */
  readonly held?: ReadonlySet<string>;
  /** Path of a cart with the same tickets that this browser completed before. */
  readonly same?: string | undefined;
  /** A donation that was refused. */
  readonly refused?: TypedDonation;
}

interface Contact {
  readonly status?: number;
  readonly typed?: TypedContact;
  readonly faults?: ReadonlyMap<string, string>;
  /** Faults of parts and memberships, by their id. */
  readonly partFaults?: ReadonlyMap<string, string>;
  /** The address of who is signed in. */
  readonly signedIn?: string | undefined;
}

/** HTML below a part of a cart, and below a membership. */
interface CartActions {
  readonly actions: (part: WholeReservation) => string;
  readonly removing: (one: ChosenMembership) => string;
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
    private readonly checkouts: CheckoutsService,
  ) {}

  empty(): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = cartWords[language];
    const main = `<p>${escapeHtml(words.empty)}</p>
<p>${escapeHtml(words.emptyHint)}</p>
<p><a class="button" href="/">${escapeHtml(orderWords[language].backToAgenda)}</a></p>`;
    return this.answer(words.title, main);
  }

  /** The page of a completed cart whose link has ended. */
  ended(): Promise<Reply<string>> {
    const words = orderWords[currentLanguage()];
    const account = `<p><a class="button" href="/account">${escapeHtml(pageWords[currentLanguage()].account)}</a></p>`;
    return this.answer(words.endedTitle, `<p>${escapeHtml(words.endedText)}</p>\n${account}`, { status: 410 });
  }

  /** What the cart contains. */
  async cart(
    cart: OrderedCart,
    path: string,
    { faults = new Map(), savings, held = new Set(), same, refused }: ShownCart = {},
  ): Promise<Reply<string>> {
    const { parts, chosen } = cart;
    const missing = new Map([...cart.missing].filter(([id]) => !held.has(id)));
    const language = currentLanguage();
    const words = cartWords[language];
    const { timeZone } = currentTenant();
    const listed = new Map([...faults].map(([id, text]) => [`part-${id}`, text]));
    const { actions, removing } = this.actionsIn({ ...cart, missing }, path);
    const donation = donationHtml(cart.donation, (one) => removeDonationHtml(one, path));
    const others = chosenHtml(chosen, { faults, actions: removing }) + donation;
    const venue = await this.events.venue();
    const asks = venue.donations != null && cart.canPayOnline && !cart.donation;
    const shop = venue.hasGoods ? `\n<a href="/shop">${escapeHtml(goodsWords[language].title)}</a>` : '';
    const hold = holdHtml({ expiresAt: heldUntil(parts), tickets: ticketsIn(parts) }, timeZone);
    const main = `${summaryHtml(orderWords[language].faults, listed)}${sameBeforeHtml(same)}${hold}
${partsHtml(parts, timeZone, { faults, actions, others, amount: cartAmount(cart) })}
${savings?.saving ? savingHtml(savings.saving, path) : ''}
${savings?.joining ? joiningHtml(savings.joining) : ''}
${asks ? askDonationHtml(currentTenant().name, venue.donations, path, refused) : ''}
<p class="ways"><a class="button" href="${escapeHtml(path)}/contact">${escapeHtml(words.proceed)}</a>
<a href="/">${escapeHtml(words.more)}</a>${shop}</p>
<p class="hint">${escapeHtml(words.binding)}</p>`;
    return this.answer(words.title, main, { status: faults.size > 0 ? 409 : refused ? 422 : 200 });
  }

  /** The contact form for everything in the cart. What is refused can be changed or removed there. */
  async contact(
    cart: OrderedCart,
    path: string,
    { status, typed = nothingTyped, faults = new Map(), partFaults = new Map(), signedIn }: Contact = {},
  ): Promise<Reply<string>> {
    const language = currentLanguage();
    const { timeZone } = currentTenant();
    const { parts, chosen } = cart;
    const hasTerms = await this.events.hasTerms();
    const listed = new Map([...named(partFaults, cart), ...faults]);
    const accounts = await this.checkouts.offered();
    const shown = { path: `${path}/contact`, language, timeZone, hasTerms, accounts, typed, faults: listed, signedIn };
    const form = contactFormHtml({ order: asOneOrder(cart), ...shown });
    const { actions, removing } = this.actionsIn(cart, path);
    const memberships = chosenHtml(chosen, { faults: partFaults, actions: (one) => (partFaults.has(one.id) ? removing(one) : '') });
    const others = memberships + donationHtml(cart.donation, () => '');
    const edit = (part: WholeReservation): string => (partFaults.has(part.id) ? actions(part) : '');
    const main = `${holdHtml({ expiresAt: heldUntil(parts), tickets: ticketsIn(parts) }, timeZone)}
<div id="tickets" tabindex="-1">${partsHtml(parts, timeZone, { faults: partFaults, actions: edit, others, amount: cartAmount(cart) })}</div>
${form}`;
    return this.answer(orderWords[language].kind, main, { status, back: path, pays: true });
  }

  /**
   * A completed cart: what comes next, and the state of each part.
   * @param more.mail undefined: a corrected address is shown to nobody who has an older link
   */
  completed(
    cart: CartContents,
    path: string,
    {
      look = 0,
      hasFailed = false,
      signedIn,
      mail,
    }: { readonly look?: number; readonly hasFailed?: boolean; readonly signedIn?: string | undefined; readonly mail?: SentMail } = {},
  ): Promise<Reply<string>> {
    const { timeZone } = currentTenant();
    const { parts, memberships, donation } = cart;
    const isHidden = !parts.every((part) => leadsToHolder(part, signedIn));
    const { html, again } = this.nextStep(cart, path, { look, hasFailed, isHidden, mail });
    // The holder's page is not shown before the mail was opened when it confirms the address.
    const linkOf = (part: WholeReservation): string | undefined =>
      awaitsConfirmation(part) || !leadsToHolder(part, signedIn)
        ? undefined
        : this.holders.pathTo({ reservationId: part.id }, part.linkVersion);
    const cardOf = (one: WholeMembership): string | undefined =>
      one.status === 'active' && leadsToHolder(one, signedIn) ? this.holders.pathTo({ membershipId: one.id }, one.linkVersion) : undefined;
    const others = membershipsHtml(memberships, cardOf) + donationHtml(donation, donationStateHtml);
    const actions = (part: WholeReservation): string => stateHtml(part, timeZone, linkOf(part));
    const main = `${html}
${partsHtml(parts, timeZone, { actions, others, amount: wholeSum(cart) })}`;
    const status = hasFailed ? 503 : (mail?.status ?? 200);
    return this.answer(orderWords[currentLanguage()].kind, main, { status, again, pays: true });
  }

  /** Why a part of the cart is refused, with what is still possible. */
  partFault({ cause, partId }: RefusedCartPart, { chosen, parts }: OrderedCart, text: string): string {
    const part = parts.find(({ id }) => id === partId);
    const words = part ? cartWordsFor(currentLanguage(), part) : cartWords[currentLanguage()];
    const isMembership = chosen.some(({ id }) => id === partId);
    if (cause instanceof RefusedBooking && cause.reason === 'sold_out') {
      if (isMembership) return words.membershipSoldOut;
      const left = leftWords(cause, part?.tickets ?? [], currentLanguage());
      return left === undefined ? words.soldOut : `${left} ${words.changeOrRemove}`;
    }
    return isMembership ? words.membershipGone : text;
  }

  /** What buyers can do with the parts and the memberships of an open cart. @param path of the cart */
  private actionsIn({ missing, canPayOnline }: Pick<OrderedCart, 'missing' | 'canPayOnline'>, path: string): CartActions {
    const actions = (part: WholeReservation): string =>
      `${missingHtml(part, { missing, canPayOnline })}${editHtml(part, path, `${this.orders.pathTo(part.id)}/tickets`)}`;
    const removing = ({ id, product }: ChosenMembership): string => `<div class="actions">${removeHtml(id, product, path)}</div>`;
    return { actions, removing };
  }

  private nextStep(
    cart: CartContents,
    path: string,
    {
      look,
      hasFailed,
      isHidden,
      mail,
    }: { readonly look: number; readonly hasFailed: boolean; readonly isHidden: boolean; readonly mail: SentMail | undefined },
  ): Step {
    const { parts, memberships } = cart;
    const all = [...parts, ...memberships];
    const language = currentLanguage();
    const [words, order] = [cartWords[language], orderWords[language]];
    const say = (title: string, ...lines: string[]): Step => ({ html: stepHtml(title, lines) });
    const awaiting = parts.find(awaitsConfirmation);
    if (awaiting && mail) {
      const said = { title: order.sent, text: words.mails(awaiting.email), kept: order.kept, more: confirmationLines(cart) };
      return { html: mailedStepHtml(this.mails.deliver, said, sendAgainHtml(awaiting.email, mail), mail.isSentAgain) };
    }
    if (all.some(({ payments }) => payments.some(({ status }) => status === 'processing'))) return say(order.payTitle, words.processing);
    const now = databaseNow();
    const isStopped =
      memberships.some(({ status }) => status === 'cancelled') && parts.some(({ status }) => status === 'R' || status === 'U');
    if (isStopped) return say(words.stopped);
    const open = all.filter(isPaying);
    const waiting = open.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now);
    if (open.length > 0 && look >= 1) {
      const again = `${path}?paid=${look + 1}`;
      return {
        html: `<section class="step" role="status" data-again="${escapeHtml(again)}"><p>${escapeHtml(words.paying)}</p></section>`,
        again,
      };
    }
    const due = waiting.length > 0 ? waiting : dueOf(cart);
    if (due.length > 0) return { html: this.payHtml(due, { sum: dueSum(cart, due), path, hasFailed }) };
    if (all.every(({ status }) => status === 'C' || status === 'cancelled')) return say(words.allCancelled);
    return say(words.done, ...(isHidden ? [this.mails.deliver ? order.inMail : order.keptBooked] : []));
  }

  /** The step with the button that leads to the payment. */
  private payHtml(
    due: readonly (WholeReservation | WholeMembership)[],
    { sum, path, hasFailed }: { readonly sum: string; readonly path: string; readonly hasFailed: boolean },
  ): string {
    const language = currentLanguage();
    const words = orderWordsFor(language, ticketsIn(due));
    const time = untilWhen(heldUntil(due) as Date, language, currentTenant().timeZone);
    const label = escapeHtml(words.pay(moneyWords(sum, currency, language)));
    const [url] = due.flatMap(({ payments }) => checkoutUrlOf(payments) ?? []);
    const form = `<form class="order" method="post" action="${escapeHtml(path)}/contact"><button class="button">${label}</button></form>`;
    const way = url === undefined ? form : `<p><a class="button" href="${escapeHtml(url)}">${label}</a></p>`;
    return stepHtml(words.payTitle, [words.payText(time)], { fault: hasFailed ? words.payFailed : undefined, html: [way] });
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

/** Faults of parts and memberships for the list above a form, which names what each is about. */
function named(faults: ReadonlyMap<string, string>, { parts, chosen }: OrderedCart): Map<string, string> {
  const names = new Map([
    ...parts.map(({ id, event }) => [id, event.name] as const),
    ...chosen.map(({ id, product }) => [id, product] as const),
  ]);
  return new Map([...faults].map(([id, text]) => [`part-${id}`, `${names.get(id) ?? ''} – ${text}`]));
}
