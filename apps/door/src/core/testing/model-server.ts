import { parseCode } from '../codes/parse-code.js';
import type { Direction } from '../types.js';
import { eventId, type ModelTicket } from './model-tickets.js';

/** An entry or an exit that the server recorded. */
export interface Movement {
  readonly ticket: ModelTicket;
  readonly outcome: 'accepted' | 'readmitted' | 'left';
  readonly device: string;
  readonly scanId: string;
  readonly at: number;
  undone: boolean;
}

interface LineResult {
  readonly scan_id: string | null;
  readonly state: string;
  readonly reason?: string;
  readonly outcome?: string;
  readonly other?: { readonly device_name: string; readonly gate: null; readonly at: string };
  readonly event?: { readonly name: string; readonly place: string; readonly start: string };
}

export interface ScanAsked {
  readonly event_uuid?: string;
  readonly qrcode_data?: string;
  readonly ticket?: string;
  readonly scan_id: string;
  readonly direction?: Direction;
  readonly tickets?: number;
}

/** What the server of the tests decides, in the sense of docs/scanning.md: events with re-entry, and doors that are always open. */
export class ModelServer {
  readonly movements: Movement[] = [];
  /** Every line that was recorded, by device and id. */
  readonly lines = new Map<string, { readonly text: string; readonly result: LineResult; readonly sequence: number }>();
  readonly attempts = new Map<string, { readonly outcome: string; readonly moved: readonly string[] }>();
  /** Double entries, and entries with tickets for other events; `withdrawn`: the device took its entry back. */
  readonly conflicts: Array<{ readonly ticket: ModelTicket; readonly line: string; readonly kind?: 'wrong_event'; withdrawn?: boolean }> =
    [];
  /** Before lines had an event: a server of an earlier version. */
  isOld = false;
  /** Exits whose entry is not known yet: a person let the holder out. */
  private letOut: Array<Pick<Movement, 'ticket' | 'device' | 'scanId' | 'at'>> = [];
  readonly byId = new Map<string, ModelTicket>();
  version = 1;
  /** Lines that the server fails over. */
  poison: (text: string) => boolean = () => false;
  now: () => number = Date.now;
  private readonly waiting = new Set<() => void>();

  add(...tickets: readonly ModelTicket[]): void {
    for (const ticket of tickets) this.byId.set(ticket.id, ticket);
    this.touch(...tickets);
  }

  touch(...tickets: readonly ModelTicket[]): void {
    this.version += 1;
    for (const ticket of tickets) ticket.version = this.version;
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }

