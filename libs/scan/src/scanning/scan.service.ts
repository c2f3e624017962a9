import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { parseCode, parseCodeData, SigningKeysService } from '#tickets';
import { CardsService, parseTag } from '#cards';
import {
  currentLanguage,
  currentRequest,
  isVisible,
  RefusedInput,
  refuseUnfitText,
  scansTotal,
  SETTINGS,
  violatedConstraint,
  type Settings,
} from '#kernel';
import { ApiKeysService, currentTenant, TenantDb, type PreparedStatement } from '#tenancy';
import { OutboxService } from '#webhooks';
import { cardStatement, ownerCardStatement } from '../statements/card-statement.js';
import type { Device } from '../devices/device-of.js';
import type { CodeFault, Holder, ScanFacts } from '../model/scan-facts.js';
import type { ScanRequest, TicketScanRequest, UndoRequest } from '../model/scan.dto.js';
import type { ScanAction } from '../model/scan-log.entity.js';
import { staffUndoStatement } from '../statements/staff-undo-statement.js';
import { groupStatement } from '../statements/group-statement.js';
import { DoorSignals } from '../pack/door-signals.js';
import { attemptStatement } from '../statements/scan-statement.js';
import { undoAttemptStatement } from '../statements/undo-attempt-statement.js';
import { undoStatement } from '../statements/undo-statement.js';
import { problem } from '../model/scan.problems.js';
import { namesGate, requestHash, textIn, type NamedTicket } from './scan-request.js';
import { texts } from '../locales/scan.texts.js';

export interface DecidedAttempt {
  readonly facts: ScanFacts;
  /** The same attempt was answered before; this request changed nothing. */
  readonly replayed: boolean;
}

interface AttemptRow {
  readonly facts: ScanFacts | null;
  /** For a replay: the names, which the log does not store. */
  readonly holder?: Holder | null;
  /** For a device that may search tickets: the names of the reservation's tickets, which the log does not store. */
  readonly names?: Readonly<Record<string, Holder>> | null;
  readonly replayed: boolean;
  readonly same: boolean;
  /** There is no such ticket; the code may be a membership card. */
  readonly unknown: boolean;
}

export type JudgedCode =
  /** `codeVersion` is null when the ticket was named by its id. */
  | { readonly ticketId: string; readonly codeVersion: number | null }
  /** The tag of an NFC card. */
  | { readonly cardTag: string }
  | { readonly fault: Extract<CodeFault, 'missing' | 'malformed' | 'forged' | 'revoked'> };

/**
 * Each round means that a concurrent attempt of the same code was decided in the meantime; real devices do not cause this many in a row.
 */
const maximumRounds = 20;

/** Checks and scans tickets and undoes scans. */
@Injectable()
export class ScanService {
  private readonly statements: Readonly<
    Record<'attempt' | 'attemptAtGate' | 'group' | 'undo' | 'undoAttempt' | 'staffUndo', PreparedStatement>
  >;

  constructor(
    private readonly db: TenantDb,
    private readonly signingKeys: SigningKeysService,
    private readonly keys: ApiKeysService,
    private readonly outbox: OutboxService,
    private readonly cards: CardsService,
    private readonly door: DoorSignals,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.statements = {
      attempt: attemptStatement(settings),
      attemptAtGate: attemptStatement(settings, true),
      group: groupStatement(settings),
      undo: undoStatement(settings),
      undoAttempt: undoAttemptStatement(settings),
      staffUndo: staffUndoStatement(settings),
    };
  }

  /**
   * Checks or scans one code: verifies the signature, then one statement decides and logs; when there is no such ticket, a second
   * statement looks for a membership card.
   * @throws Problem 400 `qrcode.*`, 404 `ticket.unknown`, `gate.unknown`, 422 `scan.id_reused`, 401/403 when the key was revoked or
   * suspended in the meantime
   */
  async attempt(action: 'check' | 'scan', device: Device, request: TicketScanRequest): Promise<DecidedAttempt> {
    const code = await this.judgeRequest(request);
    if ('cardTag' in code) return this.ownersCard(action, device, code.cardTag, request);
    const id = 'ticketId' in code ? code.ticketId : null;
    const fault = 'fault' in code ? code.fault : null;
    const by = [id, device.deviceId, device.keyId, action];
    const attempt = [request.scan_id ?? null, requestHash(request), request.device_time ?? null];
    const values = [...by, request.event_uuid ?? null, ...attempt, fault, circumstances(), currentTenant().id, versionOf(code)];
    const card = (): Promise<DecidedAttempt> => this.card(action, device, id, request);
    if (!namesGate(request)) return this.decide(action, device, this.statements.attempt, values, card);
    const gated = [...values, request.gate ?? null, request.direction ?? 'entry'];
    const { tickets } = request;
    if (tickets === undefined || tickets === null) return this.decide(action, device, this.statements.attemptAtGate, gated, card);
    // Each moved ticket is a row of the log, so the attempt needs an id that connects them.
    gated[5] ??= randomUUID();
    return this.decide(action, device, this.statements.group, [...gated, tickets], card);
  }

