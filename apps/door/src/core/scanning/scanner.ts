import type { Genuineness } from '../codes/key-ring.js';
import type { TicketCode } from '../codes/parse-code.js';
import type { Door } from '../door/door.js';
import { openName } from '../pack/sealed-name.js';
import { hashOfLine, namedBy } from '../journal/line.js';
import { DoorError, type ScanResult } from '../types.js';
import type { Decision } from '../verdict/decision.js';
import { isMineWhole, judge, sentAway } from '../verdict/judge.js';
import type { ServerDecision } from '../verdict/server-answer.js';
import { askServer, type Asked } from './asking.js';
import { Attempts, type Attempted } from './attempts.js';
import { Recorder } from './recorder.js';
import { listResult, offersOthers, plainResult, serverResult, undoFor } from './results.js';

const isRefusal = ({ verdict }: ServerDecision): boolean => verdict !== 'go' && verdict !== 'out';
const unlistedReasons = new Set(['not_in_list', 'unknown_key', 'allowance_used']);
/** The most codes of which is known when they were seen last. */
const mostSeen = 1000;

/** Decides about codes: the server in time, else the list. The verdict is on disk before anybody sees it. */
export class Scanner {
  readonly attempts = new Attempts();
  readonly recorder: Recorder;
  /** The same code in two frames is one attempt. */
  private readonly underway = new Map<string, Promise<ScanResult>>();
  private readonly seen = new Map<string, number>();
  /** Is called when a code is signed with an unknown key. */
  onUnknownKey: () => void = () => {};
  /** Is called when the server let several in together: only its list says who, and counts them once. */
  onGroup: () => void = () => {};

  constructor(private readonly door: Door) {
    this.recorder = new Recorder(door);
  }

  /** Decides about the code of a ticket. */
  scan(code: TicketCode): Promise<ScanResult> {
    const { gateId, direction } = this.door;
    const key = JSON.stringify([code.text, gateId, direction]);
    const running = this.underway.get(key);
    if (running) return running;
    const scanning = this.decide(code).finally(() => this.underway.delete(key));
    this.underway.set(key, scanning);
    return scanning;
  }

  /** A code that was decided about is still in view. */
  held(text: string): void {
    if (this.seen.has(text)) this.see(text, this.door.clock.now());
  }

  /** Lets in after `ask`. @throws DoorError `gone`, `not_asked`, `allowance_used` */
  async admit(scanId: string): Promise<ScanResult> {
    const attempt = this.find(scanId);
    if (attempt.moved && !attempt.undone) return attempt.result;
    if (attempt.direction === 'entry' && this.door.pack?.mine) throw new DoorError('other_device');
    if (attempt.result.verdict !== 'ask' || offersOthers(attempt.result)) throw new DoorError('not_asked');
    if (attempt.unlisted && this.door.allowance === 0 && this.door.store.state.role !== 'supervisor') throw new DoorError('allowance_used');
    attempt.byHand = true;
    await this.move(attempt, () => this.recorder.listed(attempt, true, true));
    const at = this.door.clock.now();
    const verdict = attempt.direction === 'exit' ? 'out' : 'go';
    attempt.result = { ...attempt.result, verdict, reason: null, nextStep: null, provisional: true, undoUntil: at + undoFor, at };
    return attempt.result;
  }

  /** Lets in so many of the reservation. @throws DoorError `gone`, `tickets` */
  async admitGroup(scanId: string, tickets: number): Promise<ScanResult> {
    const first = this.find(scanId);
    if (!Number.isInteger(tickets) || tickets < 1 || tickets > 100) throw new DoorError('tickets');
    return this.attempt(first.code, first.genuineness, tickets);
  }

  private async decide(code: TicketCode): Promise<ScanResult> {
    const genuineness = await this.door.keys.verifyCode(code);
    if (genuineness === 'unknown_key') this.onUnknownKey();
    return this.attempt(code, genuineness, null);
  }

