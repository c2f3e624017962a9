import type { AccountBooking, AccountBookingState, AccountList, AccountMembership } from '#holders';
import type { LinkSubject } from '#tickets';
import { cardStates, type OwnCard } from '#cards';
import { currentLanguage, databaseNow, dayWords, dotted, escapeHtml, whenText } from '#kernel';
import { currentTenant } from '#tenancy';
import { cartWords, goodsCartWords } from '../cart/cart.words.js';
import { membershipWords } from '../memberships/membership.words.js';
import { orderWords } from '../order/order.words.js';
import { accountWords, goodsAccountWords } from './account.words.js';

/** One page of a list, with its number from 1. */
type ShownList = AccountList & { readonly page: number };

/** What the page of an account shows. */
export interface ShownAccount {
  readonly email: string;
  readonly coming: ShownList;
  readonly past: ShownList;
  readonly memberships: readonly AccountMembership[];
  readonly cards: readonly OwnCard[];
  /** Path of a holder's page. */
  readonly pathTo: (subject: LinkSubject, version: number) => string;
}

/** A list of bookings, each with the link to its page. */
export function bookingsHtml(shown: ShownAccount, which: 'coming' | 'past'): string {
  const words = accountWords[currentLanguage()];
  const { bookings, page, hasMore } = shown[which];
  const title = which === 'coming' ? words.coming : words.past;
  const none = which === 'coming' ? words.noneComing : '';
  if (bookings.length === 0 && page === 1 && none === '') return '';
  const list = bookings.map((booking) => bookingHtml(booking, shown)).join('\n');
  const body = bookings.length === 0 ? `<p>${escapeHtml(none)}</p>` : `<ul class="prices bookings">\n${list}\n</ul>`;
  return `<section id="${which}"><h2>${escapeHtml(title)}</h2>\n${body}\n${pagesHtml(shown, which, page, hasMore)}</section>`;
}

function bookingHtml({ kind, id, version, state, tickets, isGoods, event }: AccountBooking, { pathTo }: ShownAccount): string {
  const language = currentLanguage();
  const words = isGoods ? goodsAccountWords[language] : accountWords[language];
  const subject = kind === 'reservation' ? { reservationId: id } : { ticketId: id };
  const facts = [
    whenText(event, language, currentTenant().timeZone),
    ...(state === 'cancelled' ? [] : [kind === 'reservation' ? words.tickets(tickets) : words.given]),
  ];
  return `<li class="offer"><span class="offer-name">
<a href="${escapeHtml(pathTo(subject, version))}"><bdi>${escapeHtml(event.name)}</bdi></a>
<small>${escapeHtml(dotted(facts))}</small></span> <span>${escapeHtml(stateWords(state, isGoods))}</span></li>`;
}

function stateWords(state: AccountBookingState, isGoods: boolean): string {
  const language = currentLanguage();
  if (state === 'atVenue') return orderWords[language].venue;
  return { ...cartWords[language], ...(isGoods && goodsCartWords[language]) }[state];
}

/** Links to the pages before and after this one. The other list keeps its page. */
function pagesHtml(shown: ShownAccount, which: 'coming' | 'past', page: number, hasMore: boolean): string {
  if (page === 1 && !hasMore) return '';
  const words = accountWords[currentLanguage()];
  const other = which === 'coming' ? 'past' : 'coming';
  const rest = shown[other].page > 1 ? `&amp;${other}=${shown[other].page}` : '';
  const link = (to: number, label: string): string => `<a href="/account?${which}=${to}${rest}#${which}">${escapeHtml(label)}</a>`;
  const links = [...(page > 1 ? [link(page - 1, words.previous)] : []), ...(hasMore ? [link(page + 1, words.next)] : [])];
  const title = which === 'coming' ? words.coming : words.past;
  return `<nav class="ways" aria-label="${escapeHtml(`${title}: ${words.page(page)}`)}">${links.join('\n')}</nav>\n`;
}

/** The memberships with their cards, and the way to renew them; empty without any. */
export function membershipsHtml({ memberships, pathTo }: ShownAccount): string {
  if (memberships.length === 0) return '';
  const language = currentLanguage();
  const words = accountWords[language];
  const lines = memberships.map((membership) => {
    const { id, version, product, price, isRenewable } = membership;
    const name = product === price ? product : `${product} · ${price}`;
    const path = escapeHtml(pathTo({ membershipId: id }, version));
    const card = `<a href="${path}" aria-label="${escapeHtml(words.cardOf(name))}">${escapeHtml(words.card)}</a>`;
    const label = escapeHtml(words.renewWhat(name));
    const renew = isRenewable ? ` <a href="${path}/renew" aria-label="${label}">${escapeHtml(membershipWords[language].renew)}</a>` : '';
    return `<li class="offer"><span class="offer-name">
<bdi>${escapeHtml(name)}</bdi> <small>${escapeHtml(periodOf(membership))}</small></span>
<span class="ways">${card}${renew}</span></li>`;
  });
  return `<section><h2>${escapeHtml(membershipWords[language].title)}</h2>
<ul class="prices bookings">\n${lines.join('\n')}\n</ul></section>\n`;
}

/** From or until when it is valid. An end at midnight is shown as the day before. */
function periodOf({ status, validFrom, validUntil, isValid }: AccountMembership): string {
  const language = currentLanguage();
  const words = accountWords[language];
  const { timeZone } = currentTenant();
  if (status === 'pending') return cartWords[language].unpaid;
  if (validFrom > databaseNow()) return words.validFrom(dayWords(validFrom, language, timeZone));
  if (validUntil === null) return words.endless;
  const day = dayWords(new Date(validUntil.getTime() - 1), language, timeZone);
  return isValid ? words.validUntil(day) : words.endedOn(day);
}

/** The NFC cards of the person; empty without any. */
export function cardsHtml({ cards }: ShownAccount): string {
  if (cards.length === 0) return '';
  const language = currentLanguage();
  const words = accountWords[language];
  const lines = cards.map(({ tag, number, state }) => {
    return `<li><span>${escapeHtml(number ?? tag)}</span> <span>${escapeHtml(cardStates[state][language])}</span></li>`;
  });
  return `<section><h2>${escapeHtml(words.cards)}</h2>\n<ul class="prices bookings">\n${lines.join('\n')}\n</ul></section>\n`;
}
