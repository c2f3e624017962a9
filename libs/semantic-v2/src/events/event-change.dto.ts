import { isDeepStrictEqual } from 'node:util';
import { definedOf, isNothing, isUuid } from '#kernel';
import {
  eventAlterations,
  eventTextMembers,
  type EventAlteration,
  type EventAnswer,
  type EventChange,
  type NewEvent,
  type WholeEvent,
} from '#catalogue';
import { endOf, startOf } from '../shared/date-time.js';
import { toPlaceChange } from './event-location-body.dto.js';
import { toDetails, toEnd } from './event-details-change.dto.js';
import { eventStatus, superEventIdOf, type EventBody, type NewEventBody } from './event-body.dto.js';
import { toCategory } from './event-categories.dto.js';

type Maybe<Value> = Value | null | undefined;

/** Maps a member: absent: undefined (no change); null: `none`. */
function or<Value, Result, None>(value: Maybe<Value>, none: None, read: (value: Value) => Result): Result | None | undefined {
  return value === undefined ? undefined : value === null ? none : read(value);
}

/** Maps a member of a member. */
function within<Outer, Value>(outer: Maybe<Outer>, inner: (outer: Outer) => Maybe<Value>): Maybe<Value> {
  return or(outer, null, inner);
}

const same = <Value>(value: Value): Value => value;
/** Normalises a URL like browsers, but does not add a missing path. */
function normalAddress(url: string): string {
  const { href } = new URL(url);
  return href === `${url}/` ? url : href;
}

const unlessEmpty = (text: string): string | null => text.trim() || null;

/**
 * Ignores the answered `url` when it is sent back unchanged, so that it is not stored as a separate page.
 * @param answered the event's `url` in the current answer
 */
export function keepUrl(change: EventChange, current: WholeEvent, answered: unknown): EventChange {
  return change.url !== undefined && change.url === answered ? { url: current.url } : {};
}

/** Ignores the own series of an event when it is sent back as it was answered, so that it is not stored as a stated one. */
export function withoutOwnSeries<Body extends EventBody>(body: Body, { seriesId, details }: WholeEvent, answered: EventAnswer): Body {
  const isOwn = seriesId !== null && !details?.series && isDeepStrictEqual(body.superEvent, answered.superEvent);
  return isOwn ? { ...body, superEvent: undefined } : body;
}

/** Maps a body except the category, which depends on the event to be changed. */
export function toEventChange(body: EventBody): EventChange {
  const { name, startDate, offers } = body;
  const maxValue = within(
    within(offers, (offer) => offer.eligibleQuantity),
    (quantity) => quantity.maxValue,
  );
  const days = within(
    within(offers, (offer) => offer.returnPolicy),
    (policy) => policy.merchantReturnDays,
  );
  const audienceType = within(body.audience, (audience) => audience.audienceType);
  return definedOf({
    name,
    startsAt: startDate === undefined ? undefined : startOf(startDate),
    endsAt: startDate === undefined ? or(body.endDate, null, endOf) : toEnd(body, startDate),
    capacity: or(body.maximumAttendeeCapacity, 50, same),
    ...toTexts(body),
    longDescription: or(body.description, null, unlessEmpty),
    ...toStatus(body),
    isPrivate: or(audienceType, false, (type) => type.toLowerCase() === 'private'),
    keywords: or(body.keywords, [], same),
    sameAs: or(body.sameAs, null, (url) => new URL(url).href),
    url: or(body.url, null, normalAddress),
    maxPerUser: or(maxValue, null, same),
    merchantReturnDays: or(days, 7, same),
    superEventId: or(body.superEvent, null, parentOf),
    ...toPlaceChange(body.location),
    ...(body.image === null && { picture: null, sticker: null }),
    ...toProperties(body),
  });
}

/** A status says whether the event is published and what is altered; a cancelled event keeps what was. */
function toStatus({ eventStatus: given, previousStartDate: previous }: EventBody): EventChange {
  const previousStartsAt = or(previous, null, (text) => startOf(text) ?? null);
  if (given === undefined) return { previousStartsAt };
  const status = given === null ? 'EventScheduled' : eventStatus.exec(given)?.[1];
  if (status === 'EventCancelled') return { published: false, previousStartsAt };
  const alteration = keysOf(eventAlterations).find((key) => eventAlterations[key] === status) ?? null;
  // What takes place as announced has no earlier start, unless the body names one.
  return { published: true, alteration, previousStartsAt: alteration === null ? (previousStartsAt ?? null) : previousStartsAt };
}

const keysOf = (values: Readonly<Record<EventAlteration, string>>): EventAlteration[] => Object.keys(values) as EventAlteration[];

/** Maps a validated body to a new event. */
export function toNewEvent(body: NewEventBody): NewEvent {
  const { name, startsAt, ...change } = toEventChange(body);
  return {
    ...change,
    ...toPlaceChange(body.location, true),
    ...toDetails(body, null, startsAt as Date),
    name: name as string,
    startsAt: startsAt as Date,
    category: toCategory(withParentOnly(body)),
  };
}

/** The body without a series, which is no parent. */
export function withParentOnly<Body extends EventBody>(body: Body): Body {
  return isNothing(body.superEvent) ? body : { ...body, superEvent: parentOf(body.superEvent) };
}

/** The id of the parent; null for a series. */
function parentOf(parent: unknown): string | null {
  const id = superEventIdOf(parent);
  return isUuid(id) ? id.toLowerCase() : null;
}

function toTexts(body: EventBody): EventChange {
  const members = Object.entries(eventTextMembers) as [keyof typeof eventTextMembers, string][];
  return Object.fromEntries(members.map(([member, column]) => [column, or(body[member], null, unlessEmpty)]));
}

/** A list replaces all properties: a missing known name removes its value. */
function toProperties({ additionalProperty: list }: EventBody): EventChange {
  if (list === undefined) return {};
  const valueOf = (name: string): unknown => list?.find((property) => property.name === name)?.value ?? undefined;
  const message = valueOf('customConfirmationMessage') as string | undefined;
  return {
    radioOptions: (valueOf('optionsRadio') as string[] | undefined) ?? [],
    checkboxOptions: (valueOf('optionsCheckbox') as string[] | undefined) ?? [],
    customConfirmationMessage: message?.trim() || null,
  };
}
