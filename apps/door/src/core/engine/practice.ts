import type { Entry } from '../journal/entry.js';
import { OwnMoves } from '../journal/own-moves.js';
import { panelTicket, type TicketCode } from '../codes/parse-code.js';
import { states, type PackTicket, type TicketState } from '../pack/columns.js';
import type { Pack } from '../pack/pack.js';
import { hashText } from '../pack/ticket-hash.js';
import { plainResult, listResult } from '../scanning/results.js';
import { DoorError, type Direction, type ScanResult } from '../types.js';
import { judge } from '../verdict/judge.js';
import { noParts } from '../verdict/server-answer.js';
import type { Door } from '../door/door.js';
import { practiceTickets } from './practice-tickets.js';

type Kind = (typeof practiceTickets)[number]['kind'];

const listed: Readonly<Partial<Record<Kind, readonly [state: TicketState, group: number]>>> = {
  go: [states.expected, 0],
  used: [states.inside, 0],
  cancelled: [states.cancelled, 0],
  group: [states.expected, 1],
};
/** Further tickets of the practice group. */
const others = 4;
/** A practice ticket that came in is expected again after this time, in milliseconds. */
const forgotten = 60_000;

/**
 * Whether a text is a practice ticket of the panel, which waits for it. Only the server knows: guests can print anything. @returns false
 * without an answer
 */
export async function isKnown({ api }: Door, ticket: string): Promise<boolean> {
  const answer = await api.post('/scan/practice/', { body: { ticket }, timeout: 3000 }).catch(() => null);
  return answer?.status === 200;
}

/** Practice with tickets of its own. Nothing is stored, and nothing reaches the server or the counts. */
export class Practice {
  private own = new OwnMoves([]);
  private readonly results = new Map<string, { result: ScanResult; readonly code: string; readonly hash: bigint }>();

  constructor(private readonly door: Door) {}

  /** Decides about a practice code. Real codes are none, so that nobody takes practice for the door. */
  scan(text: string): ScanResult {
    // A ticket of the panel is one that may come in.
    const code = text.startsWith(panelTicket) ? practiceTickets[0].text : text.trim().toUpperCase();
    const attempt = { scanId: crypto.randomUUID(), direction: this.door.direction, at: this.door.clock.now() };
    const kind = practiceTickets.find(({ text: known }) => known === code)?.kind;
    if (!kind) return { ...plainResult(attempt, 'stop', 'malformed'), practice: true };
    if (kind === 'other_event') return otherEvent(attempt);
    return this.decide(code, attempt, 0);
  }

  admit(scanId: string): ScanResult {
    const known = this.find(scanId);
    const at = this.door.clock.now();
    this.move(scanId, known.hash, known.result.direction, at, 0, false);
    const verdict = known.result.direction === 'exit' ? 'out' : 'go';
    known.result = { ...known.result, verdict, reason: null, nextStep: null, at, undoUntil: at + 10_000 };
    return known.result;
  }

  admitGroup(scanId: string, count: number): ScanResult {
    const { code, result } = this.find(scanId);
    const attempt = { scanId: crypto.randomUUID(), direction: this.door.direction, at: this.door.clock.now() };
    if ((result.group?.expected ?? 0) < count) return { ...plainResult(attempt, 'stop', 'not_enough'), practice: true };
    return this.decide(code, attempt, count);
  }

  undo(scanId: string): void {
    const { hash } = this.find(scanId);
    const at = this.door.clock.now();
    this.own.add(entryOf({ kind: 'undo', scanId: crypto.randomUUID(), hash, direction: 'entry', at, extra: 0, undoes: scanId }));
  }

