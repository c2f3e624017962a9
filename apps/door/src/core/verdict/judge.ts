import type { Genuineness } from '../codes/key-ring.js';
import type { TicketCode } from '../codes/parse-code.js';
import type { Place } from '../journal/entry.js';
import type { OwnMove, OwnMoves } from '../journal/own-moves.js';
import { states, type PackTicket } from '../pack/columns.js';
import type { Pack } from '../pack/pack.js';
import { hashText } from '../pack/ticket-hash.js';
import type { Direction, Reason } from '../types.js';
import { passageIn, type Decision } from './decision.js';
import { groupOf, standingOf, type Here } from './standing.js';

/** The most tickets that a device lets in although its list lacks them. */
export const mostUnlisted = 10;
/** The code that this device moved is answered `just` for so long, in milliseconds. */
export const justFor = 20_000;
/** A code that stays in view is answered `just` for as long as it was last seen within this time. */
export const seenAgain = 3_000;

export interface Attempt {
  readonly code: TicketCode;
  readonly genuineness: Genuineness;
  /** Keyed hash of the ticket's id. */
  readonly hash: bigint;
  readonly pack: Pack;
  readonly gateId: string | null;
  readonly direction: Direction;
  /** The server's time. */
  readonly now: number;
  readonly own: OwnMoves;
  /** Whether what the list says about this device (`mine`) holds now. */
  readonly isLeased: boolean;
  /** How many tickets that the list lacks may still come in. */
  readonly allowance: number;
  /** When this device read the same code last; null: not yet. */
  readonly seenAt: number | null;
  readonly deviceName: string | null;
  /** What this device did with the ticket a moment ago, also when the list shows it already; null: nothing. */
  readonly recent: { readonly at: number; readonly direction: Direction } | null;
}

/**
 * What the list of the event says about an attempt, in the order in which the server checks. A signature alone proves that the code is
 * genuine, and not that it is for tonight: it never lets in.
 */
export function judge(attempt: Attempt): Decision {
  const { code, genuineness, hash, pack, own } = attempt;
  if (genuineness === 'forged') return refusal('forged', 'to_desk');
  if (genuineness === 'unknown_key') return unlisted(attempt, 'unknown_key');
  const ticket = pack.tickets.get(hash) ?? null;
  if (!ticket) return unlisted(attempt, 'not_in_list');
  const age = (code.transfers - ticket.transfers) & 255;
  // A code with more transfers than the list knows is newer than the list.
  if (age >= 128) return { ...refusal('revoked', 'to_desk'), ticket };
  const refused = byState[ticket.state];
  // Of these, only cancelled tickets have a time.
  if (refused) return { ...refusal(refused[0], refused[1]), ticket, previous: passageIn(pack, ticket) };
  const here = hereOf(attempt);
  const move = own.of(hashText(hash));
  const { place, passage } = standingOf(pack, ticket, move, here, attempt.now);
  const found = { ticket, before: place, previous: passage, group: groupOf(pack, ticket, own, here, attempt.now) };
  const just = justMoved(attempt, move, place);
  if (just !== null) return { ...nothing, ...found, previous: { ...here, at: just }, verdict: 'just', reason: null };
  return { ...judgeMove(attempt, ticket, place, found.group), ...found };
}

const nothing: Decision = {
  verdict: 'stop',
  reason: null,
  previous: null,
  group: null,
  nextStep: null,
  gates: [],
  opensAt: null,
  holder: null,
  before: 0,
  ticket: null,
};

const byState: Readonly<Partial<Record<number, readonly [Reason, string]>>> = {
  [states.notPaid]: ['not_paid', 'pay'],
  [states.notActive]: ['not_active', 'to_desk'],
  [states.cancelled]: ['cancelled', 'to_desk'],
  [states.notAdmission]: ['not_admission', 'hand_out'],
};

