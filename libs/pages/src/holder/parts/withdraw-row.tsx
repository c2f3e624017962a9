import { membershipWithdrawableUntil, type WholeMembership } from '#memberships';
import { hasWithdrawal, isDistanceSale, withdrawableGoods, type WholeReservation } from '#tickets';
import { costsNothing, currentLanguage, dayWords } from '#kernel';
import { currentTenant } from '#tenancy';
import type { Venue } from '#page-kit';
import type { VNode } from 'preact';
import { withdrawalWords } from './withdrawal.words.js';

interface Shown {
  /** Of the page of the contract. */
  readonly path: string;
  readonly venue: Venue;
}

/** The way to withdraw from a membership, while its period lasts. */
export function WithdrawFromMembership({ membership, path, venue }: Shown & { readonly membership: WholeMembership }): VNode | null {
  const end = membershipWithdrawableUntil(membership);
  if (!hasWithdrawal(venue.country) || end === undefined) return null;
  return <WithdrawLink path={path} hint={withdrawalWords[currentLanguage()].until(lastDayWords(end))} />;
}

/** The way to withdraw from goods, and why there is none for tickets. */
export function WithdrawFromGoods({ reservation, path, venue }: Shown & { readonly reservation: WholeReservation }): VNode | null {
  const isPaid = reservation.tickets.some(({ status, amount }) => status !== 'R' && !costsNothing(amount));
  if (!hasWithdrawal(venue.country) || !isPaid || !isDistanceSale(reservation)) return null;
  const words = withdrawalWords[currentLanguage()];
  const hasTickets = reservation.tickets.some(({ admission, status, amount }) => admission && status !== 'R' && !costsNothing(amount));
  return (
    <>
      {withdrawableGoods(reservation).length > 0 && <WithdrawLink path={path} hint={words.goodsUntil} />}
      {hasTickets && <p class="small quiet no-print">{words.datedTickets}</p>}
    </>
  );
}

function WithdrawLink({ path, hint }: { readonly path: string; readonly hint: string }): VNode {
  return (
    <section class="no-print">
      <p>
        <a class="button other" href={`${path}/withdraw`}>
          {withdrawalWords[currentLanguage()].button}
        </a>
      </p>
      <p class="small quiet">{hint}</p>
    </section>
  );
}

/** The last day of a period that ends at midnight. */
export function lastDayWords(end: Date): string {
  return dayWords(new Date(end.getTime() - 1), currentLanguage(), currentTenant().timeZone);
}
