import type { PendingOffer } from '#holders';
import { type CancellationEnd, mayCancelBefore } from '#tickets';
import { currentLanguage, dotted, maskedEmail } from '#kernel';
import { nothingOffered, walletPaths, type WalletOffer } from '#wallet';
import { SafeHtml } from '#http';
import { amountWords } from '#page-kit';
import type { VNode } from 'preact';
import { WaitingGift } from '../parts/waiting-gift.js';
import type { CalendarLinks } from '../parts/calendar-links.js';
import { endWords } from './cancel-row.js';
import { isChangeable, isTransferable, isTransferableLater, placeOf, type HeldTicket } from './held-ticket.js';
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
  /** The positions of those among which one turns. */
  readonly order: readonly number[];
  readonly calendars: CalendarLinks;
  /** Name of the event, which the page shows. */
  readonly eventName: string;
  /** Until when holders may cancel. */
  readonly cancelEnd: CancellationEnd;
  /** Wallets for which the venue makes passes. */
  readonly wallets?: WalletOffer;
  /** It is offered to somebody who has not accepted it yet. */
  readonly offer?: PendingOffer | undefined;
  /** The buyer gave it to somebody else and reads this. */
  readonly isGiven?: boolean;
}

/** A ticket for its holder as a list item: the code, large and dark on white in every colour scheme, then who, what, and the links. */
export async function ticketCard(ticket: HeldTicket, card: TicketCard): Promise<VNode> {
  const { code, path, index, order, calendars, eventName, cancelEnd, wallets = nothingOffered, offer, isGiven = false } = card;
  const language = currentLanguage();
  const words = holderWordsFor(language, [ticket]);
  const name = `${ticket.firstName} ${ticket.lastName}`.trim();
  const { product, name: price } = ticket.price;
  // Free tickets have the same word as price and amount.
  // The buyer paid for a ticket that was given to somebody: that person is not told the price.
  const amount = ticket.holderEmail === null || isGiven ? [amountWords(ticket.amount as `${number}`, language)] : [];
  const kind = [...new Set([...(product.name === eventName ? [] : [product.name]), price, ...amount])];
  const [who, ...what] = name === '' ? kind : [name, ...kind];
  const state = stateWords(ticket, isGiven);
  const drawing = state === undefined && code !== undefined ? await qrDrawing(code) : undefined;
  return (
    <li id={placeOf(index)}>
      {drawing !== undefined && (
        <div class="code pass-code">
          <SafeHtml html={drawing} />
        </div>
      )}
      <p class="who display" dir="auto">
        {who}
      </p>
      <p class="hint">{dotted(what)}</p>
      {state !== undefined && <p class="hint">{state}</p>}
      {drawing !== undefined && (
        <>
          <p class="hint">{ticket.admission ? words.showAtDoor : words.showAtCounter}</p>
          <Wallets path={path} wallets={wallets} />
          <Files path={path} calendars={calendars} ticket={ticket} />
        </>
      )}
      <Turn index={index} order={order} ticket={ticket} />
      {offer && !isGiven && <WaitingGift ticket={ticket} offer={offer} path={path} />}
      {!isGiven && <TicketLinks ticket={ticket} path={path} cancelEnd={cancelEnd} isOffered={!!offer} />}
    </li>
  );
}

/** Why the reader can no longer show the ticket; undefined when it is not used. */
function stateWords(ticket: HeldTicket, isGiven: boolean): string | undefined {
  const words = holderWordsFor(currentLanguage(), [ticket]);
  if (ticket.fulfilledAt) return words.handedOut;
  if (ticket.status === 'R') return words.ticketCancelled;
  if (ticket.status === 'S') return words.scanned;
  return isGiven && ticket.holderEmail !== null ? words.givenTo(maskedEmail(ticket.holderEmail)) : undefined;
}

