import { isoInZone } from '#kernel';
import { currentTenant } from '#tenancy';
import type { WebhookData } from '#webhooks';
import type { ScanFacts } from './scan-facts.js';

/** The facts that scan statements write into the outbox. */
export interface ScanHappening {
  readonly facts: ScanFacts;
  readonly seat: string;
  /** UTC with microseconds. */
  readonly at: string;
  /** For an undo by staff: the person. */
  readonly deviceId: string;
  readonly deviceName: string;
  /** Only for an undo. */
  readonly reason?: string;
}

/** `data` of `ticket.scanned`: the ticket as the API shows it, with the device and the time of the scan. */
export function toScannedTicket(happening: ScanHappening, sequence: number): WebhookData {
  const { deviceId, deviceName, at } = happening;
  return {
    ...ticketOf(happening, 'S'),
    scanned_by: deviceId,
    scanned_by_name: deviceName,
    scanned_at: isoInZone(at, currentTenant().timeZone),
    sequence,
  };
}

/** `data` of `ticket.scan_undone`: the ticket as the API shows it, valid again, with who undid the scan, when and why. */
export function toUndoneTicket(happening: ScanHappening, sequence: number): WebhookData {
  const { deviceId, deviceName, at, reason } = happening;
  return {
    ...ticketOf(happening, 'K'),
    undone_by: deviceId,
    undone_by_name: deviceName,
    undone_at: isoInZone(at, currentTenant().timeZone),
    reason,
    sequence,
  };
}

function ticketOf({ facts: { ticket, event, reservation }, seat }: ScanHappening, status: 'S' | 'K'): WebhookData {
  return {
    uuid: ticket?.uuid,
    first_name: ticket?.firstName,
    last_name: ticket?.lastName,
    status,
    seat,
    options: [],
    event: event?.name,
    event_uuid: event?.uuid,
    price: ticket?.price,
    product: ticket?.product,
    reservation_uuid: reservation?.uuid,
  };
}
