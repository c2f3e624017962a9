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
export function standingOf(pack: Pack, ticket: PackTicket, own: OwnMove | undefined, here: Here): Standing {
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
): { readonly count: number; readonly inside: number; readonly expected: number } | null {
  if (ticket.group === 0) return null;
  let [count, inside, expected, extra] = [0, 0, 0, 0];
  for (const other of pack.tickets.values()) {
    if (other.group !== ticket.group || !admits(other)) continue;
    const hash = hashText(other.hash);
    const { place } = standingOf(pack, other, own.of(hash), here);
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
