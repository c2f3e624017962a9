import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, violatedConstraint, type Settings } from '#kernel';
import { ApiKeysService, currentTenant, TenantDb, type PreparedStatement } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import { problem } from '../model/scan.problems.js';
import { circumstances, ScanService, versionOf } from '../scanning/scan.service.js';
import { happenedAt, readLine, type JournalLine } from './journal-line.js';
import { journalStatement } from './journal.statement.js';

/** The answer to a line as it is stored. Instants are UTC texts with microseconds. */
export interface LineResult {
  readonly scan_id: string;
  readonly sequence: number;
  readonly state: 'applied' | 'replayed' | 'duplicate_of' | 'was_cancelled' | 'refused';
  readonly reason: string | null;
  /** With `replayed`: what the server answered to the attempt. */
  readonly outcome: string | null;
  readonly happenedAt: string;
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

/** Each round means that a concurrent attempt of the same ticket was decided in the meantime. */
const maximumRounds = 20;

/** Records what devices did without the server. */
@Injectable()
export class JournalService {
  private readonly statement: PreparedStatement;
  /** Devices whose journal is being recorded by this process. */
  private readonly busy = new Set<string>();

  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
    private readonly scan: ScanService,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.statement = journalStatement(settings);
  }

  /**
   * Records lines in their order, each by its own statement. A repeat gets the same answers.
   * @throws Problem 429 `batch.busy` while another batch of this device is recorded; 401/403 when the key was revoked or suspended: lines
   * before are recorded
   */
  async record(device: Device, lines: readonly unknown[]): Promise<(LineResult | BadLine)[]> {
    if (this.busy.has(device.deviceId)) throw problem('batch.busy', { headers: { 'Retry-After': '1' } });
    this.busy.add(device.deviceId);
    try {
      const results: (LineResult | BadLine)[] = [];
      for (const text of lines) results.push(await this.recordLine(device, text));
      return results;
    } finally {
      this.busy.delete(device.deviceId);
      this.scan.moved();
    }
  }

  private async recordLine(device: Device, text: unknown): Promise<LineResult | BadLine> {
    const line = readLine(text);
    if (!line) return { state: 'refused', reason: 'malformed', scan_id: null };
    const values = [...(await this.subjectOf(device, line)), circumstances(), currentTenant().id];
    values.splice(5, 0, text);
    for (let round = 0; round < maximumRounds; round += 1) {
      const row = await this.execute(values);
      if (row === 'again') continue;
      if (!row) throw await this.keys.refusalOf(device.keyId);
      if (!row.same) return { state: 'refused', reason: 'id_reused', scan_id: line.scanId };
      if (row.result) return row.result;
    }
    return { state: 'refused', reason: 'busy', scan_id: line.scanId };
  }

  /** The parameters of a line but for its text. */
  private async subjectOf(device: Device, line: JournalLine): Promise<unknown[]> {
    const code = line.code === null ? undefined : await this.scan.judgeCode(line.code);
    const fault = code && 'fault' in code ? code.fault : code && 'cardTag' in code ? 'membership' : null;
    return [
      code && 'ticketId' in code ? code.ticketId : line.ticketId,
      device.deviceId,
      device.keyId,
      line.scanId,
      line.sequence,
      line.hash,
      line.previous === null ? null : Buffer.from(line.previous, 'base64url'),
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

  private async execute(values: readonly unknown[]): Promise<{ result: LineResult | null; same: boolean } | undefined | 'again'> {
    try {
      const [row] = await this.db.statement<{ result: LineResult | null; same: boolean }>(this.statement, values, true);
      return row;
    } catch (error) {
      const constraint = violatedConstraint(error);
      // Another request records the same line, or the same attempt: it changed nothing here, and its result is read next.
      if (constraint === 'scan_line_device_id_scan_id_key' || constraint === 'scan_log_attempt') return 'again';
      throw error;
    }
  }
}
