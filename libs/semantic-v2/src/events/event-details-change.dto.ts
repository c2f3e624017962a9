import {
  attendanceModes,
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
 * The details of an event that a body changes: absent members stay, null removes.
 * @param startsAt the start after the change
 */
export function toDetails(body: EventBody, current: EventDetails | null, startsAt: Date): Pick<EventChange, 'details'> {
  const change = Object.entries(changeOf(body, startsAt)).filter(([, value]) => value !== undefined);
  if (change.length === 0) return {};
  const details = present({ ...current, ...Object.fromEntries(change) }) as EventDetails;
  return { details: Object.keys(details).length > 0 ? details : null };
}

function changeOf(body: EventBody, startsAt: Date): Change {
  const {
    performer,
    organizer,
    doorTime,
    eventAttendanceMode: mode,
    inLanguage,
    isAccessibleForFree,
    typicalAgeRange,
    offers,
    location,
    startDate,
  } = body;
  const modes = Object.keys(attendanceModes) as AttendanceMode[];
  return {
    performers: performer && unlessEmpty(performer.map((one) => toNamedThing(one))),
    organizer: organizer && toNamedThing(organizer),
    doorsMinutesBefore: typeof doorTime === 'string' ? minutesBefore(doorTime, startsAt, startDate) : doorTime,
    attendance: typeof mode === 'string' ? (modes.find((key) => attendanceModes[key] === mode) ?? null) : mode,
    languages: inLanguage && unlessEmpty(inLanguage.map(plainText)),
    isFree: isAccessibleForFree,
    ageRange: typicalAgeRange && (plainText(typicalAgeRange) || null),
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

const longestWait = 24 * 60;

/** Minutes from the opening of the doors to the start; null, and ignored, when that is after the start or more than a day before it. */
function minutesBefore(doorTime: string, startsAt: Date, startDate?: string): number | null {
  const opens = timeOnDayOf(doorTime, startDate ?? dateOf(startsAt, currentTenant().timeZone));
  const minutes = opens && Math.round((startsAt.getTime() - opens.getTime()) / 60_000);
  if (minutes !== undefined && minutes >= 0 && minutes <= longestWait) return minutes;
  ignoreMember('/doorTime');
  return null;
}

/** The end of an event with this start: as it is sent, or from its duration; the whole day when the start is a date alone. */
export function toEnd({ endDate, duration }: EventBody, startDate: string): Date | null | undefined {
  if (!isNothing(endDate)) {
    if (!isNothing(duration)) ignoreMember('/duration');
    return endOf(endDate);
  }
  const whole = isDay(startDate) ? endOf(startDate) : undefined;
  return endAfter(duration, startOf(startDate)) ?? whole ?? endDate;
}

/** The end after a duration; undefined without one. */
export function endAfter(duration: string | null | undefined, startsAt: Date | undefined): Date | undefined {
  const seconds = isNothing(duration) ? undefined : secondsOf(duration);
  return seconds !== undefined && startsAt ? new Date(startsAt.getTime() + seconds * 1000) : undefined;
}
