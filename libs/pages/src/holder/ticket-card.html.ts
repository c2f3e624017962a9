import { currentLanguage, dotted, escapeHtml, maskedEmail } from '#kernel';
import { nothingOffered, walletPaths, type WalletOffer } from '#wallet';
import { amountWords } from '#page-kit';
import { isChangeable, isTransferable, placeOf, type HeldTicket } from './holder-access.service.js';
import { holderWords, holderWordsFor } from './holder.words.js';
import { qrDrawing } from './qr-drawing.js';

/** What the card of a ticket shows besides the ticket. */
export interface TicketCard {
  /** Undefined while the ticket has no valid code. */
  readonly code: string | undefined;
  /** Path of the ticket's own pages. */
  readonly path: string;
  /** Position among the tickets of the page, from 0. */
  readonly index: number;
  readonly count: number;
  /** Whether holders may cancel now. */
  readonly mayCancel: boolean;
  /** Wallets for which the venue makes passes. */
  readonly wallets?: WalletOffer;
  /** The buyer gave it to somebody else and reads this. */
  readonly isGiven?: boolean;
}

/** A ticket for its holder as a list item: the code, large and dark on white in every colour scheme, then who, what, and the links. */
export async function ticketCardHtml(
  ticket: HeldTicket,
  { code, path, index, count, mayCancel, wallets = nothingOffered, isGiven = false }: TicketCard,
): Promise<string> {
  const language = currentLanguage();
  const words = holderWordsFor(language, [ticket]);
  const name = `${ticket.firstName} ${ticket.lastName}`.trim();
  const { product, name: price } = ticket.price;
  // Free tickets have the same word as price and amount.
  const kind = [...new Set([product.name, price, amountWords(ticket.amount as `${number}`, language)])];
  const [who, ...what] = name === '' ? kind : [name, ...kind];
  const given = isGiven && ticket.holderEmail !== null ? words.givenTo(maskedEmail(ticket.holderEmail)) : undefined;
  const used = { R: words.ticketCancelled, S: words.scanned }[ticket.status as 'R' | 'S'];
  const state = (ticket.fulfilledAt ? words.handedOut : used) ?? given;
  const where = ticket.admission ? words.showAtDoor : words.showAtCounter;
  const shown = state === undefined && code !== undefined ? `<div class="code">${await qrDrawing(code)}</div>\n` : '';
  const note = state === undefined ? (shown === '' ? '' : `<p class="where">${escapeHtml(where)}</p>\n`) : '';
  const passes = shown === '' ? '' : walletsHtml(path, wallets);
  const links = isGiven ? '' : linksHtml(ticket, { code, path, mayCancel });
  return `<li id="${placeOf(index)}">
${shown}<p class="who" dir="auto">${escapeHtml(who ?? '')}</p>
<p class="what">${escapeHtml(dotted(what))}</p>
${state === undefined ? note : `<p class="state">${escapeHtml(state)}</p>\n`}${passes}${turnHtml(index, count, ticket)}${links}</li>`;
}

/** Links that add the ticket to the wallet of a phone, those of both systems: which one the reader uses is not guessed. */
function walletsHtml(path: string, wallets: WalletOffer): string {
  const words = holderWords[currentLanguage()];
  const labels = { apple: words.appleWallet, google: words.googleWallet };
  const links = (['apple', 'google'] as const)
    .filter((name) => wallets[name])
    .map((name) => `<li><a href="${escapeHtml(`${path}/${walletPaths[name]}`)}">${escapeHtml(labels[name])}</a></li>`);
  return links.length === 0 ? '' : `<ul class="wallets">${links.join('')}</ul>\n`;
}

/** Links to the tickets before and after this one, where a thumb reaches them. */
function turnHtml(index: number, count: number, ticket: HeldTicket): string {
  if (count < 2) return '';
  const words = holderWordsFor(currentLanguage(), [ticket]);
  const link = (to: number, label: string, sign: string): string =>
    to < 0 || to >= count
      ? `<span class="turn-end">${sign}</span>`
      : `<a href="#${placeOf(to)}" aria-label="${escapeHtml(label)}">${sign}</a>`;
  return `<p class="turn">${link(index - 1, words.previous, '←')}
<span>${escapeHtml(words.number(index + 1, count))}</span>
${link(index + 1, words.next, '→')}</p>\n`;
}

/** Whether a name belongs to it: nobody asks for a name on goods, which have one after they were given to somebody. */
function isNamed({ admission, firstName, lastName }: HeldTicket): boolean {
  return admission || firstName !== '' || lastName !== '';
}

function linksHtml(ticket: HeldTicket, { code, path, mayCancel }: Pick<TicketCard, 'code' | 'path' | 'mayCancel'>): string {
  const words = holderWordsFor(currentLanguage(), [ticket]);
  const link = (to: string, label: string): string => `<li><a href="${escapeHtml(`${path}/${to}`)}">${escapeHtml(label)}</a></li>`;
  const links = [
    ...(code === undefined ? [] : [link('ticket.pdf', words.ticketPdf), link('event.ics', words.calendar)]),
    ...(isNamed(ticket) && isChangeable(ticket) ? [link('rename', words.rename)] : []),
    ...(isTransferable(ticket) ? [link('transfer', words.transfer)] : []),
    ...(mayCancel && isChangeable(ticket) ? [link('cancel', words.cancelTicket)] : []),
  ];
  return links.length === 0 ? '' : `<ul class="links">${links.join('')}</ul>\n`;
}
