import { PostalAddressAnswer, toSchemaOrgEvent, type WholeEvent } from '#catalogue';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, Constant, formats, PageQuery } from '#http';
import { may } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import type { EventWithParts } from './legacy-events.service.js';
import { texts } from './locales/legacy-api.texts.js';

/** Query of `GET /api/events/`. */
export class LegacyEventsQuery extends PageQuery {
  @ApiProperty({ type: String, enum: ['0', '1', 'true', 'false'], description: 'Without events that were over yesterday.' })
  @may('isFlag', (value) => typeof value === 'string' && /^(0|1|true|false)$/i.test(value), texts.localized('legacyEvents.notBoolean'))
  only_futur?: string;
}

export const wantsUpcoming = ({ only_futur: upcoming }: LegacyEventsQuery): boolean => /^(1|true)$/i.test(upcoming ?? '');

/** Data shared by all events of an answer. */
export interface EventShown {
  readonly tenant: Pick<TenantIdentity, 'language' | 'timeZone' | 'name'>;
  /** URL of the event's page at the tenant. */
  pageOf(event: WholeEvent): string;
  /** URL of the tenant's home page. */
  readonly home: string;
  /** Null when no signing key is active. */
  readonly publicKeyPem: string | null;
}

class LegacyLocation {
  @Constant('Place')
  readonly '@type'!: 'Place';

  @ApiProperty(formats.nullableText)
  readonly name!: string | null;

  @ApiProperty({ type: PostalAddressAnswer })
  readonly address!: PostalAddressAnswer;
}

class LegacyOrganizer {
  @Constant('Organization')
  readonly '@type'!: 'Organization';

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.url)
  readonly url!: string;
}

/** A child event. */
export class LegacyEventPart {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.instant)
  readonly startDate!: string;

  @ApiProperty(formats.nullableInstant)
  readonly endDate!: string | null;

  @ApiProperty({ ...formats.nullableText, description: 'Plain text.' })
  readonly disambiguatingDescription!: string | null;

  @ApiProperty({ ...formats.nullableText, description: 'HTML of a few elements, else the short one.' })
  readonly description!: string | null;

  @ApiProperty(formats.url)
  readonly url!: string;

  @Constant('https://schema.org/EventScheduled')
  readonly eventStatus!: string;

  @ApiProperty({ type: 'array', items: formats.url, description: 'The picture and the small one, full addresses.' })
  readonly image!: readonly string[];

  @ApiProperty({ type: LegacyLocation, nullable: true, description: 'schema.org Place with its PostalAddress.' })
  readonly location!: LegacyLocation | null;

  @ApiProperty({ type: LegacyOrganizer })
  readonly organizer!: LegacyOrganizer;
}

const example: LegacyEvent = {
  uuid: 'f8838409-22db-49cb-8a1d-b372e4d8489b',
  name: 'Nuit blanche',
  startDate: '2026-11-20T20:30:00+01:00',
  endDate: null,
  disambiguatingDescription: 'Jazz until dawn',
  description: '<p>Jazz until dawn</p>',
  url: 'https://lune.example.org/event/nuit-blanche-2026-11-20-2030-f8838409',
  eventStatus: 'https://schema.org/EventScheduled',
  image: [],
  location: null,
  organizer: { '@type': 'Organization', name: 'La Lune', url: 'https://lune.example.org/' },
  childrens: [],
  publicKeyPem: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n',
};

@ApiModel('LegacyEvent', { example })
export class LegacyEvent extends LegacyEventPart {
  @ApiProperty({ type: [LegacyEventPart], description: 'Events that are a part of it, by start.' })
  readonly childrens!: readonly LegacyEventPart[];

  @ApiProperty({ ...formats.nullableText, description: 'Ed25519 key that verifies the codes of new tickets, as PEM (SPKI).' })
  readonly publicKeyPem!: string | null;
}

/** Renders an event for the first API, with its child events and the key that verifies the codes of its tickets. */
export function toLegacyEvent({ event, parts }: EventWithParts, shown: EventShown): LegacyEvent {
  return {
    ...members(event, shown),
    childrens: parts.map((part) => members(part, shown)),
    publicKeyPem: shown.publicKeyPem,
  };
}

function members(event: WholeEvent, { tenant, pageOf, home }: EventShown): LegacyEventPart {
  const answer = toSchemaOrgEvent(event, tenant, pageOf(event));
  const { location } = answer;
  return {
    uuid: event.id,
    name: answer.name,
    startDate: answer.startDate,
    endDate: answer.endDate ?? null,
    disambiguatingDescription: answer.disambiguatingDescription ?? null,
    description: answer.description ?? null,
    url: answer.url,
    eventStatus: answer.eventStatus,
    image: answer.image ?? [],
    location: location?.address ? { '@type': 'Place', name: location.name ?? null, address: location.address } : null,
    organizer: { '@type': 'Organization', name: tenant.name, url: home },
  };
}