  /** Waits until something changes. */
  change(signal: AbortSignal | null | undefined, ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      const end = (): void => {
        clearTimeout(timer);
        done();
      };
      this.waiting.add(end);
      signal?.addEventListener('abort', end);
    });
  }

  movesOf(ticket: ModelTicket): Movement[] {
    return this.movements.filter((one) => one.ticket === ticket && !one.undone);
  }

  /** 0: expected, 1: inside, 2: outside. */
  placeOf(ticket: ModelTicket): 0 | 1 | 2 {
    const last = this.movesOf(ticket).at(-1);
    return last ? (last.outcome === 'left' ? 2 : 1) : 0;
  }

  get inside(): number {
    return this.insideOf(eventId);
  }

  insideOf(event: string): number {
    return [...this.byId.values()].filter((ticket) => ticket.event === event && this.placeOf(ticket) === 1).length;
  }

  scan(
    device: string,
    { qrcode_data: code, ticket: id, event_uuid: event, scan_id: scanId, direction = 'entry', tickets }: ScanAsked,
  ): { outcome: string; moved: readonly string[] } {
    const key = `${device} ${scanId}`;
    const before = this.attempts.get(key);
    if (before) return before;
    const line = this.lines.get(key);
    const answer = line
      ? { outcome: this.outcomeOfLine(line.result, device, scanId), moved: [] }
      : this.decide(device, scanId, { text: code ?? id ?? '', event }, direction, tickets);
    this.attempts.set(key, answer);
    return answer;
  }

  /** The attempt as somebody in the reservation of the code would move. */
  private decide(
    device: string,
    scanId: string,
    { text, event }: { readonly text: string; readonly event: string | undefined },
    direction: Direction,
    tickets?: number,
  ): { outcome: string; moved: readonly string[] } {
    const ticket = this.ticketOf(text);
    if (!ticket) return { outcome: 'unknown', moved: [] };
    if (event !== undefined && event !== ticket.event) return { outcome: ticket.cancelled ? 'cancelled' : 'wrong_event', moved: [] };
    if (tickets === undefined) {
      const outcome = this.judge(ticket, direction);
      return { outcome, moved: this.move(device, scanId, ticket, outcome, this.now()) ? [ticket.id] : [] };
    }
    const able = this.able(ticket);
    if (able.length < tickets) return { outcome: 'not_enough', moved: [] };
    const moved = able.slice(0, tickets);
    for (const one of moved) this.move(device, scanId, one, this.judge(one, 'entry'), this.now());
    return { outcome: 'accepted', moved: moved.map(({ id }) => id) };
  }

  private able(ticket: ModelTicket): ModelTicket[] {
    const same = [...this.byId.values()].filter(
      ({ id, reservation }) => id === ticket.id || (reservation > 0 && reservation === ticket.reservation),
    );
    return [ticket, ...same.filter((one) => one !== ticket)].filter((one) => ['accepted', 'readmitted'].includes(this.judge(one, 'entry')));
  }

  private judge(ticket: ModelTicket, direction: Direction): string {
    if (ticket.cancelled) return 'cancelled';
    const place = this.placeOf(ticket);
    if (direction === 'exit') return place === 1 ? 'left' : 'not_inside';
    return place === 1 ? 'already_scanned' : place === 2 ? 'readmitted' : 'accepted';
  }

  private move(device: string, scanId: string, ticket: ModelTicket, outcome: string, at: number): boolean {
    if (outcome !== 'accepted' && outcome !== 'readmitted' && outcome !== 'left') return false;
    this.movements.push({ ticket, outcome, device, scanId, at, undone: false });
    this.touch(ticket);
    return true;
  }

  undo(device: string, scanId: string): string {
    const mine = this.movements.filter((one) => one.device === device && one.scanId === scanId);
    if (mine.length === 0) {
      const waiting = this.letOut.length;
      this.letOut = this.letOut.filter((one) => one.device !== device || one.scanId !== scanId);
      return this.letOut.length < waiting ? 'undone' : 'unknown_scan';
    }
    if (mine.every(({ undone }) => undone)) return 'undone';
    if (mine.some((one) => !one.undone && this.movesOf(one.ticket).at(-1) !== one)) return 'superseded';
    for (const one of mine) {
      one.undone = true;
      this.touch(one.ticket);
    }
    return 'undone';
  }

  record(device: string, text: string): LineResult {
    const line = JSON.parse(text) as ScanAsked & {
      sequence: number;
      kind?: string;
      undoes: string;
      verdict: string;
      device_time: string;
      clock_offset_ms: number;
    };
    if (this.isOld && 'event' in line) return { scan_id: null, state: 'refused', reason: 'malformed' };
    const key = `${device} ${line.scan_id}`;
    const before = this.lines.get(key);
    if (before) return before.text === text ? before.result : { scan_id: line.scan_id, state: 'refused', reason: 'id_reused' };
    const result = { scan_id: line.scan_id, ...this.judgeLine(device, line) };
    this.lines.set(key, { text, result, sequence: line.sequence });
    return result;
  }

  private judgeLine(
    device: string,
    line: ScanAsked & {
      kind?: string;
      event?: string;
      verified_data?: string;
      undoes: string;
      verdict: string;
      device_time: string;
      clock_offset_ms: number;
    },
  ): Omit<LineResult, 'scan_id'> {
    const { scan_id: scanId, direction = 'entry' } = line;
    if (line.kind === 'undo') {
      const doubled = this.conflicts.find((one) => one.line === `${device} ${line.undoes}`);
      if (doubled) doubled.withdrawn = true;
      const outcome = doubled ? 'undone' : this.undo(device, line.undoes);
      return outcome === 'undone' ? { state: 'applied' } : { state: 'refused', reason: outcome };
    }
    const online = this.attempts.get(`${device} ${scanId}`);
    if (online) return { state: 'replayed', outcome: online.outcome };
    if (line.verdict !== 'admitted') return { state: 'applied' };
    const ticket = this.ticketOf(line.ticket ?? line.qrcode_data ?? `${line.verified_data}:${'A'.repeat(86)}`);
    if (!ticket) return { state: 'refused', reason: 'unknown' };
    const at = Math.min(Date.parse(line.device_time) + line.clock_offset_ms, this.now());
    if (line.event !== undefined && line.event !== ticket.event && !ticket.cancelled)
      return this.misplace(device, scanId, ticket, direction);
    if (line.tickets !== undefined) {
      const moved = this.able(ticket).slice(0, line.tickets);
      for (const one of moved) this.move(device, scanId, one, this.judge(one, 'entry'), at);
      return moved.length === line.tickets ? { state: 'applied' } : { state: 'refused', reason: 'not_enough' };
    }
    const outcome = this.judge(ticket, direction);
    if (outcome === 'cancelled') return { state: 'was_cancelled' };
    if (this.move(device, scanId, ticket, outcome, at)) {
      const wayOut = outcome === 'left' ? undefined : this.letOut.find((one) => one.ticket === ticket && one.at >= at);
      if (wayOut) {
        this.letOut = this.letOut.filter((one) => one !== wayOut);
        this.move(wayOut.device, wayOut.scanId, ticket, 'left', wayOut.at);
      }
      return { state: 'applied' };
    }
    if (outcome === 'not_inside') this.letOut.push({ ticket, device, scanId, at });
    if (outcome !== 'already_scanned') return { state: 'refused', reason: outcome };
    const entry = this.movesOf(ticket).findLast(({ outcome: one }) => one !== 'left')!;
    this.conflicts.push({ ticket, line: `${device} ${scanId}` });
    this.touch(ticket);
    const other = { device_name: entry.device, gate: null, at: new Date(entry.at).toISOString() };
    return { state: entry.at > at ? 'applied' : 'duplicate_of', reason: 'double_entry', other };
  }

  /** Somebody came in with a ticket for another event: the ticket stays expected. */
  private misplace(device: string, scanId: string, ticket: ModelTicket, direction: Direction): Omit<LineResult, 'scan_id'> {
    if (direction === 'entry') this.conflicts.push({ ticket, line: `${device} ${scanId}`, kind: 'wrong_event' });
    // Lists show it.
    this.touch();
    return {
      state: 'refused',
      reason: 'wrong_event',
      event: { name: 'Another evening', place: 'Blue Hall', start: '2027-05-21T18:30:00Z' },
    };
  }

  private outcomeOfLine({ state, reason, outcome }: LineResult, device: string, scanId: string): string {
    const moved = this.movements.find((one) => one.device === device && one.scanId === scanId);
    if (reason === 'wrong_event') return reason;
    return moved?.outcome ?? outcome ?? (state === 'was_cancelled' ? 'cancelled' : 'already_scanned');
  }

  ticketOf(text: string): ModelTicket | undefined {
    const code = parseCode(text);
    return this.byId.get(code?.ticketId ?? text);
  }
}
