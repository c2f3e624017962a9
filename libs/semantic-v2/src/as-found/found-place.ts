import { addressTexts } from '#catalogue';
import { ignoreMember, isObject } from '#kernel';
import { countryCodeOf } from './country-codes.js';
import { first, listOf, oneText, readMembers, textOrNumber, typeOf, type Members, type ReadMember } from './found-values.js';

/** Texts and empty texts as the coordinates of many sites; other texts stay as they are and are refused. */
const degrees: ReadMember = (value, pointer) => {
  const given = oneText(value, pointer);
  return typeof given === 'string' && /^\s*[+-]?\d{1,3}(\.\d{1,20})?\s*$/.test(given) ? Number(given) : given;
};

const readGeo: ReadMember = (value, pointer) => {
  const geo = first(value, pointer);
  return isObject(geo) ? readMembers(geo, { latitude: degrees, longitude: degrees }, pointer) : geo;
};

const readCountry: ReadMember = (value, pointer) => {
  const given = first(value, pointer);
  const name = isObject(given) ? oneText(given['identifier'] ?? given['name'] ?? given['alternateName'], pointer) : oneText(given, pointer);
  return typeof name === 'string' ? (countryCodeOf(name) ?? name) : isObject(given) ? given : name;
};

/** A PostalAddress as it is found: texts in lists, numbers, countries by code or name, coordinates as text. */
export function readAddress(address: Members, pointer = ''): Record<string, unknown> {
  const readers = {
    name: oneText,
    streetAddress: oneText,
    addressLocality: oneText,
    addressRegion: oneText,
    postalCode: textOrNumber,
    addressCountry: readCountry,
    geo: readGeo,
  };
  return readMembers(address, readers, pointer);
}

const addressMembers = ['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry'];

/**
 * A location as it is found: a Place, an address, a text, a list of places. The result has at most `@type`, `name`, `url`, and `address`
 * as an object. Of several, the first one that is no VirtualLocation is taken.
 */
export const readLocation: ReadMember = (value, pointer) => {
  if (!Array.isArray(value)) return readPlace(value, pointer);
  const at = Math.max(
    value.findIndex((place) => !isVirtual(place)),
    0,
  );
  value.forEach((_, index) => index !== at && ignoreMember(`${pointer}/${index}`));
  return value.length === 0 ? {} : readPlace(value[at], `${pointer}/${at}`);
};

export function isVirtual(place: unknown): boolean {
  return isObject(place) && typeOf(place) === 'VirtualLocation';
}

function readPlace(given: unknown, pointer: string): unknown {
  const place = typeof given === 'string' ? placeOfText(given) : given;
  if (!isObject(place)) return place;
  if (isVirtual(place)) return readMembers(place, { url: oneText, name: oneText }, pointer);
  if (!('address' in place) && (typeOf(place) === 'PostalAddress' || addressMembers.some((name) => name in place))) {
    return { address: readAddress(place, pointer) };
  }
  const { geo, url, ...others } = readMembers(place, { name: oneText, address: first, geo: readGeo }, pointer);
  const address = addressOf(others['address'], `${pointer}/address`);
  if (url !== undefined) ignoreMember(`${pointer}/url`);
  // Coordinates of the place are those of its address.
  const placed = geo !== undefined && isObject(address ?? {}) ? { ...(address as object | undefined), ...ownGeo(address, geo) } : address;
  return { ...others, '@type': typeOf(place), ...(placed === undefined ? {} : { address: placed }) };
}

/** Notes which members of the result stand elsewhere in the body. */
export function noteMovedLocation(location: unknown, moved: Map<string, string>): void {
  const address = isObject(location) ? location['address'] : undefined;
  if (typeof address === 'string') moved.set('/location/address/streetAddress', '/location/address');
  if (!isObject(address) || !('geo' in address)) moved.set('/location/address/geo', '/location/geo');
}

/** A text is the name of a place, or its whole address. */
function placeOfText(text: string): object {
  return text.length <= addressTexts.name ? { name: text } : { address: text };
}

function ownGeo(address: unknown, geo: unknown): object {
  return isObject(address) && ('geo' in address || 'identifier' in address) ? {} : { geo };
}

/** Pictures of an address that is not of this place are left out. */
function addressOf(value: unknown, pointer: string): unknown {
  if (typeof value === 'string') return { streetAddress: value.replace(/\s*\r?\n\s*/g, ', ') };
  if (!isObject(value)) return value;
  const { identifier, image, additionalProperty, ...address } = readAddress(value, pointer);
  if (Number.isSafeInteger(identifier)) return { identifier, image, additionalProperty, ...address };
  for (const [name, ignored] of Object.entries({ identifier, image, additionalProperty })) {
    if (listOf(ignored)[0] !== undefined && Object.keys(address).some((member) => !member.startsWith('@')))
      ignoreMember(`${pointer}/${name}`);
  }
  return Object.keys(address).some((member) => !member.startsWith('@')) ? address : { identifier, ...address };
}