function judgeMove(attempt: Attempt, ticket: PackTicket, place: Place, group: Decision['group']): Decision {
  const { pack, direction, now } = attempt;
  if (direction === 'exit') return place === 1 ? allow('out') : { ...refusal('not_inside', 'let_out'), verdict: 'ask' };
  if (place === 1) return refusal('already_scanned', 'to_desk');
  // The others of its reservation came in under one code, and this ticket with them.
  if (place === 0 && group?.expected === 0) return refusal('already_scanned', 'to_desk');
  if (place === 2 && !pack.reentry && pack.types.get(ticket.typeId ?? '')?.entry !== 'exits') return refusal('no_reentry', 'to_desk');
  const { doors, closes } = pack.event;
  if (doors !== null && now < doors) return { ...refusal('too_early', 'wait'), opensAt: doors };
  if (closes !== null && now > closes) return refusal('too_late', 'to_desk');
  const gate = pack.gates.find(({ id }) => id === attempt.gateId);
  if (gate && !mayPass(ticket, gate)) return { ...refusal('wrong_gate', 'other_gate'), gates: gatesFor(pack, ticket) };
  return isMine(attempt, ticket) ? allow('go') : sentAway(pack, ticket);
}

/** Without the server, whether this device is the one that lets the ticket in. */
function isMine({ pack, isLeased }: Pick<Attempt, 'pack' | 'isLeased'>, { typeId }: PackTicket): boolean {
  return pack.mine === null || (isLeased && typeId !== null && pack.mine.has(typeId));
}

/** Whether this device is the one that lets in every ticket of a reservation: nobody knows which of them come in under one code. */
export function isMineWhole(attempt: Pick<Attempt, 'pack' | 'isLeased'>, ticket: PackTicket): boolean {
  const { pack } = attempt;
  if (pack.mine === null) return true;
  const others = ticket.group === 0 ? [] : [...pack.tickets.values()].filter(({ group }) => group === ticket.group);
  return [ticket, ...others].every((one) => isMine(attempt, one));
}

/** Another device lets this ticket in, or nobody does. No person may decide here, who knows no more than this device. */
export function sentAway(pack: Pack, { typeId }: PackTicket): Decision {
  const holder = pack.holders.get(typeId ?? '') ?? null;
  return { ...refusal('other_device', holder ? 'to_device' : 'to_desk'), holder };
}

function unlisted(attempt: Attempt, reason: Reason): Decision {
  const { allowance, direction, own, hash, pack } = attempt;
  const move = own.of(hashText(hash));
  if (move && move.place === (direction === 'entry' ? 1 : 2)) {
    const before = { ...nothing, before: move.place, previous: { at: move.at, ...hereOf(attempt) } };
    if (justMoved(attempt, move, move.place) !== null) return { ...before, verdict: 'just' };
    return { ...before, ...(direction === 'entry' ? reasonOf('already_scanned', 'to_desk') : reasonOf('not_inside', 'let_out')) };
  }
  if (direction === 'exit') return { ...refusal(reason, 'let_out'), verdict: 'ask' };
  // Nobody knows which device is the one for a ticket that the list lacks.
  if (pack.mine !== null) return refusal(reason, 'to_desk');
  return { ...refusal(allowance > 0 ? reason : 'allowance_used', 'to_desk'), verdict: 'ask' };
}

const allow = (verdict: 'go' | 'out'): Decision => ({ ...nothing, verdict });
const reasonOf = (reason: Reason, nextStep: string): Pick<Decision, 'reason' | 'nextStep'> => ({ reason, nextStep });
const refusal = (reason: Reason, nextStep: string): Decision => ({ ...nothing, ...reasonOf(reason, nextStep) });

/** When this device moved the ticket in this direction a moment ago; null: it did not. */
function justMoved({ now, seenAt, recent, direction }: Attempt, move: OwnMove | undefined, place: Place): number | null {
  const last = recent ?? (move && move.direction !== null ? { at: move.at, direction: move.direction } : null);
  if (last?.direction !== direction || place !== (direction === 'entry' ? 1 : 2)) return null;
  const just = now - last.at <= justFor || (seenAt !== null && now - seenAt <= seenAgain);
  return just ? last.at : null;
}

function mayPass({ typeId }: PackTicket, { types }: Pack['gates'][number]): boolean {
  return types === null || (typeId !== null && types.has(typeId));
}

/** Names of the gates that a ticket may pass. */
function gatesFor(pack: Pack, ticket: PackTicket): string[] {
  return pack.gates.filter((gate) => mayPass(ticket, gate)).map(({ name }) => name);
}

/** The gate and the device of an attempt by their names. */
function hereOf({ pack, gateId, deviceName }: Attempt): Here {
  return { gate: pack.gates.find(({ id }) => id === gateId)?.name ?? null, device: deviceName };
}
