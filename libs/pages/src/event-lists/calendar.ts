import { ICalCalendar, ICalEventStatus, type ICalEventData } from 'ical-generator';
import { alterationWords, alteredTitle, calendarLines, publicEventOf } from '#catalogue';
import { isEmail, currentLanguage, mapInSlices, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { type Venue, descriptionText, withoutControls, worldAddressLine } from '#page-kit';
import { eventLink } from './event-link.js';
import type { EventPage, ListedEvent } from '../public-events/public-events.service.js';

const entryBegin = 'BEGIN:VEVENT';
const calendarEnd = 'END:VCALENDAR';

/** Times are in UTC; calendars show them in local time. */
export async function agendaCalendar(
  events: readonly ListedEvent[],
  venue: Venue,
  tenant: TenantIdentity,
  settings: Settings,
): Promise<string> {
  const calendarOf = (members: ICalEventData[]): string =>
    written(
      new ICalCalendar({
        prodId: { company: 'Guichet', product: 'Agenda' },
        // The library does not escape the name.
        name: escapeText(oneLine(tenant.name)),
        url: tenantUrl(settings, tenant, '/'),
        ttl: 3600,
        events: members,
      }),
    );
  // The library would block the event loop for half a second for 500 events, so each event is written as a separate calendar.
  const entries = await mapInSlices(events, (event) => {
    const text = calendarOf([entry(event, event.shortDescription, venue, tenant, settings)]);
    return text.slice(text.indexOf(entryBegin), text.lastIndexOf(calendarEnd));
  });
  const empty = calendarOf([]);
  return `${empty.slice(0, empty.lastIndexOf(calendarEnd))}${entries.join('')}${empty.slice(empty.lastIndexOf(calendarEnd))}`;
}

/** One event, with its long description. */
export function eventCalendar(
  { event, isCancelled, venue }: Pick<EventPage, 'event' | 'isCancelled' | 'venue'>,
  tenant: TenantIdentity,
  settings: Settings,
): string {
  const listed = publicEventOf(event, isCancelled);
  const description = event.longDescription ?? event.shortDescription;
  const calendar = new ICalCalendar({
    prodId: { company: 'Guichet', product: 'Event' },
    events: [entry(listed, description, venue, tenant, settings)],
  });
  return written(calendar);
}

function entry(event: ListedEvent, description: string | null, venue: Venue, tenant: TenantIdentity, settings: Settings): ICalEventData {
  const { id, sequence, name, startsAt, endsAt, createdAt, updatedAt, postalAddress, isCancelled } = event;
  const language = currentLanguage();
  const timeZone = event.sender?.timeZone ?? tenant.timeZone;
  const altered = alterationWords(event, language, timeZone);
  const paragraphs = [altered, event.sender?.name, ...calendarLines(event, language, timeZone), descriptionText(description ?? '')];
  const text = withoutControls(paragraphs.filter(Boolean).join('\n\n')).slice(0, 5000).toWellFormed();
  const latitude = postalAddress?.latitude ?? null;
  const longitude = postalAddress?.longitude ?? null;
  return {
    id,
    sequence,
    // In a calendar without METHOD it is the time of the event's last change (RFC 5545, 3.8.7.2).
    stamp: updatedAt,
    created: createdAt,
    lastModified: updatedAt,
    // An organizer needs an e-mail address, which is unknown for other places: the description names them.
    ...(event.sender ? {} : { organizer: { name: oneLine(tenant.name), email: contactOf(venue, settings) } }),
    start: startsAt,
    ...(endsAt && endsAt > startsAt ? { end: endsAt } : {}),
    summary: oneLine(alteredTitle(name, event, language, timeZone)),
    ...(text ? { description: text } : {}),
    ...(postalAddress
      ? {
          location: {
            title: oneLine(worldAddressLine(postalAddress, language)),
            ...(latitude !== null && longitude !== null ? { geo: { lat: latitude, lon: longitude } } : {}),
          },
        }
      : {}),
    url: eventLink(event, tenant, settings),
    status: isCancelled
      ? ICalEventStatus.CANCELLED
      : event.alteration === 'postponed'
        ? ICalEventStatus.TENTATIVE
        : ICalEventStatus.CONFIRMED,
  };
}

/** The organizer's e-mail address. */
function contactOf({ email }: Venue, { mailFrom }: Settings): string {
  const address = email?.trim() ?? '';
  return isEmail(address) ? address : mailFrom.address;
}

/** The library omits the line break of the last line, and strict readers ignore a line without it. */
function written(calendar: ICalCalendar): string {
  return `${calendar.toString()}\r\n`;
}

const oneLine = (text: string): string => withoutControls(text).replace(/\s+/g, ' ').trim();
const escapeText = (text: string): string => text.replace(/[\\;,]/g, (character) => `\\${character}`);
