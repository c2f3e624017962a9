import { awaitsConfirmation, type WholeReservation } from '#tickets';
import { beforeWhen, currentLanguage, databaseNow, escapeHtml } from '#kernel';
import { amountWords, faultHtml, whenHtml } from '#page-kit';
import { ticketLinesHtml } from '../order/order-summary.html.js';
import { orderWords, orderWordsFor } from '../order/order.words.js';
import { cartWords, cartWordsFor } from './cart.words.js';

/** What is shown for each part beside its tickets. */
export interface PartDetails {
  /** By the id of the part. */
  readonly faults?: ReadonlyMap<string, string>;
  /** HTML below the tickets of a part. */
  readonly actions?: (part: WholeReservation) => string;
  /** HTML of the sections behind those of the events. */
  readonly others?: string;
  /** The sum of everything, decimal text. */
  readonly amount: string;
}

/** The parts of a cart, each with its event and tickets, and the sum of everything. */
export function partsHtml(parts: readonly WholeReservation[], timeZone: string, details: PartDetails): string {
  const { faults, actions, others = '', amount: sum } = details;
  const language = currentLanguage();
  const words = cartWords[language];
  const isOneOfSeveral = parts.length > 1 || others !== '';
  const shown = parts.map((part) => {
    const { id, event, amount } = part;
    const fault = faults?.get(id);
    const subtotal = `<p class="sum"><span>${escapeHtml(words.subtotal)}</span>
<span>${escapeHtml(amountWords(amount as `${number}`, language))}</span></p>`;
    const more = actions?.(part) ?? '';
    return `<section class="part${fault === undefined ? '' : ' wrong'}" id="part-${id}" tabindex="-1">
<h2 dir="auto"><a href="/event/${escapeHtml(event.slug)}">${escapeHtml(event.name)}</a></h2>
<p class="hint">${whenHtml(event, language, timeZone)}</p>
${faultHtml(`part-${id}`, fault)}${ticketLinesHtml(part)}${isOneOfSeveral && hasLines(part) ? `${subtotal}\n` : ''}${more}</section>`;
  });
  return `${shown.join('\n')}
${others}
<p class="sum whole"><span>${escapeHtml(orderWords[language].total)}</span>
<strong>${escapeHtml(amountWords(sum as `${number}`, language))}</strong></p>`;
}

/** Whether the tickets of a part are of several prices, so that their sum says more than their line. */
function hasLines({ tickets }: WholeReservation): boolean {
  return new Set(tickets.map(({ priceId, amount }) => `${priceId} ${amount}`)).size > 1;
}

/** Buttons to change and to remove a part. @param path of the cart @param change path of the form with the tickets */
export function editHtml(part: WholeReservation, path: string, change: string): string {
  const { id, event, tickets } = part;
  const language = currentLanguage();
  const words = cartWordsFor(language, part);
  const changing = `<a href="${escapeHtml(change)}" aria-label="${escapeHtml(words.changeWhat(event.name))}">`;
  return `<div class="actions">${changing}${escapeHtml(orderWordsFor(language, tickets).change)}</a>
${removeHtml(id, event.name, path)}</div>`;
}

/** Button to remove tickets or a membership. @param path of the cart */
export function removeHtml(id: string, name: string, path: string): string {
  const words = cartWords[currentLanguage()];
  return `<form class="order" method="post" action="${escapeHtml(path)}/remove"><input type="hidden" name="part" value="${id}">
<button class="link" aria-label="${escapeHtml(words.removeWhat(name))}">${escapeHtml(words.remove)}</button></form>`;
}

/** The state of a completed part. @param link path of its holder's page; undefined: not to be shown yet */
export function stateHtml(part: WholeReservation, timeZone: string, link: string | undefined): string {
  const language = currentLanguage();
  const words = cartWordsFor(language, part);
  const open =
    link === undefined
      ? ''
      : `<a href="${escapeHtml(link)}" aria-label="${escapeHtml(words.openWhat(part.event.name))}">${escapeHtml(words.open)}</a>`;
  return `<p class="actions"><strong>${escapeHtml(stateOf(part, timeZone))}</strong> ${open}</p>`;
}

function stateOf(part: WholeReservation, timeZone: string): string {
  const { status, expiresAt, payAtVenue } = part;
  const language = currentLanguage();
  const words = cartWordsFor(language, part);
  if (status === 'C') return words.cancelled;
  if (status !== 'R' && status !== 'U' && status !== 'F') return words.confirmed;
  if (expiresAt !== null && expiresAt <= databaseNow()) return words.lapsed;
  if (awaitsConfirmation(part)) return words.unconfirmed;
  return payAtVenue && expiresAt ? words.atVenue(beforeWhen(expiresAt, language, timeZone)) : words.unpaid;
}
