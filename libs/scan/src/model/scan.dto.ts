import { ticketStates } from '#booking';
import { IsInstant } from '#http';
import { isoInZone, mayBeUuid, type Text } from '#kernel';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, Length } from 'class-validator';
import { toCardAnswer } from './card.dto.js';
import type { ScanAnswer } from './scan-answer.dto.js';
import type { ScanAction } from './scan-log.entity.js';
import type { ScanFacts } from './scan-facts.js';
import { messages, refusalSentence, sayWhen, type Refusal } from './scan.messages.js';
import { texts } from '../locales/scan.texts.js';

const lowerCase = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

/** Body of `POST /scan/check_ticket/` and `POST /scan/ticket/`. */
export class ScanRequest {
  /**
   * `<BASE64_DATA>:<SIGNATURE>`, as scanned, or the tag of an NFC card. Any type passes validation: a wrong one is answered
   * `qrcode.malformed`.
   */
  @IsOptional()
  qrcode_data?: unknown;

  /** The event at this entrance. */
  @mayBeUuid()
  @lowerCase
  event_uuid?: string | null;

  /** The device's own id of this attempt. */
  @mayBeUuid(texts.localized('scan.sendUuidNewOneEach'))
  @lowerCase
  scan_id?: string | null;

  /** Time on the device's clock. */
  @IsOptional()
  @IsInstant()
  device_time?: string | null;
}

/** Body of `POST /scan/undo/`: the scan by its `scan_id`, or its ticket by `qrcode_data`. */
export class UndoRequest {
  @IsOptional()
  qrcode_data?: unknown;

  @mayBeUuid(texts.localized('scan.sendScanIdScanUndo'))
  @lowerCase
  scan_id?: string | null;

  @IsString({ message: 'Say why the scan is undone.' })
  @Length(1, 500, { message: 'Say why the scan is undone, in 1 to 500 characters.' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  reason!: string;

  @IsOptional()
  @IsInstant()
  device_time?: string | null;
}

/** Renders facts; the same facts always give the same bytes. */
export function toScanAnswer(action: ScanAction, facts: ScanFacts): ScanAnswer {
  const { language, outcome, membership } = facts;
  if (membership) return toCardAnswer(action, facts, membership);
  const summaries = { ticket: ticketOf(action, facts), reservation: reservationOf(facts) };
  const accepted = outcome === 'accepted' || outcome === 'undone' || outcome === 'fulfilled';
  if (action === 'check') {
    const verdict = accepted ? { may_enter: true } : checkRefusal(facts);
    return { success: true, message: messages.checked[language], ...verdict, ...summaries };
  }
  if (accepted) {
    return { success: true, message: done[action][language], ...(goods(action) && handedOut(facts)), ...summaries };
  }
  return { success: false, message: refusalText(facts), reason: outcome, ...companionsOf(facts), ...summaries };
}

/** Messages of successful actions. */
const done = {
  scan: messages.scanned,
  undo: messages.undone,
  fulfil: messages.fulfilled,
  undo_fulfil: messages.fulfilUndone,
} as const satisfies Record<Exclude<ScanAction, 'check'>, Text>;

const goods = (action: ScanAction): boolean => action === 'fulfil' || action === 'undo_fulfil';

/** Why the ticket may not enter now: the refusal of `POST /scan/ticket/`, with its message as `detail`. */
function checkRefusal(facts: ScanFacts): Record<string, unknown> {
  return { may_enter: false, reason: facts.outcome, detail: refusalText(facts), ...companionsOf(facts) };
}

function refusalText({ outcome, ticket, event, language, timeZone }: ScanFacts): string {
  const say = (instant: string | null | undefined): string => sayWhen(instant, language, timeZone);
  return refusalSentence(outcome as Refusal, language, {
    event: event?.name ?? '',
    place: event?.place ?? null,
    handedOut: (ticket?.fulfilledAt ?? null) !== null,
    item: [ticket?.product, ticket?.price].filter(Boolean).join(', '),
    when: () => say(event?.startsAt),
    opens: () => say(event?.opensAt),
    closes: () => say(event?.closesAt),
  });
}

/** The members that explain a reason: who scanned the ticket or handed the goods out and when, or the event of the ticket. */
function companionsOf(facts: ScanFacts): Record<string, unknown> {
  const { outcome, event, timeZone } = facts;
  if (outcome === 'already_scanned') return firstScanOf(facts);
  if (outcome === 'not_admission' || outcome === 'already_fulfilled') return handedOut(facts);
  if (outcome !== 'wrong_event' && outcome !== 'too_early' && outcome !== 'too_late') return {};
  const at = (instant: string | null | undefined): string | undefined => (instant ? isoInZone(instant, timeZone) : undefined);
  return {
    event: {
      uuid: event?.uuid,
      name: event?.name,
      place: event?.place ?? null,
      start: at(event?.startsAt),
      scan_opens_at: at(event?.opensAt) ?? null,
      scan_closes_at: at(event?.closesAt) ?? null,
    },
  };
}

function ticketOf(action: ScanAction, facts: ScanFacts): Record<string, unknown> | null {
  const { ticket, event, language, outcome } = facts;
  if (!ticket) return null;
  return {
    uuid: ticket.uuid,
    // A ticket of a cancelled reservation: the label must not say that it is valid.
    status: ticketStates[outcome === 'cancelled' ? 'R' : ticket.status][language],
    ...(action === 'check' ? { is_scanned: ticket.status === 'S' } : {}),
    event: event?.name,
    first_name: ticket.firstName,
    last_name: ticket.lastName,
    price: ticket.price,
    product: ticket.product,
    ...(action === 'check' || outcome === 'already_scanned' ? { scanned_by: ticket.scannedBy } : {}),
  };
}

function firstScanOf({ ticket, timeZone }: ScanFacts): Record<string, unknown> {
  return {
    scanned_by: ticket?.scannedBy ?? null,
    scanned_by_name: ticket?.scannedByName ?? null,
    scanned_at: ticket?.scannedAt ? isoInZone(ticket.scannedAt, timeZone) : null,
  };
}

function handedOut({ ticket, timeZone }: ScanFacts): Record<string, unknown> {
  return {
    fulfilled_at: ticket?.fulfilledAt ? isoInZone(ticket.fulfilledAt, timeZone) : null,
    fulfilled_by_name: ticket?.fulfilledByName ?? null,
  };
}

function reservationOf({ reservation }: ScanFacts): Record<string, unknown> | null {
  return reservation ? { uuid: reservation.uuid, tickets_count: reservation.ticketsCount } : null;
}
