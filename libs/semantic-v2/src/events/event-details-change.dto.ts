import {
  attendanceModes,
  mayOpen,
  plainText,
  type AttendanceMode,
  type EventChange,
  type EventDetails,
  type NamedThing,
  type StatedOffer,
} from '#catalogue';
import { dateOf, ignoreMember, isNothing, present } from '#kernel';
import { currentTenant } from '#tenancy';
import { endOf, isDay, secondsOf, startOf, timeOnDayOf } from '../shared/date-time.js';
import { seriesOf, type EventBody } from './event-body.dto.js';
import type { NamedThingBody, StatedOfferBody } from './event-details-body.dto.js';
import { isVirtual } from './event-location-body.dto.js';

type Change = { readonly [Name in keyof EventDetails]: EventDetails[Name] | null };

/**
 * The details, the doors and the length of an event that a body changes: absent members stay, null removes.
 * @param startsAt the start after the change
 */
export function toDetails(
  body: EventBody,
  current: EventDetails | null,
  startsAt: Date,
): Pick<EventChange, 'details' | 'doorsAt' | 'durationMinutes'> {
  const change = Object.entries(changeOf(body)).filter(([, value]) => value !== undefined);
  const columns = { ...toDoors(body, startsAt), ...toLength(body) };
  if (change.length === 0) return columns;
  const details = present({ ...current, ...Object.fromEntries(change) }) as EventDetails;
  return { ...columns, details: Object.keys(details).length > 0 ? details : null };
}

function changeOf(body: EventBody): Change {
  const { performer, organizer, eventAttendanceMode: mode, inLanguage, isAccessibleForFree, offers, location } = body;
  const modes = Object.keys(attendanceModes) as AttendanceMode[];
  return {
    performers: performer && unlessEmpty(performer.map((one) => toNamedThing(one))),
    organizer: organizer && toNamedThing(organizer),
    attendance: typeof mode === 'string' ? (modes.find((key) => attendanceModes[key] === mode) ?? null) : mode,
    languages: inLanguage && unlessEmpty(inLanguage.map(plainText)),
    isFree: isAccessibleForFree,
    series: toSeries(seriesOf(body)),
    offers: offers === null ? null : offers?.offers && unlessEmpty(offers.offers.map(toStatedOffer)),
    onlineUrl: location === undefined ? undefined : location && isVirtual(location) ? (location.url ?? null) : null,
  };
}

const unlessEmpty = <Item>(items: Item[]): Item[] | null => (items.length > 0 ? items : null);

function toSeries(series: NamedThingBody | null | undefined): NamedThing | null | undefined {
  return series && toNamedThing(series, 'EventSeries');
}

function toNamedThing({ '@type': type, name, url }: NamedThingBody, usual = 'Thing'): NamedThing {
  return present({ type: plainText(type ?? '') || usual, name: plainText(name), url });
}

function toStatedOffer({ name, price, lowPrice, highPrice, priceCurrency, availability, validFrom, url }: StatedOfferBody): StatedOffer {
  const lowest = plain(lowPrice ?? price);
  const highest = plain(highPrice);
  return present({
    name: plain(name),
    price: lowest ?? highest,
    highPrice: highest === lowest || lowest === null ? null : highest,
    currency: plain(priceCurrency),
    availability: plain(availability),
    validFrom,
    url,
  });
}

const plain = (text: string | null | undefined): string | null => plainText(text ?? '') || null;

/** When the doors open; null, and ignored, when that is after the start or more than a day before it. */
function toDoors({ doorTime, startDate }: EventBody, startsAt: Date): Pick<EventChange, 'doorsAt'> {
  if (isNothing(doorTime)) return doorTime === null ? { doorsAt: null } : {};
  const doorsAt = timeOnDayOf(doorTime, startDate ?? dateOf(startsAt, currentTenant().timeZone));
  if (doorsAt && mayOpen(doorsAt, startsAt)) return { doorsAt };
  ignoreMember('/doorTime');
  return { doorsAt: null };
}

/** The longest length that is stored, as for other whole numbers. */
const mostMinutes = 1_000_000;

/** How long it lasts in minutes; null for a length that is not stored. */
function toLength({ duration }: EventBody): Pick<EventChange, 'durationMinutes'> {
  if (isNothing(duration)) return duration === null ? { durationMinutes: null } : {};
  const minutes = Math.round((secondsOf(duration) ?? 0) / 60);
  if (minutes >= 1 && minutes <= mostMinutes) return { durationMinutes: minutes };
  return { durationMinutes: null };
}

/** The end of an event with this start: as it is sent, or from its duration; the whole day when the start is a date alone. */
export function toEnd({ endDate, duration }: EventBody, startDate: string): Date | null | undefined {
  if (!isNothing(endDate)) return endOf(endDate);
  const whole = isDay(startDate) ? endOf(startDate) : undefined;
  return endAfter(duration, startOf(startDate)) ?? whole ?? endDate;
}

/** The end after a duration; undefined without one. */
export function endAfter(duration: string | null | undefined, startsAt: Date | undefined): Date | undefined {
  const seconds = isNothing(duration) ? undefined : secondsOf(duration);
  return seconds !== undefined && startsAt ? new Date(startsAt.getTime() + seconds * 1000) : undefined;
}
