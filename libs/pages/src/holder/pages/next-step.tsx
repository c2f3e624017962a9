import { checkoutUrlOf } from '#payments';
import { transferDay } from '#messages';
import { referenceOf } from '#notices';
import { awaitsConfirmation, isGoodsAlone, isHold, type WholeReservation } from '#tickets';
import { beforeWhen, costsNothing, currency, currentLanguage, databaseNow, dotted, moneyWords, untilWhen } from '#kernel';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { TransferStep, type ShownTransfer } from '../parts/transfer-step.js';
import { isGoneTicket } from './held-ticket.js';
import { holderWordsFor, type HolderWords } from './holder.words.js';
import { Step } from './page-parts.js';

interface NextStepProps {
  readonly reservation: WholeReservation;
  /** Path of the holder's page. */
  readonly path: string;
  /** Whether this server sends mails. */
  readonly mailed: boolean;
  /** Where a reservation can be paid whose checkout is not open yet. */
  readonly payPath: string | undefined;
  /** What is to be transferred, when it is paid that way. */
  readonly transfer: ShownTransfer | undefined;
  /** The other way to pay that is possible now. */
  readonly other: 'online' | 'venue' | undefined;
}

/** What the holder of a reservation does next. */
export function NextStep({ reservation, path, mailed, payPath, transfer, other }: NextStepProps): VNode | null {
  const { status, expiresAt, payments, tickets } = reservation;
  const language = currentLanguage();
  const words = holderWordsFor(language, tickets);
  if (status === 'C') return <Step text={words.cancelled} />;
  if (!isHold(status) && tickets.every(isGoneTicket)) return null;
  if (!isHold(status)) return <Step text={mailsTickets(reservation, mailed) ? words.confirmedMailed : words.confirmed} />;
  if (payments.some((payment) => payment.status === 'processing')) return <Step text={words.processing} />;
  const isOver = expiresAt !== null && expiresAt < databaseNow();
  if (isConfirmable(reservation)) {
    const text = isOver ? words.lapsed : confirmWords(reservation, words, mailed, transfer);
    return <Confirmation reservation={reservation} path={path} text={text} title={isOver ? '' : words.confirmTitle} />;
  }
  if (isOver) return <Step text={words.lapsedUnpaid} />;
  const until = expiresAt ? untilWhen(expiresAt, language, currentTenant().timeZone) : '';
  if (reservation.payAtVenue && expiresAt && transfer && reservation.payUntil === null)
    return (
      <TransferStep transfer={transfer} path={path} title={words.reservedTitle(placesOf(reservation))}>
        {other === 'online' && <OtherWay path={`${path}/online`} label={words.payOnline} />}
      </TransferStep>
    );
  if (reservation.payAtVenue && expiresAt)
    return (
      <Step
        isGood
        title={words.reservedTitle(placesOf(reservation))}
        about={words.payAtVenue(
          moneyWords(reservation.amount, currency, language),
          beforeWhen(expiresAt, language, currentTenant().timeZone),
        )}
        text={words.atDoor(referenceOf(reservation.id), mailsTickets(reservation, mailed))}
      >
        {other === 'online' && <OtherWay path={`${path}/online`} label={words.payOnline} />}
      </Step>
    );
  const way = checkoutUrlOf(payments) ?? payPath;
  if (!way) return <Step text={words.atTheVenue(until)} />;
  return (
    <Step text={`${words.notPaid} ${words.payUntil(until, mailed)}`}>
      <p class="actions">
        <a class="button" href={way}>
          {words.pay}
        </a>
      </p>
      {other === 'venue' && <OtherWay path={`${path}/venue`} label={words.payVenue} />}
    </Step>
  );
}

interface ConfirmationProps extends Pick<NextStepProps, 'reservation' | 'path'> {
  readonly title: string;
  readonly text: string;
}

/**
 * What is confirmed, and the button that does it: reading the page confirms nothing, because programs that check mails follow links. The
 * button of an order with other parts confirms them, too.
 */
function Confirmation({ reservation, path, title, text }: ConfirmationProps): VNode {
  const language = currentLanguage();
  const words = holderWordsFor(language, reservation.tickets);
  const { amount, event, cartId } = reservation;
  const places = words.confirmPlaces(placesOf(reservation));
  const sum = costsNothing(amount) ? [] : [moneyWords(amount, currency, language)];
  return (
    <Step title={title} about={event.name} text={text}>
      <form method="post" action={`${path}/confirm`}>
        <button class="button">{cartId === null ? dotted([places, ...sum]) : words.confirmOrder}</button>
      </form>
    </Step>
  );
}

/** How many places a reservation has; of goods alone: how many items. */
function placesOf({ tickets }: WholeReservation): number {
  const kept = tickets.filter(({ status }) => status !== 'R');
  return isGoodsAlone(tickets) ? kept.length : kept.filter(({ admission }) => admission).length;
}

/** The button that changes the way to pay. */
function OtherWay({ path, label }: { readonly path: string; readonly label: string }): VNode {
  return (
    <form class="order" method="post" action={path}>
      <button class="button other">{label}</button>
    </form>
  );
}

/** Whether the buyer gets the tickets by mail. */
export function mailsTickets({ status, email }: WholeReservation, mailed: boolean): boolean {
  return mailed && email !== '' && status !== 'PE' && status !== 'PN';
}

/** Whether the buyer has to confirm it and still can: not after the time until which it had to be paid. */
function isConfirmable(reservation: WholeReservation): boolean {
  const { payUntil } = reservation;
  return awaitsConfirmation(reservation) && (payUntil === null || payUntil > databaseNow());
}

function confirmWords(
  { expiresAt, payUntil, payAtVenue }: WholeReservation,
  words: HolderWords,
  mailed: boolean,
  transfer: ShownTransfer | undefined,
): string {
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  const before = expiresAt ? beforeWhen(expiresAt, language, timeZone) : '';
  if (!payUntil) return words.confirmHint(before, mailed);
  if (transfer) return words.confirmTransfer(before, transferDay(transfer.dueOn, language));
  return payAtVenue ? words.confirmVenue(before, untilWhen(payUntil, language, timeZone)) : words.confirmOnline(before);
}
