import { asciiWords, isVisible, partsInZone, refuseUnlessWhole, RefusedInput, violatedConstraint, type Text } from '#kernel';
import type { Event } from '../entities/event.entity.js';
import { checkTimes } from './event-times.js';
import { texts } from '../locales/catalogue.texts.js';

/** Why an event cannot be stored, changed or deleted although each of its fields is valid. */
export type EventConflict = 'exists' | 'has_reservations' | 'has_sub_events' | 'super_event_required' | 'option_exists' | 'option_chosen';

const conflicts: Readonly<Record<EventConflict, { readonly field: string; readonly text: Text }>> = {
  exists: {
    field: 'name',
    text: texts.localized('eventRules.conflicts.exists'),
  },
  has_reservations: {
    field: 'id',
    text: texts.localized('eventRules.conflicts.hasReservations'),
  },
  has_sub_events: {
    field: 'id',
    text: texts.localized('eventRules.conflicts.hasSubEvents'),
  },
  super_event_required: {
    field: 'superEventId',
    text: texts.localized('eventRules.conflicts.superEventRequired'),
  },
  option_exists: {
    field: 'name',
    text: texts.localized('eventRules.conflicts.optionExists'),
  },
  option_chosen: {
    field: 'id',
    text: texts.localized('eventRules.conflicts.optionChosen'),
  },
};

/** An error with its own reason and the form field that shows it. */
export class RefusedEvent extends RefusedInput {
  constructor(readonly reason: EventConflict) {
    super(conflicts[reason].field, conflicts[reason].text);
  }
}

/** @throws RefusedInput on the first invalid field */
export function checkEvent(event: Partial<Event>): void {
  if (!isVisible(event.name ?? '')) throw new RefusedInput('name', texts.localized('eventRules.nameMissing'));
  checkTimes(event);
  refuseUnlessWhole('capacity', event.capacity, 0);
  refuseUnlessWhole('durationMinutes', event.durationMinutes, 1);
  refuseUnlessWhole('maxPerUser', event.maxPerUser, 1);
  refuseUnlessWhole('merchantReturnDays', event.merchantReturnDays, 0);
  refuseUnlessWhole('scanOpensMinutesBefore', event.scanOpensMinutesBefore, 0);
  refuseUnlessWhole('scanClosesMinutesAfter', event.scanClosesMinutesAfter, 0);
  if (!isAge(event.minimumAge)) throw new RefusedInput('minimumAge', texts.localized('eventRules.ageInvalid', { most: mostMinimumAge }));
  if (event.category === 'ACT' && !event.superEventId) throw new RefusedEvent('super_event_required');
}

const mostMinimumAge = 120;

function isAge(age: number | null | undefined): boolean {
  return age === null || age === undefined || (Number.isInteger(age) && age >= 0 && age <= mostMinimumAge);
}

/** Waits for work of the database. @throws RefusedInput for a violated constraint */
export async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

/** Translates a constraint violation into an error for the user; undefined for other errors. */
function refusalOf(error: unknown): RefusedInput | undefined {
  switch (violatedConstraint(error)) {
    case 'event_name_starts_at_key':
      return new RefusedEvent('exists');
    case 'reservation_event_id_fkey':
    case 'ticket_event_id_fkey':
    case 'order_line_event_id_fkey':
      return new RefusedEvent('has_reservations');
    // Only a deletion can still violate it: it removes the parent of an event that needs one.
    case 'event_super_event_check':
      return new RefusedEvent('has_sub_events');
    case 'event_super_event_id_fkey':
      return unknownParent();
    case 'event_postal_address_id_fkey':
      return new RefusedInput('postalAddressId', texts.localized('eventRules.unknownAddress'));
    default:
      return undefined;
  }
}

export function unknownParent(): RefusedInput {
  return new RefusedInput('superEventId', texts.localized('eventRules.unknownEvent'));
}

/** The error for an event that would be its own ancestor. */
export function circularParent(): RefusedInput {
  return new RefusedInput('superEventId', texts.localized('eventRules.partOfItself'));
}

/** Name, local date and time, first eight hex digits of the UUID (docs/decisions.md, section 9). */
export function slugOf(name: string, startsAt: Date, id: string, timeZone: string): string {
  const { year, month, day, hour, minute } = partsInZone(startsAt, timeZone);
  return [asciiWords(name, 80), `${year}${month}${day}-${hour}${minute}`, id.slice(0, 8)].filter(Boolean).join('-');
}
