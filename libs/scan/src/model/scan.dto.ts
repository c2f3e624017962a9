import { ticketStates } from '#tickets';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, IsInstant } from '#http';
import { currentLanguage, isoInZone, mayBeUuid, optional, type Text } from '#kernel';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { toCardAnswer } from './card.dto.js';
import type { CheckAnswer, CheckRefused } from './check-answers.dto.js';
import type {
  CheckedTicket,
  Companions,
  FulfilAccepted,
  FulfilAnswer,
  ScanAnswer,
  ScanReservation,
  ScanTicket,
} from './scan-answers.dto.js';
import type { ScanAction, ScanDirection } from './scan-log.entity.js';
import type { ScanFacts, ScanOutcome, ScanRefusal, UndoRefusal } from './scan-facts.js';
import { doorMembers, doorRefusal } from './gate.dto.js';
import { messages, refusalSentence, sayWhen, type Refusal } from './scan.messages.js';
import { texts } from '../locales/scan.texts.js';

const lowerCase = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

/** The most tickets that one request moves. */
export const mostTogether = 100;
const together = { message: (): string => texts.localized('scan.ticketsInvalid', { mostTogether })[currentLanguage()] };

const exampleCode = `${'A'.repeat(24)}:${'B'.repeat(86)}`;

/** Body of `POST /scan/fulfil/`. */
@ApiModel('ScanRequest', {
  example: {
    qrcode_data: exampleCode,
    scan_id: '0b6f2a54-9f0c-4c52-8d4e-2f9a3c1b7d10',
    event_uuid: 'f8838409-22db-49cb-8a1d-b372e4d8489b',
  },
})
export class ScanRequest {
  /**
   * `<BASE64_DATA>:<SIGNATURE>`, as scanned, or the tag of an NFC card. Any type passes validation: a wrong one is answered
   * `qrcode.malformed`.
   */
  @ApiProperty({ type: String, example: exampleCode, description: '`<BASE64_DATA>:<SIGNATURE>` as scanned, or the tag of an NFC card.' })
  @optional()
  qrcode_data?: unknown;

  /** In the place of a code: a ticket that the device found by search or by its reference. */
  @mayBeUuid()
  @lowerCase
  ticket?: string | null;

  /** The event that the device scans for. */
  @mayBeUuid()
  @lowerCase
  event_uuid?: string | null;

  /** The device's own id of this attempt. */
  @mayBeUuid(texts.localized('scan.scanIdInvalid'))
  @lowerCase
  scan_id?: string | null;

  /** Time on the device's clock. */
  @optional()
  @IsInstant()
  device_time?: string | null;
}

export const scanDirections = ['entry', 'exit'] as const satisfies readonly ScanDirection[];

/** Body of `POST /scan/check_ticket/`. */
@ApiModel('GateScanRequest', {
  example: {
    qrcode_data: exampleCode,
    scan_id: '0b6f2a54-9f0c-4c52-8d4e-2f9a3c1b7d10',
    gate: 'b4c3a0de-20a5-4a86-8b6f-8f0a4ad7a3c5',
    direction: 'entry',
  },
})
export class GateScanRequest extends ScanRequest {
  /** The gate at which the device scans, from `GET /scan/status/`. */
  @mayBeUuid()
  @lowerCase
  gate?: string | null;

  /** Whether the holder comes in or goes out. */
  @ApiProperty({ enum: scanDirections, default: 'entry' })
  @optional()
  @IsIn(scanDirections, { message: () => texts.localized('scan.directionInvalid')[currentLanguage()] })
  direction?: ScanDirection | null;
}

