import { hash } from 'node:crypto';
import type { ScanRequest, TicketScanRequest } from '../model/scan.dto.js';
import { scannedText } from './scanned-text.js';

/** How a request names what it is about. */
export type NamedTicket = Pick<ScanRequest, 'qrcode_data' | 'ticket'>;

/** The text of a code as it counts; what is no text stays, and is refused later. */
export const textIn = (sent: unknown): unknown => (typeof sent === 'string' ? scannedText(sent) : sent);

/** Whether the device knows of gates: only then the answer says more than the specification. */
export function namesGate({ gate, direction, tickets }: TicketScanRequest): boolean {
  return (gate ?? direction ?? tickets ?? undefined) !== undefined;
}

/** Distinguishes a replay under the same attempt id from another request; undefined without an id. */
export function requestHash(request: TicketScanRequest): Buffer | null {
  if (!request.scan_id) return null;
  const asked = [textIn(request.qrcode_data) ?? null, request.event_uuid ?? null];
  // Requests without a gate keep the hash that older versions stored.
  if (namesGate(request)) asked.push(request.gate ?? null, request.direction ?? 'entry');
  if (request.ticket) asked.push(`ticket ${request.ticket}`);
  if (typeof request.tickets === 'number') asked.push(String(request.tickets));
  return hash('sha256', JSON.stringify(asked), 'buffer');
}