  private decide(text: string, attempt: { scanId: string; direction: Direction; at: number }, extra: number): ScanResult {
    const pack = practicePack(attempt.at);
    const hash = hashOf(text);
    const code: TicketCode = {
      text,
      kid: '1',
      ticketId: text,
      idBytes: new Uint8Array(16),
      transfers: 0,
      signedText: text,
      signature: new Uint8Array(64),
    };
    const move = this.own.of(hashText(hash));
    if (move && attempt.at - move.at > forgotten) this.own = new OwnMoves([]);
    const basis = { code, genuineness: 'genuine', hash, pack, gateId: null, direction: attempt.direction, now: attempt.at } as const;
    const judged = (): ReturnType<typeof judge> =>
      judge({ ...basis, own: this.own, isLeased: true, allowance: 1, seenAt: null, deviceName: null, recent: null });
    let decision = judged();
    if (extra > 0) decision = { ...decision, verdict: 'go', reason: null, nextStep: null };
    if (decision.verdict === 'go' || decision.verdict === 'out') {
      this.move(attempt.scanId, hash, attempt.direction, attempt.at, extra, extra > 0);
      decision = { ...decision, group: judged().group };
    }
    const listed = listResult({ ...attempt, tickets: null }, decision, pack, null, false);
    const result = { ...listed, group: decision.group, notes: [], practice: true };
    this.results.set(attempt.scanId, { result, code: text, hash });
    return result;
  }

  private move(scanId: string, hash: bigint, direction: Direction, at: number, extra: number, onlyOthers: boolean): void {
    this.own.add(entryOf({ kind: 'scan', scanId, hash, direction, at, extra, undoes: null, moved: !onlyOthers }));
  }

  private find(scanId: string): { result: ScanResult; readonly code: string; readonly hash: bigint } {
    const known = this.results.get(scanId);
    if (!known) throw new DoorError('gone');
    return known;
  }
}

interface Moved {
  readonly kind: 'scan' | 'undo';
  readonly scanId: string;
  readonly hash: bigint;
  readonly direction: Direction;
  readonly at: number;
  readonly extra: number;
  readonly undoes: string | null;
  readonly moved?: boolean;
}

function entryOf({ kind, scanId, hash, direction, at, extra, undoes, moved = false }: Moved): Entry {
  const facts = {
    kind,
    scanId,
    eventId: '',
    ticket: hashText(hash),
    direction,
    moved,
    before: 0,
    extra,
    unlisted: false,
    at,
    undoes,
  } as const;
  return { n: 0, facts, line: null, settled: false, stamp: 0 };
}

function hashOf(code: string): bigint {
  return BigInt(practiceTickets.findIndex(({ text }) => text === code) + 1);
}

/** A ticket for tomorrow. */
function otherEvent(attempt: Parameters<typeof plainResult>[0]): ScanResult {
  const tomorrow = attempt.at + 86_400_000;
  const other = { ...noParts.other, startsAt: tomorrow };
  const nextStep = { code: 'other_event', text: null };
  return { ...plainResult(attempt, 'stop', 'wrong_event'), nextStep, other, practice: true };
}

/** A list with the practice tickets. One of them came in ten minutes ago. */
function practicePack(now: number): Pack {
  const ticket = (hash: bigint, state: TicketState, group: number): PackTicket => {
    const moment = state === states.inside ? Math.floor(now / 1000) - 600 : 0;
    return { hash, typeId: null, state, gateId: null, deviceId: null, transfers: 0, moment, group, sealed: null };
  };
  const own = practiceTickets.flatMap(({ kind, text }) => {
    const [state, number] = listed[kind] ?? [];
    return state === undefined || number === undefined ? [] : [ticket(hashOf(text), state, number)];
  });
  const group = Array.from({ length: others }, (_, at) => ticket(BigInt(100 + at), states.expected, 1));
  const event = { id: '', name: '', place: null, start: now, end: null, doors: null, closes: null };
  const facts = { event, reentry: true, note: null, age: null, position: '', serverTime: now, leaseEnd: now, salt: new Uint8Array(16) };
  const lists = { types: new Map(), gates: [], devices: new Map(), mine: null, holders: new Map(), conflicts: [] };
  const head = {} as Pack['head'];
  return { head, ...facts, ...lists, tickets: new Map([...own, ...group].map((one) => [one.hash, one])) };
}