  /** Decides about a code whose genuineness is known, or a ticket that was found without its code. */
  async attempt(code: TicketCode, genuineness: Genuineness, tickets: number | null): Promise<ScanResult> {
    const { door } = this;
    const { pack } = door;
    if (!pack) throw new DoorError('no_event');
    const [hash, mark] = await Promise.all([door.ticketHash(code.idBytes), hashOfLine(code.text)]);
    const decision = this.judge(code, genuineness, hash?.hash ?? 0n, tickets);
    const attempt = this.begin({ code, mark, genuineness, ticket: hash?.text ?? null, tickets }, decision);
    const holder = decision.ticket?.sealed ? await openName(decision.ticket.sealed, code.signature, pack.salt) : null;
    attempt.result = listResult(attempt, decision, pack, holder, false);
    this.see(code.text, attempt.at);
    if (decision.verdict === 'just') return attempt.result;
    const repeats = door.intents.get(attempt.scanId) !== undefined;
    const asked = genuineness === 'forged' ? undefined : await this.ask(attempt);
    if (asked?.decision && repeats && isRefusal(asked.decision)) {
      // The server repeats how it refused this attempt; the ticket may have moved since.
      await door.intents.remove(attempt.scanId);
      return this.attempt(code, genuineness, tickets);
    }
    if (asked?.decision) return this.followServer(attempt, asked.decision, asked.moved);
    const sent = asked?.sent ?? false;
    attempt.result = { ...attempt.result, provisional: sent };
    await this.keepListed(attempt, decision, sent);
    if (asked) void asked.late.then((late) => late && this.correct(attempt, late)).catch(() => {});
    return attempt.result;
  }

  /** What the list says. Several tickets come in together, or none. */
  private judge(code: TicketCode, genuineness: Genuineness, hash: bigint, tickets: number | null): Decision {
    const { door } = this;
    const decision = judge({
      code,
      genuineness,
      hash,
      pack: door.pack!,
      gateId: door.gateId,
      direction: door.direction,
      now: door.clock.now(),
      own: door.own,
      isLeased: door.lease.isHeld,
      allowance: door.allowance,
      seenAt: this.seen.get(code.text) ?? null,
      deviceName: door.credentials?.deviceName ?? null,
      recent: this.attempts.lastMove(code.text),
    });
    if (tickets === null) return decision;
    // The list lacks this ticket, so that only the server knows the others of its reservation.
    if (decision.verdict === 'just' && !decision.ticket) return { ...decision, verdict: 'stop', reason: 'not_enough', nextStep: 'to_desk' };
    const allowed = decision.verdict === 'go' || decision.verdict === 'just' || decision.reason === 'already_scanned';
    if (!allowed || !decision.ticket) return decision;
    const pack = door.pack!;
    const isMine = door.direction === 'exit' || isMineWhole({ pack, isLeased: door.lease.isHeld }, decision.ticket);
    if (!isMine) return { ...decision, ...sentAway(pack, decision.ticket), group: decision.group, ticket: decision.ticket };
    const enough = (decision.group?.expected ?? 0) >= tickets;
    return { ...decision, verdict: enough ? 'go' : 'stop', reason: enough ? null : 'not_enough', nextStep: enough ? null : 'to_desk' };
  }

  private begin(subject: Pick<Attempted, 'code' | 'mark' | 'genuineness' | 'ticket' | 'tickets'>, decision: Decision): Attempted {
    const { pack, gateId, direction, clock, intents } = this.door;
    const [eventId, at] = [pack!.event.id, clock.now()];
    // An attempt whose answer nobody saw is the same attempt. An exit is not: the server may have refused it before the ticket came in.
    const before =
      subject.tickets === null && direction === 'entry' ? intents.like({ eventId, mark: subject.mark, gateId, direction, at }) : undefined;
    const scanId = before?.scanId ?? crypto.randomUUID();
    const unlisted = unlistedReasons.has(decision.reason ?? '');
    const basis = { ...subject, scanId, eventId, gateId, direction, at, before: decision.before, unlisted };
    const result = plainResult(basis, decision.verdict, decision.reason);
    const attempt: Attempted = { ...basis, result, moved: false, undone: false, byHand: false, again: null };
    this.attempts.add(attempt);
    return attempt;
  }

