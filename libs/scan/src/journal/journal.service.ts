import { Inject, Injectable } from '@nestjs/common';
import { FairLimit, SETTINGS, violatedConstraint, type Settings } from '#kernel';
import { ApiKeysService, currentTenant, TenantDb, type PreparedStatement } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import { limits } from '../limits.js';
import type { ScanFacts } from '../model/scan-facts.js';
import { batchBusy } from '../model/scan.problems.js';
import { circumstances, ScanService, versionOf } from '../scanning/scan.service.js';
import { happenedAt, readLine, type JournalLine } from './journal-line.js';
import { journalGroupStatement } from './journal-group.statement.js';
import { journalStatement } from './journal.statement.js';
import { LineEventsService } from './line-events.service.js';
import { undoAttemptStatement } from '../statements/undo-attempt-statement.js';

/** The answer to a line as it is stored. Instants are UTC texts with microseconds. */
export interface LineResult {
  readonly scan_id: string;
  readonly sequence: number;
  readonly state: 'applied' | 'replayed' | 'duplicate_of' | 'was_cancelled' | 'refused';
  readonly reason: string | null;
  /** With `replayed`: what the server answered to the attempt. */
  readonly outcome: string | null;
  readonly happenedAt: string;
  /** With `was_cancelled`: since when. Answers of older versions lack it. */
  readonly cancelledAt?: string | null;
  /** With `wrong_event`: the event of the ticket. Answers of older versions lack it. */
  readonly event?: NonNullable<ScanFacts['event']> | null;
  /** With a number of tickets: those that moved. */
  readonly moved?: readonly string[];
  /** The other entry of a ticket that came in twice. */
  readonly other: {
    readonly device: string | null;
    readonly deviceName: string | null;
    readonly gate: string | null;
    readonly gateName: string | null;
    readonly scanId: string | null;
    readonly at: string | null;
    readonly errorMs: number | null;
  } | null;
}

/** A line that could not be kept: it is malformed, its id was used for another line, or it could not be decided. */
export interface BadLine {
  readonly state: 'refused';
  readonly reason: 'malformed' | 'id_reused' | 'busy';
  readonly scan_id: string | null;
}

/** Violated by a request whose work another one is doing. */
const decidedElsewhere = new Set(['scan_line_device_id_scan_id_key', 'scan_log_attempt', 'scan_log_undoes']);

/** Each round means that a concurrent attempt of the same ticket was decided in the meantime. */
const maximumRounds = 20;

/** Records what devices did without the server. */
@Injectable()
export class JournalService {
  private readonly statements: Readonly<Record<'one' | 'group' | 'undo', PreparedStatement>>;
  /** By device. */
  private readonly turns = new FairLimit({ ...limits.journals.turns, refuse: batchBusy });

  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
    private readonly scan: ScanService,
    private readonly events: LineEventsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.statements = {
      one: journalStatement(settings),
      group: journalGroupStatement(settings),
      undo: undoAttemptStatement(settings, true),
    };
  }

  /**
   * Records lines in their order, each by its own statement. A repeat gets the same answers.
   * @throws Problem 429 `batch.busy` while another batch of this device is recorded; 401/403 when the key was revoked or suspended: lines
   * before are recorded
   */
  async record(device: Device, lines: readonly unknown[]): Promise<(LineResult | BadLine)[]> {
    const leave = this.turns.claim(device.deviceId);
    try {
      const results: (LineResult | BadLine)[] = [];
      const eventOf = this.events.ofBatch();
      for (const text of lines) results.push(await this.recordLine(device, text, eventOf));
      return results;
    } finally {
      leave();
      this.scan.moved();
    }
  }

  private async recordLine(
    device: Device,
    text: unknown,
    eventOf: ReturnType<LineEventsService['ofBatch']>,
  ): Promise<LineResult | BadLine> {
    const line = readLine(text);
    if (!line) return { state: 'refused', reason: 'malformed', scan_id: null };
    const [statement, values] = await this.planOf(device, line, text as string, eventOf);
    for (let round = 0; round < maximumRounds; round += 1) {
      const row = await this.execute(statement, values);
      if (row === 'again') continue;
      if (!row) throw await this.keys.refusalOf(device.keyId);
      if (!row.same) return { state: 'refused', reason: 'id_reused', scan_id: line.scanId };
      if (row.result) return row.result;
    }
    return { state: 'refused', reason: 'busy', scan_id: line.scanId };
  }

  private async planOf(
    device: Device,
    line: JournalLine,
    text: string,
    eventOf: ReturnType<LineEventsService['ofBatch']>,
  ): Promise<[PreparedStatement, readonly unknown[]]> {
    if (line.kind === 'undo') return [this.statements.undo, this.undoValues(device, line, text)];
    const values = [...(await this.subjectOf(device, line)), circumstances(), currentTenant().id, await eventOf(line)];
    values.splice(5, 0, text);
    return line.tickets === null ? [this.statements.one, values] : [this.statements.group, [...values, line.tickets]];
  }

  private undoValues({ deviceId, keyId }: Device, line: JournalLine, text: string): unknown[] {
    const undo = [line.undoes, deviceId, keyId, line.reason, new Date(line.deviceTime), this.settings.undoMinutes, circumstances()];
    const written = [line.scanId, line.sequence, text, line.hash, hashBefore(line), line.mode, line.position];
    return [...undo, currentTenant().id, ...written, happenedAt(line), line.clockErrorMs];
  }

  /** The parameters of a line but for its text. */
  private async subjectOf(device: Device, line: JournalLine): Promise<unknown[]> {
    const code = await this.scan.judgeLine(line);
    const fault = code && 'fault' in code ? code.fault : code && 'cardTag' in code ? 'membership' : null;
    return [
      code && 'ticketId' in code ? code.ticketId : line.ticketId,
      device.deviceId,
      device.keyId,
      line.scanId,
      line.sequence,
      line.hash,
      hashBefore(line),
      line.gateId,
      line.direction,
      line.verdict,
      line.mode,
      line.position,
      new Date(line.deviceTime),
      happenedAt(line),
      line.clockErrorMs,
      fault,
      code ? versionOf(code) : null,
    ];
  }

  private async execute(
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<{ result: LineResult | null; same: boolean } | undefined | 'again'> {
    try {
      const [row] = await this.db.statement<{ result: LineResult | null; same: boolean }>(statement, values, true);
      return row;
    } catch (error) {
      const constraint = violatedConstraint(error);
      // Another request records the same line, or the same attempt: it changed nothing here, and its result is read next.
      if (constraint && decidedElsewhere.has(constraint)) return 'again';
      throw error;
    }
  }
}

function hashBefore({ previous }: JournalLine): Buffer | null {
  return previous === null ? null : Buffer.from(previous, 'base64url');
}
