import { createHash } from 'node:crypto';
import { InsideAuditService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import type { ScanResult } from '../../../apps/door/src/core/types.js';
import type { TestApp } from '../test-app.js';
import { secondId, type EnginePhone } from './engine-phones.js';

/** A result that a volunteer saw. */
export interface ShownResult {
  readonly phone: EnginePhone;
  readonly ticketId: string;
  readonly result: ScanResult;
  /** How many people came in or went out. */
  readonly people: number;
  undone: boolean;
}

type LogRow = {
  readonly id: string;
  readonly action: string;
  readonly outcome: string;
  readonly device_id: string | null;
  readonly ticket_id: string;
  readonly scan_id: string | null;
  readonly undoes: string | null;
  readonly sequence: number | null;
};

type LineRow = {
  readonly device_id: string;
  readonly scan_id: string;
  readonly sequence: number;
  readonly state: string;
  readonly reason: string | null;
  readonly ticket_id: string | null;
  readonly lets_in: boolean;
  readonly outcome: string | null;
  readonly chained: boolean | null;
  readonly undoes: string | null;
};

type ConflictRow = { readonly line_device_id: string; readonly line_scan_id: string; readonly ticket_id: string; readonly kind: string };

type Place = 'expected' | 'inside' | 'outside';

const movements: Readonly<Record<string, readonly [from: Place, to: Place]>> = {
  accepted: ['expected', 'inside'],
  readmitted: ['outside', 'inside'],
  left: ['inside', 'outside'],
};

/** What the server recorded about the devices of an event, and what is wrong with it. */
export class DoorRecords {
  private readonly logByAttempt: ReadonlyMap<string, readonly LogRow[]>;
  private readonly linesByAttempt: ReadonlyMap<string, readonly LineRow[]>;
  private readonly conflictsByAttempt: ReadonlyMap<string, readonly ConflictRow[]>;

  private constructor(
    readonly log: readonly LogRow[],
    readonly lines: readonly LineRow[],
    readonly conflicts: readonly ConflictRow[],
    private readonly drifts: readonly object[],
  ) {
    const scans = log.filter(({ action }) => action === 'scan');
    this.logByAttempt = groupBy(scans, (row) => attemptOf(row.device_id, row.scan_id));
    this.linesByAttempt = groupBy(lines, (row) => attemptOf(row.device_id, row.scan_id));
    this.conflictsByAttempt = groupBy(conflicts, (row) => attemptOf(row.line_device_id, row.line_scan_id));
  }

  static async read(test: TestApp, tenant: TenantIdentity, eventId: string, phones: readonly EnginePhone[]): Promise<DoorRecords> {
    const { schemaName: schema } = tenant;
    const { database } = test;
    const log = await database.query<LogRow>(
      `select id, action, outcome, device_id, ticket_id, scan_id, undoes, ticket_sequence as sequence from "${schema}".scan_log
       where (event_id = $1 or device_id = any($2)) and ticket_id is not null order by ticket_sequence, id`,
      [eventId, phones.map(({ id }) => id)],
    );
    const lines = await database.query<LineRow>(
      `select device_id, scan_id, sequence::int, state, result ->> 'reason' as reason, result ->> 'outcome' as outcome, chained,
         line::json ->> 'undoes' as undoes, ticket_id, verdict = 'admitted' and direction = 'entry' as lets_in
       from "${schema}".scan_line where device_id = any($1) order by device_id, sequence, id`,
      [phones.map(({ id }) => id)],
    );
    const conflicts = await database.query<ConflictRow>(
      `select line_device_id, line_scan_id, ticket_id, kind from "${schema}".scan_conflict where event_id = $1`,
      [eventId],
    );
    const drifts = await test.inside(tenant, () => test.app.get(InsideAuditService).drifts());
    return new DoorRecords(log, lines, conflicts, drifts);
  }

  /** People inside by the log. */
  get inside(): number {
    return [...this.replay().values()].filter((place) => place === 'inside').length;
  }

  /** Everything that contradicts what volunteers saw, or itself. Nothing is right. */
  async faults(phones: readonly EnginePhone[], shown: readonly ShownResult[]): Promise<string[]> {
    const faults: string[] = this.drifts.map((drift) => `audit: ${JSON.stringify(drift)}`);
    for (const phone of phones) faults.push(...this.brokenJournal(phone));
    for (const one of shown) faults.push(...(await this.lost(one)));
    faults.push(...this.wrongLedger());
    this.replay((fault) => faults.push(fault));
    return faults;
  }

  /** Lines of a phone that are missing, twice there, or not chained to the line before. */
  private brokenJournal({ id, name }: EnginePhone): string[] {
    const own = this.lines.filter(({ device_id: device }) => device === id);
    return own.flatMap(({ sequence, chained }, at) => {
      if (sequence !== at) return [`${name}: line ${at} has the number ${sequence}`];
      return chained === (at === 0 ? null : true) ? [] : [`${name}: line ${at} is not chained`];
    });
  }

  private async lost({ phone, result, people, undone }: ShownResult): Promise<string[]> {
    const { scanId, verdict, decidedBy } = result;
    const ids = [scanId, await secondId(scanId)];
    const lines = ids.flatMap((id) => this.linesByAttempt.get(attemptOf(phone.id, id)) ?? []);
    const rows = this.ofAttempts(this.logByAttempt, phone.id, ids, people);
    const shown = `${phone.name}: ${verdict} of ${people} by the ${decidedBy} (${scanId})`;
    if (lines.length + rows.length === 0) return [`${shown} is not recorded`];
    if (verdict !== 'go' && verdict !== 'out') return [];
    const moved = rows.filter(({ outcome }) => outcome in movements);
    if (undone) {
      const refused = this.lines.some((line) => line.undoes !== null && ids.includes(line.undoes) && line.state === 'refused');
      const left = moved.filter(({ id }) => !this.log.some(({ undoes }) => undoes === id));
      return left.length === 0 || refused ? [] : [`${shown} was undone, and still counts`];
    }
    const double = this.ofAttempts(this.conflictsByAttempt, phone.id, ids, people);
    const kept = moved.length + double.length;
    if (kept === people) return [];
    // A cancelled ticket, or more people than the reservation has: the line says so.
    const explained = lines.some(({ state, reason }) => state === 'was_cancelled' || reason === 'not_enough' || reason === 'not_inside');
    const states = lines.map(({ state, reason, outcome }) => `${state} ${reason ?? outcome ?? ''}`).join(', ');
    return kept < people && explained ? [] : [`${shown} is recorded for ${kept} (${states})`];
  }

  /** The rows of these attempts; tickets that moved together have ids made from that of the attempt. */
  private ofAttempts<Row>(rows: ReadonlyMap<string, readonly Row[]>, device: string, ids: readonly string[], people: number): Row[] {
    const tickets = people > 1 ? this.tickets : [];
    const all = ids.flatMap((id) => [id, ...tickets.map((ticket) => together(id, ticket))]);
    return all.flatMap((id) => rows.get(attemptOf(device, id)) ?? []);
  }

  private get tickets(): string[] {
    return [...new Set(this.log.map(({ ticket_id: ticket }) => ticket))];
  }

  /** Every double entry of the log, and every entry with a ticket for another event, stands in the ledger once, and nothing else does. */
  private wrongLedger(): string[] {
    const key = (device: string | null, scan: string | null, ticket: string): string => `${device} ${scan} ${ticket}`;
    const logged = this.log
      .filter(({ outcome }) => outcome === 'double_entry')
      .map((row) => key(row.device_id, row.scan_id, row.ticket_id))
      .toSorted();
    const misplaced = this.lines
      .filter(({ reason, lets_in: letsIn }) => reason === 'wrong_event' && letsIn)
      .map((row) => key(row.device_id, row.scan_id, row.ticket_id ?? ''))
      .toSorted();
    const listedAs = (kind: string): string[] =>
      this.conflicts
        .filter((row) => row.kind === kind)
        .map((row) => key(row.line_device_id, row.line_scan_id, row.ticket_id))
        .toSorted();
    const pairs = [
      [logged, listedAs('double_entry')],
      [misplaced, listedAs('wrong_event')],
    ] as const;
    return pairs
      .filter(([known, listed]) => known.join() !== listed.join())
      .map(([known, listed]) => `ledger: ${listed.join()}, log and lines: ${known.join()}`);
  }

  /** Where each ticket is after its movements. @param report gets movements that cannot follow the one before, such as a second entry */
  private replay(report: (fault: string) => void = () => undefined): Map<string, Place> {
    const places = new Map<string, Place>();
    const byId = new Map(this.log.map((row) => [row.id, row]));
    for (const row of this.log.filter(({ sequence }) => sequence !== null)) {
      const place = places.get(row.ticket_id) ?? 'expected';
      const outcome = row.action === 'undo' ? byId.get(row.undoes ?? '')?.outcome : row.outcome;
      const step = movements[outcome ?? ''];
      if (!step) continue;
      const [from, to] = row.action === 'undo' ? [step[1], step[0]] : step;
      if (from !== place) report(`ticket ${row.ticket_id}: ${row.action} ${outcome} while ${place}`);
      places.set(row.ticket_id, to);
    }
    return places;
  }
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

const attemptOf = (device: string | null, scan: string | null): string => `${device} ${scan}`;

/** The id of a ticket that moved together with that of the code. */
function together(scanId: string, ticketId: string): string {
  const hash = createHash('md5')
    .update(scanId + ticketId)
    .digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
