import { AcceptsFound } from '#http';
import { ignoreMember, isObject, isUuid, present } from '#kernel';
import { noteMovedLocation, readAddress, readLocation } from './found-place.js';
import { readOffers } from './found-offers.js';
import {
  first,
  isBlank,
  listOf,
  oneText,
  readMembers,
  textOrNumber,
  typeOf,
  withoutVocabulary,
  type Members,
  type ReadMember,
} from './found-values.js';
import { isSchemaOrgMember } from './schema-org-members.js';

const mostNames = 50;

/** A person, group or organisation: an object, or its name. */
function readNamed(value: unknown, pointer: string): unknown {
  if (typeof value === 'string') return value.trim() ? { name: value } : undefined;
  if (!isObject(value)) return value;
  const { url, ...named } = readMembers(value, { name: oneText, url: oneText }, pointer);
  if (isBlank(named['name'])) {
    ignoreMember(pointer);
    return undefined;
  }
  // A relative address is no fault of the event.
  const isAddress = typeof url === 'string' && URL.canParse(url);
  if (!isBlank(url) && !isAddress) ignoreMember(`${pointer}/url`);
  return { ...named, '@type': typeOf(value), ...(isAddress && { url }) };
}

const readAllNamed: ReadMember = (value, pointer) => {
  if (value === null) return null;
  return listOf(value).flatMap((item, index) => {
    const at = Array.isArray(value) ? `${pointer}/${index}` : pointer;
    if (index >= mostNames) ignoreMember(at);
    const read = index < mostNames ? readNamed(item, at) : undefined;
    return read === undefined || read === null ? [] : [read];
  });
};

const readOneNamed: ReadMember = (value, pointer) => readNamed(first(value, pointer), pointer);

const readKeywords: ReadMember = (value) => {
  if (typeof value === 'string')
    return value
      .split(/[,;]/)
      .map((word) => word.trim())
      .filter(Boolean);
  if (isObject(value) && typeof value['name'] === 'string') return [value['name']];
  return Array.isArray(value)
    ? value.map((word: unknown) => (isObject(word) && typeof word['name'] === 'string' ? word['name'] : word))
    : value;
};

const readAttendance: ReadMember = (value, pointer) => {
  const modes = listOf(value).map((mode) => {
    const [, known] = (typeof mode === 'string' && /^(offline|online|mixed)(?:EventAttendanceMode)?$/i.exec(withoutVocabulary(mode))) || [];
    return known && `https://schema.org/${known.charAt(0).toUpperCase()}${known.slice(1).toLowerCase()}EventAttendanceMode`;
  });
  if (modes.length > 1 && modes.every(Boolean)) return new Set(modes).size > 1 ? 'https://schema.org/MixedEventAttendanceMode' : modes[0];
  return modes[0] ?? oneText(value, pointer);
};

const readLanguages: ReadMember = (value) => {
  if (isBlank(value)) return null;
  return listOf(value).map((language) => (isObject(language) ? (language['alternateName'] ?? language['name'] ?? language) : language));
};

const readBoolean: ReadMember = (value, pointer) => {
  const given = oneText(value, pointer);
  const [, word] = (typeof given === 'string' && /^(true|false)$/i.exec(withoutVocabulary(given))) || [];
  return word === undefined ? given : word.toLowerCase() === 'true';
};

/** The words that people use for everybody are no types of this member. What could mean "private" is left for the check. */
const readAudience: ReadMember = (value, pointer) => {
  const audience = first(value, pointer);
  if (typeof audience === 'string' && !mayMeanPrivate(audience)) return ignored(pointer);
  if (!isObject(audience) || isBlank(audience['audienceType'])) return audience;
  const { audienceType, ...others } = audience;
  const types = listOf(audienceType);
  const known = types.find((type) => typeof type !== 'string' || mayMeanPrivate(type) || /^public$/i.test(type));
  return known === undefined ? { ...others, audienceType: ignored(`${pointer}/audienceType`) } : { ...others, audienceType: known };
};

const mayMeanPrivate = (word: string): boolean => /^\s*priv/i.test(word);

function ignored(pointer: string): undefined {
  ignoreMember(pointer);
  return undefined;
}

