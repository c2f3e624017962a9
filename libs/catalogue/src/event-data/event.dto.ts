import { isoInZone, present } from '#kernel';
import { toPublicMembers } from './public-event-members.dto.js';
import type { EventAnswer, EventOffer } from './schema-org-answers.dto.js';
import type { EventOptionAnswer, PostalAddressAnswer } from './schema-org-answers.dto.js';
import { type NamedThingAnswer, toDetailMembers, toNamedThing, toStatedOffer } from './event-details-answers.dto.js';
import type { TenantIdentity } from '#tenancy';
import { eventAlterations, eventCategories, eventSchemaTypes } from '../values/catalogue-codes.js';
import type { Event } from '../entities/event.entity.js';
import type { EventOption } from '../entities/event-option.entity.js';
import { optionNames, type WholeEvent } from './whole-event.js';
import { imagePath } from '../images/image-addresses.js';
import type { Image } from '../images/image.entity.js';
import type { PostalAddress } from '../entities/postal-address.entity.js';
import type { PublicAddress } from './public-event.js';

/**
 * Renders an event as schema.org Event (specification, "Event (v2)").
 * @param tenant gives the time zone and, for the label of the category, the language
 * @param page the tenant's own page of the event; it is the `url` unless another one is stored or the event is external
 */
export function toSchemaOrgEvent(event: WholeEvent, tenant: Pick<TenantIdentity, 'language' | 'timeZone'>, page: string): EventAnswer {
  const at = (instant: Date | null): string | undefined => (instant ? isoInZone(instant, tenant.timeZone) : undefined);
  return present({
    '@context': 'https://schema.org',
    '@type': eventSchemaTypes[event.category],
    additionalType: eventCategories[event.category][tenant.language],
    identifier: event.id,
    name: event.name,
    url: event.url ?? event.sameAs ?? page,
    sameAs: event.sameAs,
    startDate: isoInZone(event.startsAt, tenant.timeZone),
    endDate: at(event.endsAt),
    maximumAttendeeCapacity: event.capacity,
    ...toPublicMembers(event, tenant.timeZone),
    ...toDetailMembers(event),
    description: event.longDescription ?? event.shortDescription,
    eventStatus: eventStatusOf(event.published, event.alteration),
    previousStartDate: at(event.previousStartsAt),
    audience: event.isPrivate ? ({ '@type': 'Audience', audienceType: 'private' } as const) : undefined,
    keywords: unlessEmpty(event.keywords),
    image: unlessEmpty(picturesOf(event, page)),
    offers: toOffer(event),
    additionalProperty: unlessEmpty([
      ...property('optionsRadio', unlessEmpty(optionNames(event, 'radio'))),
      ...property('optionsCheckbox', unlessEmpty(optionNames(event, 'checkbox'))),
      ...property('options', unlessEmpty(event.options.map(toOptionValue))),
      ...property('customConfirmationMessage', event.customConfirmationMessage),
    ]),
    superEvent: event.superEventId ?? (event.details?.series ? toNamedThing(event.details.series) : ownSeries(event, page)),
    location: toPlace(event, page),
  });
}

/** The schema.org URL of an event's status. @param takesPlace false: it is not published, or cancelled */
export function eventStatusOf(takesPlace: boolean, alteration: Event['alteration']): string {
  const status = alteration === null ? 'EventScheduled' : eventAlterations[alteration];
  return `https://schema.org/${takesPlace ? status : 'EventCancelled'}`;
}

/** The series of which the event is a date, with its page. */
function ownSeries({ series }: WholeEvent, host: string): NamedThingAnswer | undefined {
  return series ? { '@type': 'EventSeries', name: series.name, url: new URL(`/series/${series.slug}`, host).href } : undefined;
}

function toPlace({ postalAddress: address, details }: WholeEvent, host: string): EventAnswer['location'] {
  if (address) return present({ '@type': 'Place', name: address.name, address: toSchemaOrgAddress(address, host) } as const);
  return details?.onlineUrl === undefined ? undefined : { '@type': 'VirtualLocation', url: details.onlineUrl };
}

/** Renders an option with the id by which bookings refer to it. */
export function toOptionValue({ id, kind, name, published, position }: EventOption): EventOptionAnswer {
  return { identifier: id, kind, name, published, order: position + 1 };
}

/** Absolute URLs of the image and of the small one for lists; empty when they were not loaded. */
function picturesOf({ image, stickerImage }: Partial<Pick<WholeEvent, 'image' | 'stickerImage'>>, host: string): string[] {
  const addressOf = ({ id, kind }: Image): string => new URL(imagePath(id, 'fhd', kind), host).href;
  return [image, stickerImage].flatMap((picture) => (picture ? [addressOf(picture)] : []));
}

function toOffer({ maxPerUser, merchantReturnDays, details }: WholeEvent): EventOffer {
  const stated = details?.offers?.map(toStatedOffer);
  return present({
    '@type': stated ? 'AggregateOffer' : 'Offer',
    eligibleQuantity: maxPerUser === null ? undefined : ({ '@type': 'QuantitativeValue', maxValue: maxPerUser } as const),
    returnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnDays },
    offers: stated,
  } as const);
}

function property<Value>(name: string, value: Value | null | undefined): { '@type': 'PropertyValue'; name: string; value: Value }[] {
  return value === undefined || value === null ? [] : [{ '@type': 'PropertyValue', name, value }];
}

function unlessEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

/**
 * Renders a postal address as schema.org PostalAddress (specification, "PostalAddress (v2)"), with a mark on the tenant's main address.
 * @param host the origin of the tenant's pages; images have the same one
 */
export function toSchemaOrgAddress(address: PostalAddress, host: string): PostalAddressAnswer {
  return present({
    '@id': `/api/v2/postal-addresses/${address.id}/`,
    identifier: Number(address.id),
    ...schemaOrgAddress(address),
    image: unlessEmpty(picturesOf(address, host)),
    additionalProperty: unlessEmpty(property('isMain', address.isMain ? (true as const) : undefined)),
  });
}

/** The members that every address of schema.org has here; those of an address that does not have them are null. */
export function schemaOrgAddress({ latitude, longitude, ...address }: PublicAddress) {
  return {
    '@type': 'PostalAddress',
    name: address.name,
    streetAddress: address.streetAddress,
    addressLocality: address.addressLocality,
    addressRegion: address.addressRegion,
    postalCode: address.postalCode,
    addressCountry: address.addressCountry,
    geo: latitude === null || longitude === null ? undefined : ({ '@type': 'GeoCoordinates', latitude, longitude } as const),
  } as const;
}
