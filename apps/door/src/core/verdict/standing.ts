import type { OwnMove, OwnMoves } from '../journal/own-moves.js';
import { states, type PackTicket } from '../pack/columns.js';
import type { Pack } from '../pack/pack.js';
import { hashText } from '../pack/ticket-hash.js';
import type { Passage } from '../types.js';
import { passageIn, type Standing } from './decision.js';

/** Who this device is at the door. */
export interface Here {
  readonly gate: string | null;
  readonly device: string | null;
}

/**
 * Where a ticket of the list is. The later of two movements counts: that of the list and the own one, which the list may lack. The list has
 * whole seconds: within one, an own movement that the server knows gives way to the list.
 */
export function standingOf(pack: Pack, ticket: PackTicket, own: OwnMove | undefined, here: Here, now: number): Standing {
  const standing = lastMoveOf(pack, ticket, own, here);
  return isRenewed(pack, ticket, standing, now) ? { ...standing, place: 0 } : standing;
}

/** The hour at which the day of a venue begins, as on the server. */
const venueDayHour = 4;

/** Whether a ticket for each day is expected again, because its last movement was on an earlier day of the venue. */
function isRenewed(pack: Pack, { typeId }: PackTicket, { place, at }: Standing, now: number): boolean {
  if (place === 0 || at === null || pack.types.get(typeId ?? '')?.entry !== 'daily') return false;
  return venueDayOf(at, pack.head.time_zone) < venueDayOf(now, pack.head.time_zone);
}

/** The day of the venue at a moment, `YYYY-MM-DD`. */
function venueDayOf(moment: number, timeZone: string): string {
  // In Swedish, `2027-06-05 03:59`.
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(moment);
  const day = Date.parse(local.slice(0, 10)) - (Number(local.slice(11, 13)) < venueDayHour ? 86_400_000 : 0);
  return new Date(day).toISOString().slice(0, 10);
}

/** The same without regard to the days of the venue. */
export function lastMoveOf(pack: Pack, ticket: PackTicket, own: OwnMove | undefined, here: Here): Standing {
  const listed: Standing = {
    place: ticket.state === states.inside ? 1 : ticket.state === states.outside ? 2 : 0,
    at: ticket.moment === 0 ? null : ticket.moment * 1000,
    passage: passageIn(pack, ticket),
  };
  if (!own) return listed;
  const second = Math.floor(own.at / 1000) * 1000;
  const newer = listed.at !== null && (own.settled ? listed.at >= second : listed.at > second + 999);
  if (newer) return listed;
  const passage: Passage | null = own.place === 0 ? null : { at: own.at, gate: here.gate, device: here.device };
  return { place: own.place, at: own.at, passage };
}

/** The reservation of a ticket as far as the list knows it. @returns null when it has no other ticket */
export function groupOf(
  pack: Pack,
  ticket: PackTicket,
  own: OwnMoves,
  here: Here,
  now: number,
): { readonly count: number; readonly inside: number; readonly expected: number } | null {
  if (ticket.group === 0) return null;
  let [count, inside, expected, extra] = [0, 0, 0, 0];
  for (const other of pack.tickets.values()) {
    if (other.group !== ticket.group || !admits(other)) continue;
    const hash = hashText(other.hash);
    const { place } = standingOf(pack, other, own.of(hash), here, now);
    count += 1;
    if (place === 1) inside += 1;
    if (place === 0 && isValid(other)) expected += 1;
    for (const { facts } of own.withOthers(hash)) extra += facts.extra;
  }
  if (count < 2) return null;
  // Nobody knows which of the others came in under one code; only their number counts.
  const moved = Math.min(extra, expected);
  return { count, inside: inside + moved, expected: expected - moved };
}

const admits = ({ state }: PackTicket): boolean => state !== states.cancelled && state !== states.notAdmission;
const isValid = ({ state }: PackTicket): boolean => state === states.expected || state === states.inside || state === states.outside;
