import { checkoutUrlOf } from '#payments';
import type { WholeMembership } from '#memberships';
import { hasReceipt } from '#notices';
import type { RefusedCart } from '#selling';
import { awaitsConfirmation, isHold, type TicketCodes, type RefusedBooking, type WholeReservation, totalOf } from '#tickets';
import { beforeWhen, currency, currentLanguage, databaseNow, dayWords, escapeHtml, moneyWords, sumOf, untilWhen } from '#kernel';
import { hasModule, type TenantIdentity } from '#tenancy';
import { mostBundled, walletBundlePath, type WalletOffer } from '#wallet';
import { type Venue, amountWords, pageFrame, whenHtml } from '#page-kit';
import { maximumWords } from '../ticket-forms/booking.words.js';
import { holderWords, holderWordsFor, type HolderWords } from './holder.words.js';
import { qrDrawing } from './qr-drawing.js';
import { refundsHtml } from './cancellation.html.js';
import { isChangeable } from './holder-access.service.js';
import { ticketCardHtml } from './ticket-card.html.js';

interface ReservationPageFacts {
  readonly venue: Venue;
  /** Whether this server sends mails. */
  readonly mailed: boolean;
  /** Whether holders may cancel now. */
  readonly mayCancel: boolean;
  /** Wallets for which the venue makes passes. */
  readonly wallets: WalletOffer;
  /** Where a reservation can be paid whose checkout is not open yet. */
  readonly payPath: string | undefined;
  /** Path of the next look, while the provider has not confirmed a payment from which the buyer returned. */
  readonly again?: string | undefined;
}

/** A reservation for its holder: what to do next, and the tickets once they are valid. */
export async function reservationPage(
  reservation: WholeReservation,
  codes: TicketCodes,
  tenant: TenantIdentity,
  path: string,
  { venue, mailed, mayCancel, wallets, again, payPath }: ReservationPageFacts,
): Promise<string> {
  const language = currentLanguage();
  const { event, tickets } = reservation;
  const words = holderWordsFor(language, tickets);
  const shown: string[] = [];
  for (const [index, ticket] of tickets.entries()) {
    const place = { path: `${path}/tickets/${ticket.id}`, index, count: tickets.length, mayCancel, wallets };
    shown.push(await ticketCardHtml(ticket, { ...place, code: codes.get(ticket.id), isGiven: ticket.holderEmail !== null }));
  }
  const subtitle = event.subtitle ? `<p class="subtitle" dir="auto">${escapeHtml(event.subtitle)}</p>\n` : '';
  const isWhole = tickets.every(({ status }) => status !== 'R');
  // Nothing is left to pay of what was cancelled, but it was not free.
  const total = isWhole ? amountWords(totalOf(reservation) as `${number}`, language) : moneyWords(totalOf(reservation), currency, language);
  const main = `<article class="holder">
<header>
<p class="kind">${escapeHtml(words.reservation)}</p>
<h1 dir="auto">${escapeHtml(event.name)}</h1>
${subtitle}<p>${whenHtml(event, language, tenant.timeZone)}</p>
</header>
${again === undefined ? nextStep(reservation, tenant, path, { mailed, payPath }) : waitingHtml(again, words.paying)}
<section>
<h2>${escapeHtml(words.tickets)}</h2>
<ul class="tickets passes">
${shown.join('\n')}
</ul>
<p class="sum"><span>${escapeHtml(words.total)}</span> <strong>${escapeHtml(total)}</strong></p>
${refundsHtml(reservation)}${filesHtml(codes.size, path, wallets, words)}
</section>
${receiptLink(reservation, path)}${mayCancel ? cancelLink(tickets, path) : ''}
<p class="reference">${escapeHtml(words.reference)} ${escapeHtml(reservation.id.slice(0, 8).toUpperCase())}</p>
<p><a href="/account">${escapeHtml(words.account)}</a></p>
</article>`;
  return pageFrame({ tenant, language, title: `${words.reservation} · ${tenant.name}`, main, venue, ...lookingAgain(again) });
}

/** All valid tickets as files. @param count of the tickets */
function filesHtml(count: number, path: string, { apple }: WalletOffer, words: HolderWords): string {
  if (count === 0) return '';
  const pdf = `<a class="button" href="${escapeHtml(path)}/tickets.pdf">${escapeHtml(words.download)}</a>`;
  const isBundled = apple && count > 1 && count <= mostBundled;
  const bundle = isBundled ? `\n<a href="${escapeHtml(`${path}/${walletBundlePath}`)}">${escapeHtml(words.appleWalletAll)}</a>` : '';
  return `<p class="ways">${pdf}${bundle}</p>`;
}

