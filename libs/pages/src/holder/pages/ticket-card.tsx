import type { PendingOffer } from '#holders';
import { type CancellationEnd, mayCancelBefore } from '#tickets';
import { currentLanguage, dotted, maskedEmail } from '#kernel';
import { nothingOffered, walletPaths, type WalletOffer } from '#wallet';
import { SafeHtml } from '#http';
import { amountWords } from '#page-kit';
import type { VNode } from 'preact';
import { WaitingGift } from '../../gifts/gift-parts.js';
import { isChangeable, isTransferable, placeOf, type HeldTicket } from './held-ticket.js';
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
  const { code, path, index, count, cancelEnd, wallets = nothingOffered, offer, isGiven = false } = card;
  const language = currentLanguage();
  const words = holderWordsFor(language, [ticket]);
  const name = `${ticket.firstName} ${ticket.lastName}`.trim();
  const { product, name: price } = ticket.price;
  // Free tickets have the same word as price and amount.
  // The buyer paid for a ticket that was given to somebody: that person is not told the price.
  const amount = ticket.holderEmail === null || isGiven ? [amountWords(ticket.amount as `${number}`, language)] : [];
  const kind = [...new Set([product.name, price, ...amount])];
  const [who, ...what] = name === '' ? kind : [name, ...kind];
  const state = stateWords(ticket, isGiven);
  const drawing = state === undefined && code !== undefined ? await qrDrawing(code) : undefined;
  return (
    <li id={placeOf(index)}>
      {drawing !== undefined && (
        <div class="code">
          <SafeHtml html={drawing} />
        </div>
      )}
      <p class="who" dir="auto">
        {who}
      </p>
      <p class="what">{dotted(what)}</p>
      {state !== undefined && <p class="state">{state}</p>}
      {drawing !== undefined && (
        <>
          <p class="where">{ticket.admission ? words.showAtDoor : words.showAtCounter}</p>
          <Wallets path={path} wallets={wallets} />
        </>
      )}
      <Turn index={index} count={count} ticket={ticket} />
      {offer && !isGiven && <WaitingGift ticket={ticket} offer={offer} path={path} />}
      {!isGiven && <TicketLinks ticket={ticket} isValid={code !== undefined} path={path} cancelEnd={cancelEnd} isOffered={!!offer} />}
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
    <ul class="wallets">
      {offered.map((name) => (
        <li>
          <a href={`${path}/${walletPaths[name]}`}>{labels[name]}</a>
        </li>
      ))}
    </ul>
  );
}

interface TurnProps extends Pick<TicketCard, 'index' | 'count'> {
  readonly ticket: HeldTicket;
}

/** Links to the tickets before and after this one, where a thumb reaches them. */
function Turn({ index, count, ticket }: TurnProps): VNode | null {
  if (count < 2) return null;
  const words = holderWordsFor(currentLanguage(), [ticket]);
  const link = (to: number, label: string, sign: string): VNode =>
    to < 0 || to >= count ? (
      <span class="turn-end">{sign}</span>
    ) : (
      <a href={`#${placeOf(to)}`} aria-label={label}>
        {sign}
      </a>
    );
  return (
    <p class="turn">
      {link(index - 1, words.previous, '←')} <span>{words.number(index + 1, count)}</span> {link(index + 1, words.next, '→')}
    </p>
  );
}

/** Whether a name belongs to it: nobody asks for a name on goods, which have one after they were given to somebody. */
function isNamed({ admission, firstName, lastName }: HeldTicket): boolean {
  return admission || firstName !== '' || lastName !== '';
}

interface TicketLinksProps extends Pick<TicketCard, 'path' | 'cancelEnd'> {
  readonly ticket: HeldTicket;
  /** Whether the ticket has a code, so that there are files of it. */
  readonly isValid: boolean;
  readonly isOffered: boolean;
}

function TicketLinks({ ticket, isValid, path, cancelEnd, isOffered }: TicketLinksProps): VNode | null {
  const words = holderWordsFor(currentLanguage(), [ticket]);
  const canChange = isChangeable(ticket);
  const ways = [
    [isValid, 'ticket.pdf', words.ticketPdf],
    [isValid, 'event.ics', words.calendar],
    [canChange && isNamed(ticket), 'rename', words.rename],
    [isTransferable(ticket) && !isOffered, 'transfer', words.transfer],
    [canChange && mayCancelBefore(cancelEnd), 'cancel', words.cancelTicket],
  ] as const;
  const links = ways.filter(([isOpen]) => isOpen);
  return links.length === 0 ? null : (
    <ul class="links">
      {links.map(([, to, label]) => (
        <li>
          <a href={`${path}/${to}`}>{label}</a>
        </li>
      ))}
    </ul>
  );
}
