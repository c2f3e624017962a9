import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  answeredStatus,
  eventCategoryLabels,
  eventCategories,
  eventStatusOf,
  eventSchemaTypes,
  eventTypes,
  GeoCoordinates,
  imagePath,
  PublicEventMembers,
  schemaOrgAddress,
  toPublicMembers,
} from '#catalogue';
import { ApiModel, Constant, formats } from '#http';
import { isoInZone, present, type Language } from '#kernel';
import type { GatheredEvent, Sender } from './network-agenda.service.js';

class NetworkOrganizer {
  @Constant('Organization')
  readonly '@type'!: 'Organization';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.url)
  readonly url!: string;
}

/** An address; the member that sends the event may have given only parts of it. */
class NetworkAddress {
  @Constant('PostalAddress')
  readonly '@type'!: 'PostalAddress';

  @ApiPropertyOptional(formats.text)
  readonly name?: string;

  @ApiPropertyOptional(formats.text)
  readonly streetAddress?: string;

  @ApiPropertyOptional(formats.text)
  readonly addressLocality?: string;

  @ApiPropertyOptional(formats.text)
  readonly addressRegion?: string;

  @ApiPropertyOptional(formats.text)
  readonly postalCode?: string;

  @ApiPropertyOptional({ ...formats.text, pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' })
  readonly addressCountry?: string;

  @ApiPropertyOptional({ type: GeoCoordinates })
  readonly geo?: GeoCoordinates;
}

class NetworkPlace {
  @Constant('Place')
  readonly '@type'!: 'Place';

  @ApiPropertyOptional(formats.text)
  readonly name?: string;

  @ApiProperty({ type: NetworkAddress })
  readonly address!: NetworkAddress;
}

/** An event of a network's member, without booking data, which only the member has. */
@ApiModel('NetworkEvent')
export class NetworkEventAnswer extends PublicEventMembers {
  @Constant('https://schema.org')
  readonly '@context'!: 'https://schema.org';

  @ApiProperty({ enum: eventTypes })
  readonly '@type'!: string;

  @ApiProperty({ enum: eventCategoryLabels, description: 'The category, in the language of the answer.' })
  readonly additionalType!: string;

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.url)
  readonly url!: string;

  @ApiPropertyOptional(formats.url)
  readonly sameAs?: string;

  @ApiProperty({ ...formats.instant, description: 'With the offset of the place that sends it.' })
  readonly startDate!: string;

  @ApiPropertyOptional(formats.instant)
  readonly endDate?: string;

  @ApiProperty({ ...answeredStatus, description: 'Cancelled: it was announced and does not take place.' })
  readonly eventStatus!: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'The start that was announced before.' })
  readonly previousStartDate?: string;

  @ApiPropertyOptional({ type: [String] })
  readonly keywords?: readonly string[];

  @ApiPropertyOptional({ type: 'array', items: formats.url })
  readonly image?: readonly string[];

  @ApiProperty({ type: NetworkOrganizer })
  readonly organizer!: NetworkOrganizer;

  @ApiPropertyOptional({ type: NetworkPlace })
  readonly location?: NetworkPlace;
}

type SentEvent = Omit<GatheredEvent, 'sender'> & { readonly sender: Pick<Sender, 'id' | 'name' | 'timeZone'> };

/**
 * Renders an event of a network's agenda as schema.org Event, with its member as `organizer`. Times are in the member's time zone.
 * @param home absolute URL of the member's agenda, without the final slash
 */
export function toNetworkEvent(event: SentEvent, home: string, language: Language): NetworkEventAnswer {
  const { sender, startsAt, endsAt, previousStartsAt, keywords, pictureId, isCancelled, postalAddress: address } = event;
  const at = (instant: Date | null): string | undefined => (instant === null ? undefined : isoInZone(instant, sender.timeZone));
  return present({
    '@context': 'https://schema.org',
    '@type': eventSchemaTypes[event.category],
    additionalType: eventCategories[event.category][language],
    identifier: event.id,
    name: event.name,
    url: event.url ?? event.sameAs ?? `${home}/event/${event.slug}`,
    sameAs: event.sameAs,
    startDate: isoInZone(startsAt, sender.timeZone),
    endDate: at(endsAt),
    ...toPublicMembers(event, sender.timeZone),
    eventStatus: eventStatusOf(!isCancelled, event.alteration),
    previousStartDate: at(previousStartsAt),
    keywords: keywords.length > 0 ? keywords : undefined,
    image: pictureId === null ? undefined : [`${home}${imagePath(pictureId, 'fhd')}`],
    organizer: { '@type': 'Organization', identifier: sender.id, name: sender.name, url: `${home}/` },
    location:
      address === null
        ? undefined
        : ({ '@type': 'Place', ...(address.name && { name: address.name }), address: present(schemaOrgAddress(address)) } as const),
  });
}
