import { addressIn, textTag } from '#http';
import { currentLanguage, usualAccent, whenText } from '#kernel';
import type { ShareTexts } from '#messages';
import type { TenantIdentity } from '#tenancy';
import { addressLine } from '#page-kit';
import type { EventPage } from '../public-events/public-events.service.js';

/** The size of the picture in pixels. */
export const shareSize = { width: 1200, height: 630 } as const;

/** Grows when pictures look different for the same texts, because drawn ones are kept. */
const drawingVersion = 1;

/** All that the picture of an event shows. */
export interface SharedEvent {
  readonly texts: ShareTexts;
  readonly accent: string;
}

/** What the picture of an event shows in link previews, in the language of the request. */
export function sharedEvent({ event, venue }: Pick<EventPage, 'event' | 'venue'>, tenant: TenantIdentity): SharedEvent {
  const place = event.postalAddress ? addressLine(event.postalAddress) : [venue.streetAddress, venue.city].filter(Boolean).join(', ');
  const texts = { venue: tenant.name, name: event.name, when: whenText(event, currentLanguage(), tenant.timeZone), place };
  return { texts, accent: venue.accentColour ?? usualAccent };
}

/** Changes with everything that the picture shows. */
export function shareTag(shared: SharedEvent): string {
  return textTag(JSON.stringify([drawingVersion, shared]));
}

/**
 * The path of the picture with its language, because programs that ask for it name none, and with its version, because they keep it for
 * long.
 */
export function sharePath(slug: string, shared: SharedEvent): string {
  return `${addressIn(`/event/${slug}.png`, currentLanguage())}&v=${shareTag(shared).replaceAll(/[^\w]/g, '').slice(0, 12)}`;
}
