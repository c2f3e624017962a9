import type { PendingOffer } from '#holders';
import { type CancellationEnd, isHold, type TicketCodes, totalOf, type WholeReservation } from '#tickets';
import { currency, currentLanguage, moneyWords } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { mostBundled, walletBundlePath, type WalletOffer } from '#wallet';
import { amountWords, LookAgain, lookingAgain, pageDocument, PassScript, type Venue } from '#page-kit';
import type { TransferInstructions } from '#transfers';
import type { VNode } from 'preact';
import { SavedNote } from '../../codes/saved-note.js';
import { isGoneTicket } from './held-ticket.js';
import { holderWordsFor } from './holder.words.js';
import { calendarLinks } from '../parts/calendar-links.js';
import { WithdrawFromGoods } from '../parts/withdraw-row.js';
import { HeldEventHead, type HeldEvent } from '../parts/held-event.js';
import { SameOrderNote, type SameOrder } from '../parts/same-order.js';
import { CancelRow } from './cancel-row.js';
import { Refunds } from './cancellation.js';
import { NextStep } from './next-step.js';
import { AccountLink, KeptPage, ReceiptLink, Reference } from './page-parts.js';
import { qrDrawing } from './qr-drawing.js';
import { ticketCard } from './ticket-card.js';

type Tickets = WholeReservation['tickets'];

interface ReservationPageFacts {
  readonly venue: Venue;
  readonly held: HeldEvent;
  /** Assumed duration of an event without an end. */
  readonly eventMinutes: number;
  /** Whether this server sends mails. */
  readonly mailed: boolean;
  /** Until when holders may cancel. */
  readonly cancelEnd: CancellationEnd;
  /** Wallets for which the venue makes passes. */
  readonly wallets: WalletOffer;
  /** Tickets that are offered to somebody, by their ids. */
  readonly offers: ReadonlyMap<string, PendingOffer>;
  /** Where a reservation can be paid whose checkout is not open yet. */
  readonly payPath: string | undefined;
  /** What is to be transferred, when it is paid that way. */
  readonly transfer: TransferInstructions | undefined;
  /** The other way to pay that is possible now. */
  readonly other: 'online' | 'venue' | undefined;
  /** What was ordered together with it. */
  readonly order: SameOrder | undefined;
  /** Path of the tax receipt for the donation of its order; undefined: there is none. */
  readonly taxReceipt: string | undefined;
  /** Path of the next look, while the provider has not confirmed a payment from which the buyer returned. */
  readonly again?: string | undefined;
}

/** A reservation for its holder: what to do next, and the tickets once they are valid. */
export async function reservationPage(
  reservation: WholeReservation,
  codes: TicketCodes,
  tenant: TenantIdentity,
  path: string,
  {
    venue,
    held,
    eventMinutes,
    mailed,
    cancelEnd,
    wallets,
    offers,
    again,
    payPath,
    transfer,
    other,
    order,
    taxReceipt,
  }: ReservationPageFacts,
): Promise<string> {
  const language = currentLanguage();
  const { id, event, tickets, payments, usedCode } = reservation;
  const words = holderWordsFor(language, tickets);
  const calendars = calendarLinks(held, tenant.timeZone, { eventMinutes });
  const cardsOf = async (isAdmission: boolean): Promise<VNode[]> => {
    const same = [...tickets.entries()].filter(([, { admission }]) => admission === isAdmission);
    const shown = same.toSorted(([, one], [, other]) => Number(isGoneTicket(one)) - Number(isGoneTicket(other)));
    const inOrder = shown.map(([index]) => index);
    const cards: VNode[] = [];
    for (const [index, ticket] of shown) {
      const place = { path: `${path}/tickets/${ticket.id}`, index, order: inOrder, cancelEnd, wallets, calendars, eventName: event.name };
      const state = { code: codes.get(ticket.id), offer: offers.get(ticket.id), isGiven: ticket.holderEmail !== null };
      cards.push(await ticketCard(ticket, { ...place, ...state }));
    }
    return cards;
  };
  const [admission, goods] = [await cardsOf(true), await cardsOf(false)];
  const shownTransfer = transfer && { ...transfer, drawing: await qrDrawing(transfer.epc) };
  const top = (
    <>
      <HeldEventHead held={held} kind={words.reservation} />
      {again === undefined ? (
        <NextStep reservation={reservation} path={path} mailed={mailed} payPath={payPath} transfer={shownTransfer} other={other} />
      ) : (
        <LookAgain path={again} text={words.paying} />
      )}
    </>
  );
  const cards = (
    <>
      {admission.length > 0 && (
        <>
          <h2>{words.tickets}</h2>
          <ul class="tickets passes cards">{admission}</ul>
        </>
      )}
      {goods.length > 0 && (
        <>
          <h2>{words.collectAt(event.name)}</h2>
          <ul class="tickets passes cards">{goods}</ul>
        </>
      )}
    </>
  );
  // One code stands beside the event on a desk.
  const isSingle = tickets.length === 1;
  const main = (
    <article class="holder">
      <div class="two">
        {isSingle ? <div class="flow">{top}</div> : top}
        {isSingle && <section class="flow">{cards}</section>}
      </div>
      <section>
        {!isSingle && cards}
        <SavedNote used={usedCode} tickets={tickets} />
        <p class="sum">
          <span>{words.total}</span> <strong>{totalWords(reservation)}</strong>
        </p>
        <Refunds payments={payments} />
        <Files count={codes.size} path={path} wallets={wallets} tickets={tickets} />
      </section>
      <SameOrderNote order={order} />
      <ReceiptLink sold={reservation} path={path} taxReceipt={taxReceipt} />
      <CancelRow
        tickets={tickets.filter(({ holderEmail }) => holderEmail === null)}
        end={cancelEnd}
        path={path}
        isWhole={isHold(reservation.status)}
      />
      <WithdrawFromGoods reservation={reservation} path={path} venue={venue} />
      <Reference id={id} />
      <AccountLink />
      {codes.size > 0 && <KeptPage />}
    </article>
  );
  return pageDocument({
    tenant,
    language,
    title: `${words.reservation} · ${tenant.name}`,
    main,
    venue,
    sheet: 'holder',
    head: lookingAgain(again) ?? (codes.size > 0 && <PassScript keeps />),
    hasScript: again !== undefined,
  });
}

function totalWords(reservation: WholeReservation): string {
  const language = currentLanguage();
  const total = totalOf(reservation);
  // Nothing is left to pay of what was cancelled, but it was not free.
  const isWhole = reservation.tickets.every(({ status }) => status !== 'R');
  return isWhole ? amountWords(total as `${number}`, language) : moneyWords(total, currency, language);
}

interface FilesProps {
  /** Of the valid tickets. */
  readonly count: number;
  readonly path: string;
  readonly wallets: WalletOffer;
  readonly tickets: Tickets;
}

/** All valid tickets as files. */
function Files({ count, path, wallets, tickets }: FilesProps): VNode | null {
  if (count === 0) return null;
  const words = holderWordsFor(currentLanguage(), tickets);
  const isBundled = wallets.apple && count > 1 && count <= mostBundled;
  return (
    <p class="ways">
      <a class="button" href={`${path}/tickets.pdf`}>
        {words.download}
      </a>
      {isBundled && <a href={`${path}/${walletBundlePath}`}>{words.appleWalletAll}</a>}
    </p>
  );
}
