import { type CancellationEnd, mayCancelBefore } from '#tickets';
import { currentLanguage, dayAndTimeWords } from '#kernel';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { isChangeable, type HeldTicket } from './held-ticket.js';
import { holderWordsFor, type HolderWords } from './holder.words.js';

interface CancelRowProps {
  /** Those that the reader holds. */
  readonly tickets: readonly HeldTicket[];
  readonly end: CancellationEnd;
  /** Of the reservation; default: only the end is told. */
  readonly path?: string;
  /** A single ticket is cancelled with the reservation, too: it is only held. */
  readonly isWhole?: boolean;
}

/** The way to cancel all tickets that the reader holds, while none is used; where it is over, since when. */
export function CancelRow({ tickets, end, path, isWhole = false }: CancelRowProps): VNode | null {
  const own = tickets.filter(({ status }) => status !== 'R');
  if (own.length === 0 || !own.every(isChangeable)) return null;
  const words = holderWordsFor(currentLanguage(), own);
  const late = lateWords(end, words);
  if (late !== undefined) return <p class="small quiet">{late}</p>;
  if (path === undefined || end === undefined || !mayCancelBefore(end) || (own.length < 2 && !isWhole)) return null;
  return (
    <ul class="rows">
      <li>
        <a href={`${path}/cancel`}>{words.cancelAll}</a> <small class="quiet">{endWords(end, words)}</small>
      </li>
    </ul>
  );
}

/** Until when one may cancel. */
export function endWords(end: NonNullable<CancellationEnd>, words: HolderWords): string {
  return end === 'always' ? words.cancelAnyTime : words.cancelUntil(untilWords(end));
}

/** Since when one can no longer cancel; undefined while one can, and where the venue does not allow it. */
export function lateWords(end: CancellationEnd, words: HolderWords): string | undefined {
  return end instanceof Date && !mayCancelBefore(end) ? words.cancelLate(untilWords(end)) : undefined;
}

/** A moment in the venue's time zone. */
function untilWords(until: Date): string {
  return dayAndTimeWords(until, currentLanguage(), currentTenant().timeZone);
}
