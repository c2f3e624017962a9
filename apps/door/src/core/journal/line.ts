import { sha256, toBase64url, utf8 } from '../codes/bytes.js';
import type { Genuineness } from '../codes/key-ring.js';
import type { TicketCode } from '../codes/parse-code.js';
import type { Direction } from '../types.js';

/** What a line says beside its place in the journal. Members of `POST /scan/batch/`, docs/scanning.md. */
export interface LineFacts {
  readonly scanId: string;
  /** With `undo`: the line takes back `undoes`. */
  readonly undo?: { readonly undoes: string; readonly reason: string };
  readonly code?: string | null;
  /** In the place of `code`, of one whose signature this phone verified. */
  readonly data?: string;
  /** In the place of both, of a ticket that was found without its code. */
  readonly ticketId?: string;
  /** The event at whose door this is. */
  readonly eventId?: string;
  readonly gateId?: string | null;
  readonly direction?: Direction;
  readonly verdict?: 'admitted' | 'refused';
  readonly mode: 'offline' | 'online';
  /** So many tickets of the reservation moved under this code, that of the code first; undefined: that of the code alone. */
  readonly tickets?: number;
  readonly position: string | null;
  /** Milliseconds since 1970 on the device's clock. */
  readonly deviceTime: number;
  readonly clockOffsetMs: number;
  readonly clockErrorMs: number;
}

/** The server refuses larger errors of a clock. */
const mostError = 2_000_000_000;

/** Writes a line. @param previous hash of the line before; null: the first */
export function writeLine(facts: LineFacts, sequence: number, previous: string | null): string {
  const { undo } = facts;
  return JSON.stringify({
    scan_id: facts.scanId,
    sequence,
    ...(undo ? { kind: 'undo', undoes: undo.undoes, reason: undo.reason } : movement(facts)),
    mode: facts.mode,
    ...(facts.position !== null && { position: facts.position.slice(0, 60) }),
    device_time: new Date(facts.deviceTime).toISOString(),
    clock_offset_ms: Math.round(facts.clockOffsetMs),
    clock_error_ms: Math.min(mostError, Math.max(0, Math.round(facts.clockErrorMs))),
    ...(previous !== null && { previous }),
  });
}

export async function hashOfLine(text: string): Promise<string> {
  return toBase64url(await sha256(utf8(text)));
}

/** What a line says about a ticket. */
export type LineSubject = Pick<LineFacts, 'code' | 'data' | 'ticketId'>;

/** A genuine code goes without its signature, which would open the sealed name of the list. */
export const namedBy = ({ text, signedText }: TicketCode, genuineness: Genuineness): LineSubject =>
  signedText === '' ? { ticketId: text } : genuineness === 'genuine' ? { data: signedText } : { code: text };

function movement({ code, data, ticketId, eventId, gateId, direction, verdict, tickets }: LineFacts): object {
  return {
    ...(ticketId ? { ticket: ticketId } : data ? { verified_data: data } : { qrcode_data: code ?? '' }),
    ...(eventId && { event: eventId }),
    ...(gateId && { gate: gateId }),
    direction,
    verdict,
    ...(tickets !== undefined && { tickets }),
  };
}