  private async ask(attempt: Attempted): Promise<Asked> {
    const { door } = this;
    if (door.watch.patience > 0) void this.keepIntent(attempt, false).catch(() => {});
    return askServer(door, attempt);
  }

  private async followServer(attempt: Attempted, decision: ServerDecision, moved: readonly string[]): Promise<ScanResult> {
    attempt.result = serverResult(attempt, decision);
    if (decision.verdict === 'go' || decision.verdict === 'out') {
      const others = moved.filter((id) => id !== attempt.code.ticketId).length;
      await this.move(attempt, () => this.recorder.decided(attempt, attempt.tickets === null ? null : others));
      if (others > 0) this.onGroup();
    } else if (decision.verdict === 'ask') await this.keepIntent(attempt, true);
    else void this.door.intents.remove(attempt.scanId).catch(() => {});
    return attempt.result;
  }

  private async keepListed(attempt: Attempted, { verdict, reason }: Decision, sent: boolean): Promise<void> {
    // The server may have let in whom this device sends away: scanned again, it is the same attempt.
    if (verdict === 'ask' || reason === 'other_device') return this.keepIntent(attempt, true);
    if (verdict === 'go' || verdict === 'out') await this.move(attempt, () => this.recorder.listed(attempt, true, sent));
    else await this.recorder.listed(attempt, false, sent);
  }

  /** Somebody moves: known at once, for the next scan, unless it could not be written. */
  private async move(attempt: Attempted, write: () => Promise<void>): Promise<void> {
    attempt.moved = true;
    try {
      await write();
    } catch (error) {
      attempt.moved = false;
      throw error;
    }
  }

  private keepIntent(attempt: Attempted, shown: boolean): Promise<void> {
    const { scanId, eventId, code, genuineness, mark, ticket, gateId, direction, at, tickets } = attempt;
    if (tickets !== null) return Promise.resolve();
    return this.door.intents.put({ scanId, eventId, mark, named: namedBy(code, genuineness), ticket, gateId, direction, at, shown });
  }

  /** The server's answer came after the list had decided. */
  async correct(attempt: Attempted, decision: ServerDecision): Promise<void> {
    if (attempt.undone) return;
    const { verdict: shown } = attempt.result;
    const result = serverResult(attempt, decision);
    if (decision.verdict === 'go' || decision.verdict === 'out') {
      if (!attempt.moved) await this.move(attempt, () => this.recorder.decided(attempt, null));
      attempt.result = { ...result, undoUntil: shown === decision.verdict ? attempt.result.undoUntil : this.door.clock.now() + undoFor };
    } else if (attempt.moved) {
      // Whoever went out is gone. The answer to the line says whether the exit counts.
      if (attempt.direction === 'exit') return;
      const reason = decision.reason === 'already_scanned' ? 'double_entry' : decision.reason;
      attempt.result = { ...result, reason, undoUntil: this.door.clock.now() + undoFor };
    } else attempt.result = result;
    this.door.correct(attempt.result);
  }

  private see(text: string, at: number): void {
    this.seen.delete(text);
    this.seen.set(text, at);
    const [oldest] = this.seen.keys();
    if (this.seen.size > mostSeen && oldest !== undefined) this.seen.delete(oldest);
  }

  private find(scanId: string): Attempted {
    const attempt = this.attempts.get(scanId);
    if (!attempt || attempt.eventId !== this.door.pack?.event.id) throw new DoorError('gone');
    return attempt;
  }
}