/** The way to the receipt, when there is one. */
function receiptLink(sold: WholeReservation | WholeMembership, path: string): string {
  if (!hasReceipt(sold)) return '';
  return `<p><a href="${escapeHtml(path)}/receipt.pdf">${escapeHtml(holderWords[currentLanguage()].receipt)}</a></p>\n`;
}

/** The way to cancel all tickets that the buyer holds, when there are several and none is used. */
function cancelLink(tickets: WholeReservation['tickets'], path: string): string {
  const own = tickets.filter(({ holderEmail, status }) => holderEmail === null && status !== 'R');
  if (own.length < 2 || !own.every(isChangeable)) return '';
  return `<p><a href="${escapeHtml(path)}/cancel">${escapeHtml(holderWordsFor(currentLanguage(), own).cancelAll)}</a></p>\n`;
}

/** What makes a page look again: with scripts, the script does. */
function lookingAgain(again: string | undefined): { hasScript: boolean; head: string } {
  if (again === undefined) return { hasScript: false, head: '' };
  return { hasScript: true, head: `<noscript><meta http-equiv="refresh" content="3;url=${escapeHtml(again)}"></noscript>\n` };
}

/** Shown while the payment is under way; the page asks again by itself. */
function waitingHtml(again: string, text: string): string {
  return `<section class="step" role="status" data-again="${escapeHtml(again)}"><p>${escapeHtml(text)}</p></section>`;
}

function nextStep(
  reservation: WholeReservation,
  { timeZone }: TenantIdentity,
  path: string,
  { mailed, payPath }: Pick<ReservationPageFacts, 'mailed' | 'payPath'>,
): string {
  const { status, email, expiresAt, payments, payUntil } = reservation;
  const language = currentLanguage();
  const words = holderWordsFor(language, reservation.tickets);
  const say = (text: string, more = ''): string => `<section class="step"><p>${escapeHtml(text)}</p>\n${more}</section>`;
  if (status === 'C') return say(words.cancelled);
  const byMail = mailed && email !== '' && status !== 'PE' && status !== 'PN';
  if (!isHold(status)) return say(byMail ? words.confirmedMailed : words.confirmed);
  if (payments.some((payment) => payment.status === 'processing')) return say(words.processing);
  const isOver = expiresAt !== null && expiresAt < databaseNow();
  const until = expiresAt ? untilWhen(expiresAt, language, timeZone) : '';
  if (awaitsConfirmation(reservation) && (payUntil === null || payUntil > databaseNow())) {
    const confirm = `<button class="button">${escapeHtml(words.confirm)}</button>`;
    const button = `<form method="post" action="${escapeHtml(path)}/confirm">${confirm}</form>`;
    if (isOver) return say(words.lapsed, button);
    const before = expiresAt ? beforeWhen(expiresAt, language, timeZone) : '';
    if (payUntil && !reservation.payAtVenue) return say(words.confirmOnline(before), button);
    return say(payUntil ? words.confirmVenue(before, untilWhen(payUntil, language, timeZone)) : words.confirmHint(before, mailed), button);
  }
  if (isOver) return say(words.lapsedUnpaid);
  if (reservation.payAtVenue && expiresAt) return say(words.payAtVenue(until));
  const checkout = checkoutUrlOf(payments);
  const way = checkout ?? payPath;
  if (!way) return say(words.atTheVenue(until));
  return say(words.payUntil(until, mailed), `<p><a class="button" href="${escapeHtml(way)}">${escapeHtml(words.pay)}</a></p>`);
}

/**
 * What a link could not confirm, and a button to confirm what is left of a cart.
 * @param givenUp ids of parts that the buyer gave up before
 */
