import { toSchemaOrgEvent, type WholeEvent } from '#catalogue';
import { defineSchema, objectSchema, pagedAnswer, PageQuery, schemaOf, type JsonSchema, type RouteDescription } from '#http';
import { may } from '#kernel';
import { JSONSchema } from 'class-validator-jsonschema';
import type { TenantIdentity } from '#tenancy';
import type { EventWithParts } from './legacy-events.service.js';
import { texts } from '../locales/booking.texts.js';

/** Query of `GET /api/events/`. */
export class LegacyEventsQuery extends PageQuery {
  @JSONSchema({ enum: ['0', '1', 'true', 'false'], description: 'Without events that were over yesterday.' })
  @may('isFlag', (value) => typeof value === 'string' && /^(0|1|true|false)$/i.test(value), texts.localized('legacyEvents.sendTrueFalse'))
  only_futur?: string;
}

export const wantsUpcoming = ({ only_futur: upcoming }: LegacyEventsQuery): boolean => /^(1|true)$/i.test(upcoming ?? '');

/** What events of the first API share. */
export interface EventShown {
  readonly tenant: Pick<TenantIdentity, 'language' | 'timeZone' | 'name'>;
  /** The tenant's own page of an event. */
  pageOf(event: WholeEvent): string;
  /** The tenant's home page. */
  readonly home: string;
  /** Null when no key signs. */
  readonly publicKeyPem: string | null;
}

/** An event of the first API, with the events that are a part of it and the key that verifies the codes of its tickets. */
export function toLegacyEvent({ event, parts }: EventWithParts, shown: EventShown): Readonly<Record<string, unknown>> {
  return {
    ...members(event, shown),
    childrens: parts.map((part) => members(part, shown)),
    publicKeyPem: shown.publicKeyPem,
  };
}

function members(event: WholeEvent, { tenant, pageOf, home }: EventShown): Record<string, unknown> {
  const told = toSchemaOrgEvent(event, tenant, pageOf(event));
  const location = told['location'] as object | undefined;
  return {
    uuid: event.id,
    name: told['name'],
    startDate: told['startDate'],
    endDate: told['endDate'] ?? null,
    disambiguatingDescription: told['disambiguatingDescription'] ?? null,
    description: told['description'] ?? null,
    url: told['url'],
    eventStatus: told['eventStatus'],
    image: told['image'] ?? [],
    location: location ? { name: event.postalAddress?.name ?? null, ...location } : null,
    organizer: { '@type': 'Organization', name: tenant.name, url: home },
  };
}

const tag = 'First API';
const { uuid, text, nullableText, instant, url } = schemaOf;
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const shared = {
  uuid,
  name: text,
  startDate: instant,
  endDate: nullable(instant),
  disambiguatingDescription: { ...nullableText, description: 'Plain text.' },
  description: { ...nullableText, description: 'HTML of a few elements, else the short one.' },
  url,
  eventStatus: { const: 'https://schema.org/EventScheduled' },
  image: { type: 'array', items: url, description: 'The picture and the small one, full addresses.' },
  location: nullable({
    type: 'object',
    properties: { '@type': { const: 'Place' }, name: nullableText, address: { type: 'object' } },
    required: ['@type', 'address'],
    description: 'schema.org Place with its PostalAddress.',
  }),
  organizer: objectSchema({ '@type': { const: 'Organization' }, name: text, url }),
};
const event = defineSchema(
  'LegacyEvent',
  objectSchema({
    ...shared,
    childrens: { type: 'array', items: objectSchema(shared), description: 'Events that are a part of it, by start.' },
    publicKeyPem: {
      ...nullableText,
      description: 'Ed25519 key that verifies the codes of new tickets, as PEM (SPKI).',
    },
  }),
);
const example = {
  uuid: 'f8838409-22db-49cb-8a1d-b372e4d8489b',
  name: 'Nuit blanche',
  startDate: '2026-11-20T20:30:00+01:00',
  endDate: null,
  disambiguatingDescription: 'Jazz until dawn',
  description: '<p>Jazz until dawn</p>',
  url: 'https://lune.example.org/event/nuit-blanche-2026-11-20-2030-f8838409',
  eventStatus: 'https://schema.org/EventScheduled',
  image: [],
  location: { '@type': 'Place', name: 'Blue Hall', address: { '@type': 'PostalAddress', addressLocality: 'Lyon' } },
  organizer: { '@type': 'Organization', name: 'La Lune', url: 'https://lune.example.org/' },
  childrens: [],
  publicKeyPem: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n',
};

const notChanged = { description: 'Not changed' };

/** Described routes of the events of the first API. */
export const legacyEventsApi = {
  list: {
    tag,
    summary: 'Published events',
    description:
      'Everybody may read them; private events are not among them. Newest first; with `only_futur=true` only those that are not over (from yesterday on), the next one first. At most 500 at once: `page` and `page_size` reach the others.',
    query: LegacyEventsQuery,
    answers: { 200: pagedAnswer('Events', event, example), 304: notChanged },
  },
  get: {
    tag,
    summary: 'One published event',
    parameters: { id: { description: 'The UUID of the event.', schema: uuid } },
    answers: { 200: { description: 'The event', schema: event, example }, 304: notChanged },
    problems: ['event.unknown'],
  },
} as const satisfies Record<string, RouteDescription>;
