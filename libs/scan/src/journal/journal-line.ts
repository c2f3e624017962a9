import { createHash } from 'node:crypto';
import { isObject, isUuid, isVisible } from '#kernel';
import { mostTogether } from '../model/scan.dto.js';
import type { ScanDirection } from '../model/scan-log.entity.js';

/** The most characters of a line. */
export const longestLine = 1000;

/** A line of a device's journal. */
export interface JournalLine {
  /** `undo`: takes an earlier attempt of this device back. */
  readonly kind: 'scan' | 'undo';
  readonly scanId: string;
  /** With `undo`: the attempt, and why. */
  readonly undoes: string | null;
  readonly reason: string | null;
  /** How many tickets of the reservation moved; null: that of the code. */
  readonly tickets: number | null;
  readonly sequence: number;
  /** The scanned string; the signed part of one whose signature the device verified; or the ticket's id. */
  readonly code: string | null;
  readonly codeData: string | null;
  readonly ticketId: string | null;
  /** The event at whose door the device was; null: an older version of the app, which does not say it. */
  readonly eventId: string | null;
  readonly gateId: string | null;
  readonly direction: ScanDirection;
  readonly verdict: 'admitted' | 'refused';
  readonly mode: 'offline' | 'online';
  readonly position: string | null;
  /** ISO 8601. */
  readonly deviceTime: string;
  /** Server time minus device time. */
  readonly clockOffsetMs: number;
  readonly clockErrorMs: number;
  /** SHA-256 of the line before, base64url; null: the first line of the journal. */
  readonly previous: string | null;
  readonly hash: Buffer;
}

const anyMember = new Set([
  'kind',
  'undoes',
  'reason',
  'tickets',
  'scan_id',
  'sequence',
  'qrcode_data',
  'verified_data',
  'ticket',
  'event',
  'gate',
  'direction',
  'verdict',
  'mode',
  'position',
  'device_time',
  'clock_offset_ms',
  'clock_error_ms',
  'previous',
]);
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** A clock may be wrong by ten years. */
export const mostOffset = 315_576_000_000;
export const mostError = 2_000_000_000;
const longestReason = 500;

/**
 * Reads one line: JSON of at most {@link longestLine} characters. Lines are checked one by one and by hand, so that a bad one blocks no
 * other and 1,000 of them take a few milliseconds.
 * @returns undefined when the line is malformed
 */
export function readLine(text: unknown): JournalLine | undefined {
  if (typeof text !== 'string' || text.length > longestLine) return undefined;
  const line = parsed(text);
  if (!isObject(line) || !Object.keys(line).every((name) => anyMember.has(name))) return undefined;
  const { kind = 'scan', scan_id: scanId, sequence, mode, device_time: deviceTime } = line;
  if (kind !== 'scan' && kind !== 'undo') return undefined;
  const undoing = kind === 'undo';
  // A line that takes an attempt back names the attempt alone.
  const { verdict = undoing ? 'refused' : undefined } = line;
  const [undoes, reason, tickets] = [line['undoes'] ?? null, line['reason'] ?? null, line['tickets'] ?? null];
  const { clock_offset_ms: offset = 0, clock_error_ms: error = 0, direction = 'entry' } = line;
  const [code, data, ticket] = [line['qrcode_data'] ?? null, line['verified_data'] ?? null, line['ticket'] ?? null];
  const [gate, event] = [line['gate'] ?? null, line['event'] ?? null];
  const [position, previous] = [line['position'] ?? null, line['previous'] ?? null];
  if (!isUuid(scanId) || !isWhole(sequence, 0, Number.MAX_SAFE_INTEGER)) return undefined;
  if (undoing ? !isUuid(undoes) || !isReason(reason) || tickets !== null : undoes !== null || reason !== null) return undefined;
  if (tickets !== null && !isWhole(tickets, 1, mostTogether)) return undefined;
  if (!undoing && !namesOne(code, data, ticket)) return undefined;
  if ((gate !== null && !isUuid(gate)) || (event !== null && !isUuid(event))) return undefined;
  if (direction !== 'entry' && direction !== 'exit') return undefined;
  if (verdict !== 'admitted' && verdict !== 'refused') return undefined;
  if (mode !== 'offline' && mode !== 'online') return undefined;
  if (typeof deviceTime !== 'string' || !instant.test(deviceTime) || !isYear(Date.parse(deviceTime))) return undefined;
  if (!isWhole(offset, -mostOffset, mostOffset) || !isWhole(error, 0, mostError)) return undefined;
  if (position !== null && !isShort(position, 60)) return undefined;
  if (previous !== null && !(typeof previous === 'string' && /^[A-Za-z0-9_-]{43}$/.test(previous))) return undefined;
  return {
    kind,
    scanId: scanId.toLowerCase(),
    undoes: undoing ? (undoes as string).toLowerCase() : null,
    reason: undoing ? (reason as string).trim() : null,
    tickets,
    sequence,
    code: undoing ? null : (code as string | null),
    codeData: undoing ? null : (data as string | null),
    ticketId: undoing || ticket === null ? null : (ticket as string).toLowerCase(),
    eventId: event === null ? null : event.toLowerCase(),
    gateId: gate === null ? null : gate.toLowerCase(),
    direction,
    verdict,
    mode,
    position: position as string | null,
    deviceTime,
    clockOffsetMs: offset,
    clockErrorMs: error,
    previous: previous,
    hash: createHash('sha256').update(text).digest(),
  };
}

/** The moment of a line on the server's clock. */
export function happenedAt({ deviceTime, clockOffsetMs }: JournalLine): Date {
  const moment = Date.parse(deviceTime) + clockOffsetMs;
  return new Date(isYear(moment) ? moment : Date.parse(deviceTime));
}

/** Whether a line names its ticket in one way. */
function namesOne(code: unknown, data: unknown, ticket: unknown): boolean {
  if ([code, data, ticket].filter((one) => one !== null).length !== 1) return false;
  return ticket === null ? typeof (code ?? data) === 'string' : isUuid(ticket);
}

function parsed(text: string): unknown {
  // PostgreSQL stores neither U+0000 nor lone surrogates.
  if (text.includes('\u0000') || !text.isWellFormed()) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** From 2000 to 2100. */
function isYear(moment: number): boolean {
  return moment >= 946_684_800_000 && moment < 4_102_444_800_000;
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}

function isReason(value: unknown): boolean {
  return isShort(value, longestReason) && isVisible(value as string);
}

function isShort(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.length <= most && value.isWellFormed() && !value.includes('\u0000');
}