  /**
   * Undoes this device's scan within the allowed time: by the attempt all of its tickets or none. Repeating a completed undo returns the
   * same answer.
   * @throws Problem 400 `qrcode.*`, 404 `ticket.unknown`, `scan.unknown`
   */
  async undo(device: Device, request: UndoRequest): Promise<DecidedAttempt> {
    if (!request.scan_id) return this.undoTicket(device, request);
    const undo = [request.scan_id, device.deviceId, device.keyId, request.reason, request.device_time ?? null, this.settings.undoMinutes];
    return this.decide('undo', device, this.statements.undoAttempt, [...undo, circumstances(), currentTenant().id]);
  }

  private async undoTicket(device: Device, request: UndoRequest): Promise<DecidedAttempt> {
    const code = await this.judgeRequest(request);
    return this.decide('undo', device, this.statements.undo, [
      'ticketId' in code ? code.ticketId : null,
      device.deviceId,
      device.keyId,
      null,
      request.reason,
      request.device_time ?? null,
      this.settings.undoMinutes,
      circumstances(),
      'fault' in code ? code.fault : null,
      currentTenant().id,
      versionOf(code),
    ]);
  }

  /**
   * Undoes a scan on behalf of a member of staff, whichever device made it. Logged with that person as author.
   * @throws RefusedInput on `reason`; on `status` when the ticket is not (or no longer) scanned
   */
  async undoByStaff(ticketId: string, reason: string, staff: { id: string; name: string }): Promise<void> {
    refuseUnfitText('reason', reason, 500);
    const why = reason.trim();
    if (!isVisible(why)) {
      throw new RefusedInput('reason', texts.localized('scan.reasonMissing'));
    }
    const values = [ticketId, staff.id, staff.name, why, circumstances(), currentTenant().id];
    const [released] = await this.db.statement(this.statements.staffUndo, values);
    if (!released) {
      throw new RefusedInput('status', texts.localized('scan.notScanned'));
    }
    this.moved();
    scansTotal.inc({ action: 'undo', outcome: 'undone' });
  }

  /** Tells those who wait that tickets moved. */
  moved(): void {
    this.outbox.notify();
    this.door.moved();
  }

  /** One attempt with a code that is not a ticket: a membership card or an unknown code. */
  card(action: 'check' | 'scan' | 'fulfil', device: Device, id: string | null, request: ScanRequest): Promise<DecidedAttempt> {
    const attempt = [request.scan_id ?? null, requestHash(request), request.device_time ?? null];
    return this.decide(action, device, cardStatement, [id, device.deviceId, device.keyId, action, ...attempt, circumstances()]);
  }

  /**
   * One attempt with the tag of an NFC card: answered as the membership card of its owner. A card that is unknown, blocked, lost or
   * without owner, or whose owner has no membership here, is answered as an unknown code.
   */
  async ownersCard(action: 'check' | 'scan' | 'fulfil', device: Device, tag: string, request: ScanRequest): Promise<DecidedAttempt> {
    // Two statements, because cards are in the shared schema.
    const owner = await this.cards.ownerKeyOf(tag);
    const attempt = [request.scan_id ?? null, requestHash(request), request.device_time ?? null];
    return this.decide(action, device, ownerCardStatement, [owner, device.deviceId, device.keyId, action, ...attempt, circumstances()]);
  }

  /** What a request names: a code, or a ticket by its id. Both at once are no code. */
  async judgeRequest({ qrcode_data: sent, ticket }: NamedTicket): Promise<JudgedCode> {
    if (!ticket) return this.judgeCode(sent);
    return (sent ?? null) === null ? { ticketId: ticket, codeVersion: null } : { fault: 'malformed' };
  }