/** Links that add the ticket to the wallet of a phone, those of both systems: which one the reader uses is not guessed. */
function Wallets({ path, wallets }: { readonly path: string; readonly wallets: WalletOffer }): VNode | null {
  const words = holderWords[currentLanguage()];
  const labels = { apple: words.appleWallet, google: words.googleWallet };
  const offered = (['apple', 'google'] as const).filter((name) => wallets[name]);
  return offered.length === 0 ? null : (
    <div class="actions wallets">
      {offered.map((name, index) => (
        <>
          {index > 0 && ' '}
          <a class={index === 0 ? 'button' : 'button other'} href={`${path}/${walletPaths[name]}`}>
            {labels[name]}
          </a>
        </>
      ))}
    </div>
  );
}

interface FilesProps extends Pick<TicketCard, 'path' | 'calendars'> {
  readonly ticket: HeldTicket;
}

/** The ticket as a file, and its event in calendars. */
function Files({ path, calendars, ticket }: FilesProps): VNode {
  const words = holderWordsFor(currentLanguage(), [ticket]);
  return (
    <p class="small share below">
      <a href={`${path}/ticket.pdf`}>{words.ticketPdf}</a> <a href={`${path}/event.ics`}>{words.calendar}</a>{' '}
      <a href={calendars.google} rel="noopener noreferrer">
        {words.googleCalendar}
      </a>{' '}
      <a href={calendars.outlook} rel="noopener noreferrer">
        {words.outlook}
      </a>
    </p>
  );
}

interface TurnProps extends Pick<TicketCard, 'index' | 'order'> {
  readonly ticket: HeldTicket;
}

/** Links to the tickets before and after this one, where a thumb reaches them. */
function Turn({ index, order, ticket }: TurnProps): VNode | null {
  const count = order.length;
  if (count < 2) return null;
  const at = order.indexOf(index);
  const words = holderWordsFor(currentLanguage(), [ticket]);
  const link = (to: number, label: string, sign: string): VNode =>
    order[to] === undefined ? (
      <span class="box turn-end">{sign}</span>
    ) : (
      <a class="box" href={`#${placeOf(order[to])}`} aria-label={label}>
        {sign}
      </a>
    );
  return (
    <p class="turn line">
      {link(at - 1, words.previous, '←')} <span>{words.number(at + 1, count)}</span> {link(at + 1, words.next, '→')}
    </p>
  );
}

/** Whether a name belongs to it: nobody asks for a name on goods, which have one after they were given to somebody. */
function isNamed({ admission, firstName, lastName }: HeldTicket): boolean {
  return admission || firstName !== '' || lastName !== '';
}

interface TicketLinksProps extends Pick<TicketCard, 'path' | 'cancelEnd'> {
  readonly ticket: HeldTicket;
  readonly isOffered: boolean;
}

function TicketLinks({ ticket, path, cancelEnd, isOffered }: TicketLinksProps): VNode | null {
  const words = holderWordsFor(currentLanguage(), [ticket]);
  const canChange = isChangeable(ticket);
  const name = `${ticket.firstName} ${ticket.lastName}`.trim();
  const ways = [
    [canChange && isNamed(ticket), 'rename', words.rename, name],
    [isTransferable(ticket) && !isOffered, 'transfer', words.transfer, words.transferHint],
    [canChange && mayCancelBefore(cancelEnd), 'cancel', words.cancelTicket, cancelEnd ? endWords(cancelEnd, words) : ''],
  ] as const;
  const links = ways.filter(([isOpen]) => isOpen);
  const isLater = isTransferableLater(ticket);
  return links.length === 0 && !isLater ? null : (
    <ul class="rows no-print">
      {links.map(([, to, label, hint]) => (
        <li>
          <a href={`${path}/${to}`}>{label}</a>{' '}
          <small class="quiet" dir="auto">
            {hint}
          </small>
        </li>
      ))}
      {isLater && (
        <li>
          <small class="quiet">{words.transferLater}</small>
        </li>
      )}
    </ul>
  );
}
