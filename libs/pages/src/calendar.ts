import { ICalCalendar, ICalEventStatus, type ICalEventData } from 'ical-generator';
import type { Event } from '#catalogue';
import { currentLanguage, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { worldAddressLine } from './address-words.js';
import { descriptionText } from './description.js';
import { withoutControls } from './plain-text.js';
import { eventLink } from './event-link.js';
import type { ListedEvent } from './public-events.service.js';

/** Times are in UTC, which every calendar shows on its own clocks, the change of the clocks included. */
export function agendaCalendar(events: readonly ListedEvent[], tenant: TenantIdentity, settings: Settings): string {
  const url = tenantUrl(settings, tenant, '/');
  const calendar = new ICalCalendar({
    prodId: { company: 'Guichet', product: 'Agenda' },
    // The library writes the name as it is.
    name: escapeText(oneLine(tenant.name)),
    url,
    ttl: 3600,
    events: events.map((event) => entry(event, event.shortDescription, tenant, settings)),
  });
  return written(calendar);
}

/** One event, with its long description. */
export function eventCalendar(event: Event, tenant: TenantIdentity, settings: Settings): string {
  const calendar = new ICalCalendar({
    prodId: { company: 'Guichet', product: 'Event' },
    events: [entry(event, event.longDescription ?? event.shortDescription, tenant, settings)],
  });
  return written(calendar);
}

function entry(
  event: Omit<ListedEvent, 'pictureId'>,
  description: string | null,
  tenant: TenantIdentity,
  settings: Settings,
): ICalEventData {
  const { id, sequence, name, startsAt, endsAt, createdAt, postalAddress } = event;
  const text = withoutControls(descriptionText(description ?? ''))
    .slice(0, 5000)
    .toWellFormed();
  const latitude = postalAddress?.latitude ?? null;
  const longitude = postalAddress?.longitude ?? null;
  return {
    id,
    sequence,
    stamp: createdAt,
    created: createdAt,
    start: startsAt,
    ...(endsAt && endsAt > startsAt ? { end: endsAt } : {}),
    summary: oneLine(name),
    ...(text ? { description: text } : {}),
    ...(postalAddress
      ? {
          location: {
            title: oneLine(worldAddressLine(postalAddress, currentLanguage())),
            ...(latitude !== null && longitude !== null ? { geo: { lat: latitude, lon: longitude } } : {}),
          },
        }
      : {}),
    url: eventLink(event, tenant, settings),
    status: ICalEventStatus.CONFIRMED,
  };
}

/** The library leaves out the last line's end, without which strict readers lose the line. */
function written(calendar: ICalCalendar): string {
  return `${calendar.toString()}\r\n`;
}

const oneLine = (text: string): string => withoutControls(text).replace(/\s+/g, ' ').trim();
const escapeText = (text: string): string => text.replace(/[\\;,]/g, (character) => `\\${character}`);