  /** The ticket of a genuine code, the tag of an NFC card, or the fault of the code. */
  async judgeCode(sent: unknown): Promise<JudgedCode> {
    const text = textIn(sent);
    if (text === undefined || text === null || text === '') return { fault: 'missing' };
    const code = typeof text === 'string' ? parseCode(text) : undefined;
    const cardTag = typeof text === 'string' && !code ? parseTag(text) : undefined;
    if (cardTag !== undefined) return { cardTag };
    if (!code) return { fault: 'malformed' };
    const verdict = await this.signingKeys.verdictOn(code);
    return verdict === 'genuine' ? { ticketId: code.ticketId, codeVersion: code.codeVersion } : { fault: verdict };
  }

  /** Like `judgeCode`, for the signed part of a code whose signature a device verified. */
  async judgeCodeData(sent: string): Promise<JudgedCode> {
    const data = parseCodeData(sent);
    if (!data) return { fault: 'malformed' };
    const verdict = await this.signingKeys.verdictOnKey(data.keyId);
    return verdict === 'genuine' ? { ticketId: data.ticketId, codeVersion: data.codeVersion } : { fault: verdict };
  }

  /** What a line of a journal names; undefined: the id of a ticket, or nothing. */
  async judgeLine({ code, codeData }: { readonly code: string | null; readonly codeData: string | null }): Promise<JudgedCode | undefined> {
    if (codeData !== null) return this.judgeCodeData(codeData);
    return code === null ? undefined : this.judgeCode(code);
  }

  /**
   * Runs a deciding statement and repeats it while concurrent attempts of the same code are decided.
   * @throws Problem 422 `scan.id_reused`, 503 `scan.busy`, 401/403 when the key is no longer valid
   */
  async decide(
    action: ScanAction,
    device: Device,
    statement: PreparedStatement,
    values: readonly unknown[],
    unlessTicket?: () => Promise<DecidedAttempt>,
  ): Promise<DecidedAttempt> {
    for (let round = 0; round < maximumRounds; round += 1) {
      const row = await this.execute(statement, values);
      if (row === 'again') continue;
      if (!row) throw await this.keys.refusalOf(device.keyId);
      if (!row.same) throw problem('scan.id_reused');
      if (row.unknown && unlessTicket) return unlessTicket();
      if (!row.facts) continue;
      if (!row.replayed && action !== 'check') this.moved();
      scansTotal.inc({ action, outcome: row.replayed ? 'replayed' : row.facts.outcome });
      return { facts: withNames(withHolder(row.facts, row.holder), row.names), replayed: row.replayed };
    }
    throw problem('scan.busy');
  }

  private async execute(statement: PreparedStatement, values: readonly unknown[]): Promise<AttemptRow | undefined | 'again'> {
    try {
      const [row] = await this.db.statement<AttemptRow & Record<string, unknown>>(statement, values, true);
      return row;
    } catch (error) {
      // Another request with the same attempt id, or the same undo, is being decided: this one changed nothing and reads the result
      // again.
      const constraint = violatedConstraint(error);
      if (constraint === 'scan_log_attempt' || constraint === 'scan_log_undoes') return 'again';
      throw error;
    }
  }
}

/** Number of transfers of the ticket in a judged code; null without a ticket. */
export function versionOf(code: JudgedCode): number | null {
  return 'codeVersion' in code ? code.codeVersion : null;
}

/** The facts of a first answer, with the names that the log leaves out. */
function withHolder(facts: ScanFacts, holder: Holder | null | undefined): ScanFacts {
  if (!holder) return facts;
  return {
    ...facts,
    ...(facts.ticket && { ticket: { ...facts.ticket, ...holder } }),
    ...(facts.membership && { membership: { ...facts.membership, ...holder } }),
  };
}

/** The facts with the names of the reservation's tickets. */
function withNames(facts: ScanFacts, names: AttemptRow['names']): ScanFacts {
  if (!names || !facts.door) return facts;
  const group = facts.door.group.map((one) => {
    const holder = names[one.uuid];
    return holder ? { ...one, holder } : one;
  });
  return { ...facts, door: { ...facts.door, group } };
}

/** Data that determines the wording of an answer besides the ticket. Stored with an attempt id, so that a replay has the same text. */
export function circumstances(): string {
  return JSON.stringify({
    language: currentLanguage(),
    timeZone: currentTenant().timeZone,
    requestId: currentRequest()?.requestId ?? '',
  });
}
