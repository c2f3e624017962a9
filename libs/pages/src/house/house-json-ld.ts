import { imagePath, mapAddress, type Image, type PublicAddress } from '#catalogue';
import { present, type Language, type Settings } from '#kernel';
import { descriptionText, excerpt, isWebPage } from '#page-kit';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { addressOf, type House } from './house.service.js';
import { daysAndTimes } from './opening-hours.js';

/** Characters of a description for search engines. */
const longestDescription = 5000;

type Entry = Readonly<Record<string, unknown>>;

/** JSON-LD of the place. @param page absolute URL of its page */
export function houseJsonLd(house: House, tenant: TenantIdentity, settings: Settings, page: string): Entry {
  const { venue, image, gallery, longDescription, openingHours } = house;
  const { website, twitter, facebook, instagram, phone, email, logoImageId } = venue;
  const address = addressOf(house);
  const isHouse = tenant.category === 'S';
  const pictureOf = (id: string, kind?: Image['kind']): string => tenantUrl(settings, tenant, imagePath(id, 'fhd', kind));
  return present({
    '@context': 'https://schema.org',
    '@type': isHouse ? 'EventVenue' : 'Organization',
    name: tenant.name,
    url: tenantUrl(settings, tenant, '/'),
    mainEntityOfPage: page,
    description: excerpt(descriptionText(longDescription ?? venue.shortDescription ?? ''), longestDescription) || undefined,
    image: unlessEmpty([...(image ? [image] : []), ...gallery].map(({ id, kind }) => pictureOf(id, kind))),
    logo: logoImageId ? pictureOf(logoImageId) : undefined,
    telephone: phone || undefined,
    email: email || undefined,
    ...(address && placeOf(address, isHouse)),
    openingHours: isHouse ? unlessEmpty(hoursOf(openingHours, tenant.language)) : undefined,
    sameAs: unlessEmpty([website, twitter, facebook, instagram].filter(isWebPage)),
  });
}

/** An organisation has no coordinates of its own. */
function placeOf(place: PublicAddress, isHouse: boolean): Entry {
  const { streetAddress, addressLocality, addressRegion, postalCode, addressCountry, latitude, longitude } = place;
  const isKnown = isHouse && latitude !== null && longitude !== null;
  return {
    address: present({ '@type': 'PostalAddress', streetAddress, addressLocality, addressRegion, postalCode, addressCountry }),
    geo: isKnown ? { '@type': 'GeoCoordinates', latitude, longitude } : undefined,
    hasMap: isHouse ? mapAddress(place) : undefined,
  };
}

const hoursOf = (text: string | null, language: Language): string[] =>
  (text ?? '').split('\n').flatMap((line) => daysAndTimes(line, language)?.codes ?? []);

const unlessEmpty = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length > 0 ? items : undefined);