export function refusedCartPage(
  { gone, left }: RefusedCart,
  givenUp: readonly string[],
  { tenant, venue, path }: { readonly tenant: TenantIdentity; readonly venue: Venue; readonly path: string },
): string {
  const language = currentLanguage();
  const words = holderWords[language];
  const listed = (lines: readonly string[]): string =>
    `<ul>${lines.map((line) => `<li dir="auto">${escapeHtml(line)}</li>`).join('')}</ul>`;
  const without = [...new Set([...givenUp, ...gone.map(({ id }) => id)])].join(',');
  const reasonOf = (refusal: RefusedBooking): string =>
    refusal.reason === 'limit_per_user' ? maximumWords(refusal, language, true) : refusal.message;
  const reasons = gone.map(({ event, refusal }) => `${event} – ${reasonOf(refusal)}`);
  const lead = left.length === 0 ? words.notPossible : words.partsGone;
  const lost = gone.length === 0 ? '' : `<p>${escapeHtml(lead)}</p>\n${listed(reasons)}\n`;
  const asksMembership = gone.some(({ refusal }) => refusal.reason === 'membership_required') && hasModule('membership');
  const join = asksMembership ? `<p><a href="/memberships">${escapeHtml(words.joinFirst)}</a></p>\n` : '';
  const rest = `<p>${escapeHtml(words.partsLeft)}</p>
${listed(left.map(({ event }) => event))}
<form method="post" action="${escapeHtml(path)}/confirm${without === '' ? '' : `?without=${without}`}">
<button class="button">${escapeHtml(words.confirmRest)}</button>
</form>
`;
  const main = `<article class="holder">
<header>
<p class="kind">${escapeHtml(words.reservation)}</p>
<h1>${escapeHtml(words.partsTitle)}</h1>
</header>
<section class="step" role="alert">${lost}${join}${left.length === 0 ? '' : rest}</section>
<p><a href="/account">${escapeHtml(words.account)}</a></p>
</article>`;
  return pageFrame({ tenant, language, title: `${words.partsTitle} · ${tenant.name}`, main, venue });
}

/** Whether the card of a membership is valid now, or will be when it begins. */
export function isValidNow({ status, validUntil }: Pick<WholeMembership, 'status' | 'validUntil'>): boolean {
  return status === 'active' && (validUntil === null || validUntil > databaseNow());
}

/** Whether its page leads to the renewal, which says what is possible. */
function isRenewable({ status, validUntil }: Pick<WholeMembership, 'status' | 'validUntil'>): boolean {
  return status === 'active' && validUntil !== null && hasModule('membership');
}

/** A membership for its holder, with the code of the card while it is valid. */
export async function membershipPage(
  membership: WholeMembership,
  code: string,
  path: string,
  { tenant, venue, again }: { readonly tenant: TenantIdentity } & Pick<ReservationPageFacts, 'venue' | 'again'>,
): Promise<string> {
  const language = currentLanguage();
  const words = holderWords[language];
  const { product, price, firstName, lastName, email, validFrom, validUntil, status, payments } = membership;
  const day = (instant: Date): string => dayWords(instant, language, tenant.timeZone);
  const isValid = isValidNow(membership);
  const checkout = status === 'pending' ? checkoutUrlOf(payments) : undefined;
  const state =
    status === 'pending'
      ? `<p>${escapeHtml(payments.some((payment) => payment.status === 'processing') ? words.processing : words.waiting)}</p>` +
        (checkout ? `<p><a class="button" href="${escapeHtml(checkout)}">${escapeHtml(words.pay)}</a></p>` : '')
      : `<p>${escapeHtml(words.ended)}</p>`;
  const ways = [
    ...(isValid ? [`<a class="button" href="${escapeHtml(path)}/card.pdf">${escapeHtml(words.downloadCard)}</a>`] : []),
    ...(isRenewable(membership) ? [`<a href="${escapeHtml(path)}/renew">${escapeHtml(words.renew)}</a>`] : []),
  ];
  const waysHtml = ways.length > 0 ? `<p class="ways">${ways.join('\n')}</p>` : '';
  const main = `<article class="holder">
<header>
<p class="kind">${escapeHtml(words.membership)}</p>
<h1 dir="auto">${escapeHtml(product.name)}</h1>
<p class="lead" dir="auto">${escapeHtml(`${firstName} ${lastName}`.trim() || email)}</p>
</header>
${again === undefined ? (isValid ? '' : `<section class="step">${state}</section>`) : waitingHtml(again, words.payingCard)}
<section>
<p>${escapeHtml(price.name)} · ${escapeHtml(amountWords(sumOf([{ amount: membership.amount }]) as `${number}`, language))}</p>
<p>${escapeHtml(words.validFrom)} ${escapeHtml(day(validFrom))}</p>
<p>${escapeHtml(validUntil ? `${words.validUntil} ${day(new Date(validUntil.getTime() - 1))}` : words.noEnd)}</p>
${isValid ? `<ul class="tickets"><li>${await qrDrawing(code)}</li></ul>\n` : ''}${waysHtml}
</section>
${receiptLink(membership, path)}<p><a href="/account">${escapeHtml(words.account)}</a></p>
</article>`;
  return pageFrame({ tenant, language, title: `${words.membership} · ${tenant.name}`, main, venue, ...lookingAgain(again) });
}
