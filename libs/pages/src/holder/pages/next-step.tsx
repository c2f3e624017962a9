import { checkoutUrlOf } from '#payments';
import { awaitsConfirmation, isHold, type WholeReservation } from '#tickets';
import { beforeWhen, currentLanguage, databaseNow, untilWhen } from '#kernel';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
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
  /** The other way to pay that is possible now. */
  readonly other: 'online' | 'venue' | undefined;
}

/** What the holder of a reservation does next. */
export function NextStep({ reservation, path, mailed, payPath, other }: NextStepProps): VNode | null {
  const { status, expiresAt, payments, tickets } = reservation;
  const language = currentLanguage();
  const words = holderWordsFor(language, tickets);
  if (status === 'C') return <Step text={words.cancelled} />;
  if (!isHold(status) && tickets.every(isGoneTicket)) return null;
  if (!isHold(status)) return <Step text={mailsTickets(reservation, mailed) ? words.confirmedMailed : words.confirmed} />;
  if (payments.some((payment) => payment.status === 'processing')) return <Step text={words.processing} />;
  const isOver = expiresAt !== null && expiresAt < databaseNow();
  if (isConfirmable(reservation))
    return (
      <Step text={isOver ? words.lapsed : confirmWords(reservation, words, mailed)}>
        <form method="post" action={`${path}/confirm`}>
          <button class="button">{words.confirm}</button>
        </form>
      </Step>
    );
  if (isOver) return <Step text={words.lapsedUnpaid} />;
  const until = expiresAt ? untilWhen(expiresAt, language, currentTenant().timeZone) : '';
  if (reservation.payAtVenue && expiresAt)
    return <Step text={words.payAtVenue(until)}>{other === 'online' && <OtherWay path={`${path}/online`} label={words.payOnline} />}</Step>;
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

function confirmWords({ expiresAt, payUntil, payAtVenue }: WholeReservation, words: HolderWords, mailed: boolean): string {
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  const before = expiresAt ? beforeWhen(expiresAt, language, timeZone) : '';
  if (!payUntil) return words.confirmHint(before, mailed);
  return payAtVenue ? words.confirmVenue(before, untilWhen(payUntil, language, timeZone)) : words.confirmOnline(before);
}