/** A parent by its UUID, or the name of a series. */
const readSuperEvent: ReadMember = (value, pointer) => {
  const parent = first(value, pointer);
  if (!isObject(parent)) return parent;
  const { identifier, ...others } = parent;
  const members = Object.entries(others).filter(([name]) => !['name', 'url'].includes(name) && !name.startsWith('@'));
  for (const [name] of members) if (isSchemaOrgMember(name)) ignoreMember(`${pointer}/${name}`);
  const unknown = Object.fromEntries(members.filter(([name]) => !isSchemaOrgMember(name)));
  if (isUuid(identifier)) return present({ '@type': typeOf(parent), identifier, name: others['name'], ...unknown });
  const series = readNamed(others, pointer) as Members | undefined;
  if (series === undefined) return { identifier, ...unknown };
  if (!isBlank(identifier)) ignoreMember(`${pointer}/identifier`);
  return present({ '@type': series['@type'], name: series['name'], url: series['url'], ...unknown });
};

/** Addresses of pictures: texts and ImageObjects. The first is the picture, the second the small one for lists. */
const readImages: ReadMember = (value, pointer) => {
  if (isBlank(value)) return null;
  const found = listOf(value).flatMap((image, index) => {
    const at = Array.isArray(value) ? `${pointer}/${index}` : pointer;
    const address: unknown = isObject(image) ? [image['contentUrl'], image['url'], image['@id']].find((one) => !isBlank(one)) : image;
    const one = oneText(address, at);
    if (isBlank(one)) ignoreMember(at);
    return isBlank(one) ? [] : [{ at, address: one }];
  });
  found.slice(2).forEach(({ at }) => ignoreMember(at));
  return found.slice(0, 2).map(({ address }) => address);
};

const readers: Readonly<Record<string, ReadMember>> = {
  name: oneText,
  startDate: oneText,
  endDate: oneText,
  doorTime: oneText,
  duration: (value, pointer) => (isObject(value) ? ignored(pointer) : oneText(value, pointer)),
  url: oneText,
  sameAs: oneText,
  description: oneText,
  disambiguatingDescription: oneText,
  alternateName: oneText,
  eventStatus: first,
  keywords: readKeywords,
  performer: readAllNamed,
  organizer: readOneNamed,
  eventAttendanceMode: readAttendance,
  inLanguage: readLanguages,
  isAccessibleForFree: readBoolean,
  typicalAgeRange: textOrNumber,
  audience: readAudience,
  superEvent: readSuperEvent,
  location: readLocation,
};

function readEvent(body: Members, moved: Map<string, string>): Record<string, unknown> {
  const { performers, '@context': vocabulary, ...others } = body;
  const event = Array.isArray(vocabulary) || vocabulary === undefined ? others : { '@context': vocabulary, ...others };
  const renamed = performers !== undefined && event['performer'] === undefined ? { ...event, performer: performers } : event;
  if (!Array.isArray(renamed['performer'])) moved.set('/performer/0', '/performer');
  noteMovedLocation(event['location'], moved);
  return readMembers(renamed, { ...readers, offers: (value, pointer) => readOffers(value, pointer, moved) });
}

/** Members of schema.org and keywords of JSON-LD, in whatever form, are accepted at every depth. */
const form = { isAccepted: (name: string): boolean => isSchemaOrgMember(name) || /^@(type|id|language)$/.test(name) };

/** The body of an event, in all forms in which others publish events. */
export const AcceptsFoundEvent = (): ClassDecorator => AcceptsFound({ ...form, read: readEvent });

/** The same for a new event, whose pictures are fetched. */
export const AcceptsNewFoundEvent = (): ClassDecorator =>
  AcceptsFound({ ...form, read: (body, moved) => readMembers(readEvent(body, moved), { image: readImages }) });

/** The body of an address, in all forms in which others publish addresses. */
export const AcceptsFoundAddress = (): ClassDecorator => AcceptsFound({ ...form, read: (body) => readAddress(body) });
export const AcceptsNewFoundAddress = (): ClassDecorator =>
  AcceptsFound({ ...form, read: (body) => readMembers(readAddress(body), { image: readImages }) });
