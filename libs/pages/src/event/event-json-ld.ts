import {
  attendanceModes,
  eventEnd,
  eventSchemaTypes,
  imagePath,
  toSchemaOrgAddress,
  toSchemaOrgEvent,
  type Event,
  type EventAnswer,
  type WholeEvent,
} from '#catalogue';
import { currency, currentLanguage, isoInZone, present, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { isPayable, type BookingForm } from '../ticket-forms/booking-offer.js';
import { type HeldOrder, type Venue, type Visitor, descriptionHtml, descriptionText, priceWords } from '#page-kit';
import type { WaitingForm } from '../ticket-forms/waiting-form.js';
import type { EnteredCode } from '../codes/code-form.js';
import type { EventPage, PublicPrice } from '../public-events/public-events.service.js';

/** The data of an event page. */
export interface EventPageInput extends EventPage {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly now: Date;
  /** The event is not public; the page says so and is not for search engines. */
  readonly isPreview?: boolean;
  /** The form that sells tickets; absent: none can be booked here. */
  readonly booking?: { readonly form: BookingForm; readonly canPay: boolean } | undefined;
  /** The form of the waiting list; absent: nothing is sold out, or nobody can wait for it. */
  readonly waiting?: WaitingForm | undefined;
  /** The code that the reader entered; only for pages that are not cached. */
  readonly code?: EnteredCode | undefined;
  /** Who is signed in; only for pages that are not cached. */
  readonly visitor?: Visitor | undefined;
  /** Tickets of the event that the reader holds; only for pages that are not cached. */
  readonly held?: HeldOrder | undefined;
}

type JsonLd = Readonly<Record<string, unknown>>;

const inOneLine = (...parts: readonly (string | null | undefined)[]): string =>
  parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(', ');

/** Without data for buyers only, and with cleaned texts. */
function forEverybody(event: WholeEvent): WholeEvent {
  const { shortDescription, longDescription } = event;
  return {
    ...event,
    options: [],
    customConfirmationMessage: null,
    longDescription: descriptionHtml(longDescription ?? '') || null,
    shortDescription: descriptionText(shortDescription ?? '') || null,
  };
}

/**
 * JSON-LD for search engines on the page of an event: the event as the API shows it, with additional members that Google requires
 * (developers.google.com/search/docs/appearance/structured-data/event). Goods are not among the offers.
 * @param page absolute URL of the page
 */
export function eventJsonLd(input: EventPageInput, page: string): JsonLd {
  const { event, isCancelled, venue, prices, gallery, tenant, settings, now, booking } = input;
  const url = event.url ?? event.sameAs ?? page;
  const { offers, ...structured } = toSchemaOrgEvent(forEverybody(event), tenant, page);
  const { offers: stated, ...terms } = offers;
  const { superEvent } = event;
  const isParentPublic = superEvent?.published === true && !superEvent.isPrivate;
  const isOnline = event.alteration === 'moved_online' || structured.location?.['@type'] === 'VirtualLocation';
  const isSold = !isCancelled && event.alteration !== 'postponed' && eventEnd(event, settings) >= now;
  const sale: Sale = { booking, url, page, isElsewhere: event.sameAs !== null, timeZone: tenant.timeZone };
  const parentPage = (slug: string): string => tenantUrl(settings, tenant, `/event/${slug}`);
  // Goods admit nobody, and often cost less than every ticket; a pass is for other events, too.
  const admission = prices.filter(({ admits, pass }) => admits && pass === null);
  return present({
    ...structured,
    image: imagesOf(structured.image, gallery, page),
    eventAttendanceMode: isOnline ? attendanceModes.online : (structured.eventAttendanceMode ?? attendanceModes.offline),
    superEvent: isParentPublic ? parentOf(superEvent, parentPage(superEvent.slug), tenant) : (datesOf(input) ?? seriesOf(structured)),
    location: isOnline ? { '@type': 'VirtualLocation', url: event.details?.onlineUrl ?? url } : placeOf(event, venue, tenant.name, page),
    organizer: structured.organizer ?? { '@type': 'Organization', name: tenant.name, url: tenantUrl(settings, tenant, '/') },
    potentialAction: booking && { '@type': 'ReserveAction', target: page },
    offers: isSold ? offersOf(admission, { ...terms, '@type': 'Offer' }, sale, stated) : undefined,
  });
}

/** The own pictures of the event, and those of its gallery. */
function imagesOf(own: EventAnswer['image'], gallery: EventPageInput['gallery'], page: string): readonly string[] | undefined {
  const all = [...(own ?? []), ...gallery.map(({ id, kind }) => new URL(imagePath(id, 'fhd', kind), page).href)];
  return all.length > 0 ? all : undefined;
}

/** The series of the venue that the event is a date of. */
function datesOf({ series, tenant, settings }: EventPageInput): JsonLd | undefined {
  return series ? { '@type': 'EventSeries', name: series.name, url: tenantUrl(settings, tenant, `/series/${series.slug}`) } : undefined;
}

/** A series of elsewhere is no event of this place. */
function seriesOf({ superEvent }: Pick<EventAnswer, 'superEvent'>): EventAnswer['superEvent'] {
  return typeof superEvent === 'string' ? undefined : superEvent;
}

/** What is sold here; otherwise the prices that others ask. */
function offersOf(
  admission: readonly PublicPrice[],
  terms: JsonLd,
  sale: Sale,
  stated: EventAnswer['offers']['offers'],
): readonly JsonLd[] | undefined {
  if (admission.length > 0) return admission.map((price) => offerOf(price, terms, sale));
  return stated?.map((offer) => ({ url: sale.url, ...offer }));
}

function parentOf({ id, category, name, startsAt }: Event, url: string, { timeZone }: TenantIdentity): JsonLd {
  return { '@type': eventSchemaTypes[category], identifier: id, name, startDate: isoInZone(startsAt, timeZone), url };
}

/** The event's address; without one, the venue's. The name of the place is its own, or else its location. */
function placeOf({ postalAddress }: WholeEvent, venue: Venue, tenantName: string, page: string): JsonLd {
  if (postalAddress) {
    const { name, streetAddress, addressLocality } = postalAddress;
    return {
      '@type': 'Place',
      name: name?.trim() || inOneLine(streetAddress, addressLocality),
      address: toSchemaOrgAddress(postalAddress, page),
    };
  }
  const { streetAddress, postalCode, city, country } = venue;
  const address = { streetAddress, postalCode, addressLocality: city, addressCountry: country };
  const present = Object.fromEntries(Object.entries(address).filter(([, value]) => !!value));
  return {
    '@type': 'Place',
    name: tenantName,
    // Google also accepts a text; a venue without address is found by its name.
    address: Object.keys(present).length > 0 ? { '@type': 'PostalAddress', ...present } : tenantName,
  };
}

/** Volunteering slots have no return policy, because nothing is bought. */
function termsOf({ returnPolicy, ...terms }: JsonLd, volunteering: boolean): JsonLd {
  return volunteering ? terms : { ...terms, returnPolicy };
}

/** Where tickets are sold: with the form of the page, or else at the venue or on the event's own page. */
interface Sale extends Pick<EventPageInput, 'booking'> {
  readonly url: string;
  readonly page: string;
  /** The event has its page on another site, where its tickets are sold. */
  readonly isElsewhere: boolean;
  /** Of the venue. */
  readonly timeZone: string;
}

function availabilityOf(price: PublicPrice, { booking, isElsewhere }: Sale): string {
  if (price.sale === 'ended') return 'SoldOut';
  if (price.soldOut) return price.held ? 'LimitedAvailability' : 'SoldOut';
  if (price.sale === 'upcoming') return 'PreOrder';
  return isElsewhere || (booking && isPayable(price, booking.canPay)) ? 'InStock' : 'InStoreOnly';
}

function offerOf(price: PublicPrice, terms: JsonLd, sale: Sale): JsonLd {
  const { product, name, amount, volunteering, opensAt, closesAt, since, membership } = price;
  const time = (instant: number): string => isoInZone(new Date(instant), sale.timeZone);
  return {
    ...termsOf(terms, volunteering),
    name: product === name || volunteering ? product : `${product} · ${name}`,
    description: priceWords(price, currentLanguage()),
    price: amount,
    priceCurrency: currency,
    availability: `https://schema.org/${availabilityOf(price, sale)}`,
    ...(opensAt !== null && { availabilityStarts: time(opensAt) }),
    ...(closesAt !== null && { availabilityEnds: time(closesAt) }),
    // The event's own page may say nothing about the form of this one.
    url: sale.booking ? sale.page : sale.url,
    ...(membership !== null && { validForMemberTier: tierOf(membership) }),
    validFrom: time(opensAt ?? since),
  };
}

/** The membership that a price is for, in the terms that Google reads in offers for members. */
function tierOf(membership: string): JsonLd {
  return { '@type': 'MemberProgramTier', name: membership, hasTierBenefit: 'https://schema.org/TierBenefitLoyaltyPrice' };
}