/** Body of `POST /scan/ticket/`. */
@ApiModel('TicketScanRequest', {
  example: {
    qrcode_data: exampleCode,
    scan_id: '0b6f2a54-9f0c-4c52-8d4e-2f9a3c1b7d10',
    gate: 'b4c3a0de-20a5-4a86-8b6f-8f0a4ad7a3c5',
    direction: 'entry',
    tickets: 3,
  },
})
export class TicketScanRequest extends GateScanRequest {
  /** How many tickets of the reservation move together. */
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: mostTogether,
    description: 'Tickets of the reservation that move together, or none of them.',
  })
  @optional()
  @IsInt(together)
  @Min(1, together)
  @Max(mostTogether, together)
  tickets?: number | null;
}

/** Body of `POST /scan/undo/`: the scan by its `scan_id`, or its ticket by `qrcode_data` or `ticket`. */
@ApiModel('UndoRequest', { example: { qrcode_data: exampleCode, reason: 'wrong door' } })
export class UndoRequest {
  @ApiProperty({ type: String, example: exampleCode, description: '`<BASE64_DATA>:<SIGNATURE>` as scanned, or the tag of an NFC card.' })
  @optional()
  qrcode_data?: unknown;

  /** In the place of a code: a ticket that the device found. */
  @mayBeUuid()
  @lowerCase
  ticket?: string | null;

  @mayBeUuid(texts.localized('scan.scanIdMissing'))
  @lowerCase
  scan_id?: string | null;

