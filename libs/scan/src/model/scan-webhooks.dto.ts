import { isoInZone } from '#kernel';
import { currentTenant } from '#tenancy';
import { describeData } from '#webhooks';
import { WebhookTicket } from '#tickets';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { formats } from '#http';
import type { ScanFacts } from './scan-facts.js';

/** Facts about a scan as the scan statements write them into the outbox. */
export interface ScanHappening {
  readonly facts: ScanFacts;
  readonly seat: string;
  /** UTC with microseconds. */
  readonly at: string;
  /** The device, or for an undo by staff the person. */
  readonly deviceId: string;
  readonly deviceName: string;
  /** Only for an undo. */
  readonly reason?: string;
}

class ScannedTicket extends WebhookTicket {
  @ApiProperty({ ...formats.uuid, description: 'Identifier of the device.' })
  readonly scanned_by!: string;

  @ApiProperty(formats.text)
  readonly scanned_by_name!: string;

  @ApiProperty(formats.instant)
  readonly scanned_at!: string;
}

class UndoneTicket extends WebhookTicket {
  @ApiProperty({ ...formats.uuid, description: 'Identifier of the device, or of the person of the staff.' })
  readonly undone_by!: string;

  @ApiProperty(formats.text)
  readonly undone_by_name!: string;

  @ApiProperty(formats.instant)
  readonly undone_at!: string;

  @ApiPropertyOptional(formats.text)
  readonly reason?: string;
}

describeData(['ticket.scanned'], 'ScannedTicketData', ScannedTicket);
describeData(['ticket.scan_undone'], 'UndoneTicketData', UndoneTicket);

/** Renders `data` of `ticket.scanned`: the ticket of the API, with the device and the time of the scan. */
export function toScannedTicket(happening: ScanHappening, sequence: number): ScannedTicket & { sequence: number } {
  const { deviceId, deviceName, at } = happening;
  return {
    ...ticketOf(happening, 'S'),
    scanned_by: deviceId,
    scanned_by_name: deviceName,
    scanned_at: isoInZone(at, currentTenant().timeZone),
    sequence,
  };
}

/** Renders `data` of `ticket.scan_undone`: the ticket of the API, valid again, with the person or device, time and reason of the undo. */
export function toUndoneTicket(happening: ScanHappening, sequence: number): UndoneTicket & { sequence: number } {
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

function ticketOf({ facts: { ticket, event, reservation }, seat }: ScanHappening, status: 'S' | 'K'): WebhookTicket {
  // The facts of a scan always contain the ticket.
  return {
    uuid: ticket?.uuid as string,
    first_name: ticket?.firstName as string,
    last_name: ticket?.lastName as string,
    status,
    seat,
    options: [],
    event: event?.name as string,
    event_uuid: event?.uuid as string,
    price: ticket?.price as string,
    product: ticket?.product as string,
    reservation_uuid: reservation?.uuid as string,
  };
}