  @ApiProperty({ type: String, minLength: 1, maxLength: 500, pattern: '\\S' })
  @IsString({ message: 'Say why the scan is undone.' })
  @Length(1, 500, { message: 'Say why the scan is undone, in 1 to 500 characters.' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  reason!: string;

  @optional()
  @IsInstant()
  device_time?: string | null;
}

/** The answer to an attempt of any kind. */
export type AttemptAnswer = ScanAnswer | FulfilAnswer | CheckAnswer;

/** Renders facts; the same facts always give the same bytes. */
export function toScanAnswer(action: ScanAction, facts: ScanFacts): AttemptAnswer {
  const { language, outcome, membership } = facts;
  if (membership) return toCardAnswer(action, facts, membership);
  const accepted = successes.has(outcome);
  if (action === 'check') {
    const checked = { success: true, message: messages.checked[language] } as const;
    // Only genuine tickets, which have a reservation, are checked.
    const summaries = { ticket: ticketOf(action, facts) as CheckedTicket, reservation: reservationOf(facts) as ScanReservation };
    return accepted
      ? { ...checked, may_enter: true, ...doorMembers(facts), ...summaries }
      : { ...checked, ...checkRefusal(facts), ...summaries };
  }
  const summaries = { ticket: ticketOf(action, facts), reservation: reservationOf(facts) };
  if (accepted) {
    const found = summaries as { ticket: ScanTicket; reservation: ScanReservation };
    return { success: true, message: messageOf(action, facts), ...(goods(action) && handedOut(facts)), ...doorMembers(facts), ...found };
  }
  return {
    success: false,
    message: refusalText(facts),
    reason: outcome as ScanRefusal | UndoRefusal,
    ...companionsOf(facts),
    ...summaries,
  };
}

const successes: ReadonlySet<ScanOutcome> = new Set(['accepted', 'readmitted', 'left', 'undone', 'fulfilled']);

/** Devices that name no gate read the message of the specification for every entry. */
function messageOf(action: Exclude<ScanAction, 'check'>, { outcome, door, language }: ScanFacts): string {
  if (door && (outcome === 'readmitted' || outcome === 'left')) return messages[outcome][language];
  return done[action][language];
}

/** Messages of successful actions. */
const done = {
  scan: messages.scanned,
  undo: messages.undone,
  fulfil: messages.fulfilled,
  undo_fulfil: messages.fulfilUndone,
} as const satisfies Record<Exclude<ScanAction, 'check'>, Text>;

const goods = (action: ScanAction): boolean => action === 'fulfil' || action === 'undo_fulfil';

/** The refusal of `POST /scan/ticket/` for this ticket now, with its message as `detail`. */
function checkRefusal(facts: ScanFacts): Omit<CheckRefused, 'success' | 'message' | 'ticket' | 'reservation'> {
  return { may_enter: false, reason: facts.outcome as ScanRefusal, detail: refusalText(facts), ...companionsOf(facts) };
}

function refusalText({ outcome, ticket, event, door, language, timeZone }: ScanFacts): string {
  const say = (instant: string | null | undefined): string => sayWhen(instant, language, timeZone);
  return refusalSentence(outcome as Refusal, language, {
    event: event?.name ?? '',
    place: event?.place ?? null,
    available: door?.available ?? 0,
    handedOut: (ticket?.fulfilledAt ?? null) !== null,
    item: [ticket?.product, ticket?.price].filter(Boolean).join(', '),
    left: () => say(door?.leftAt),
    cancelled: () => say(door?.cancelledAt),
    when: () => say(event?.startsAt),
    opens: () => say(event?.opensAt),
    closes: () => say(event?.closesAt),
  });
}

/** Members that explain a reason: who scanned the ticket or handed the goods out and when, or the event of the ticket. */
function companionsOf(facts: ScanFacts): Companions {
  return { ...reasonOf(facts), ...doorRefusal(facts) };
}

function reasonOf(facts: ScanFacts): Companions {
  const { outcome, event, timeZone } = facts;
  if (outcome === 'already_scanned') return firstScanOf(facts);
  if (outcome === 'not_admission' || outcome === 'already_fulfilled') return handedOut(facts);
  if (outcome !== 'wrong_event' && outcome !== 'too_early' && outcome !== 'too_late') return {};
  // Facts of these outcomes always contain the event.
  return { event: toScanEvent(event as NonNullable<ScanFacts['event']>, timeZone) };
}

/** The event of a ticket, as a refusal names it. */
export function toScanEvent(
  { uuid, name, place, startsAt, opensAt, closesAt }: NonNullable<ScanFacts['event']>,
  timeZone: string,
): NonNullable<Companions['event']> {
  const at = (instant: string | null | undefined): string | null => (instant ? isoInZone(instant, timeZone) : null);
  const windows = { scan_opens_at: at(opensAt), scan_closes_at: at(closesAt) };
  return { uuid, name, place: place ?? null, start: isoInZone(startsAt, timeZone), ...windows };
}

function ticketOf(action: ScanAction, facts: ScanFacts): ScanTicket | CheckedTicket | null {
  const { ticket, event, language, outcome } = facts;
  if (!ticket) return null;
  return {
    uuid: ticket.uuid,
    // A ticket of a cancelled reservation must not have the label "valid".
    status: ticketStates[outcome === 'cancelled' ? 'R' : ticket.status][language],
    ...(action === 'check' ? { is_scanned: ticket.status === 'S' } : {}),
    event: (event as NonNullable<ScanFacts['event']>).name,
    first_name: ticket.firstName,
    last_name: ticket.lastName,
    price: ticket.price,
    product: ticket.product,
    ...(action === 'check' || outcome === 'already_scanned' ? { scanned_by: ticket.scannedBy } : {}),
  };
}

function firstScanOf({ ticket, timeZone }: ScanFacts): Companions {
  return {
    scanned_by: ticket?.scannedBy ?? null,
    scanned_by_name: ticket?.scannedByName ?? null,
    scanned_at: ticket?.scannedAt ? isoInZone(ticket.scannedAt, timeZone) : null,
  };
}

function handedOut({ ticket, timeZone }: ScanFacts): Pick<FulfilAccepted, 'fulfilled_at' | 'fulfilled_by_name'> {
  return {
    fulfilled_at: ticket?.fulfilledAt ? isoInZone(ticket.fulfilledAt, timeZone) : null,
    fulfilled_by_name: ticket?.fulfilledByName ?? null,
  };
}

function reservationOf({ reservation }: ScanFacts): ScanReservation | null {
  return reservation ? { uuid: reservation.uuid, tickets_count: reservation.ticketsCount } : null;
}
