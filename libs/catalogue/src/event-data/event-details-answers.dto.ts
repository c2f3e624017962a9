import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { present } from '#kernel';
import { attendanceModes, type EventDetails, type NamedThing, type StatedOffer } from '../values/event-details.js';
import type { Event } from '../entities/event.entity.js';
import { PublicEventMembers } from './public-event-members.dto.js';

@ApiModel('NamedThing')
export class NamedThingAnswer {
  @ApiProperty({ ...formats.text, description: 'A type of schema.org, such as Person, MusicGroup or EventSeries.' })
  readonly '@type'!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiPropertyOptional(formats.url)
  readonly url?: string;
}

/** A price that others ask for an event. */
@ApiModel('StatedOffer')
export class StatedOfferAnswer {
  @ApiProperty({ enum: ['Offer', 'AggregateOffer'] })
  readonly '@type'!: 'Offer' | 'AggregateOffer';

  @ApiPropertyOptional(formats.text)
  readonly name?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'As it was sent: a decimal number, or a text.' })
  readonly price?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'The lowest of several prices.' })
  readonly lowPrice?: string;

  @ApiPropertyOptional(formats.text)
  readonly highPrice?: string;

  @ApiPropertyOptional(formats.text)
  readonly priceCurrency?: string;

  @ApiPropertyOptional(formats.text)
  readonly availability?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'A date, or a date and time.' })
  readonly validFrom?: string;

  @ApiPropertyOptional(formats.url)
  readonly url?: string;
}

/** What answers and pages show of an event, and nothing else depends on. */
@ApiExtraModels(NamedThingAnswer)
export class EventDetailsAnswer extends PublicEventMembers {
  @ApiPropertyOptional({ enum: Object.values(attendanceModes) })
  readonly eventAttendanceMode?: string;

  @ApiPropertyOptional({ type: [NamedThingAnswer] })
  readonly performer?: readonly NamedThingAnswer[];

  @ApiPropertyOptional({ type: NamedThingAnswer })
  readonly organizer?: NamedThingAnswer;

  @ApiPropertyOptional({ type: [String] })
  readonly inLanguage?: readonly string[];

  @ApiPropertyOptional(formats.boolean)
  readonly isAccessibleForFree?: boolean;
}

/** The details of an event as members of schema.org Event. */
export function toDetailMembers({ details }: Event): EventDetailsAnswer {
  const { performers, organizer, attendance, languages, isFree }: EventDetails = details ?? {};
  return present({
    eventAttendanceMode: attendance && attendanceModes[attendance],
    performer: performers?.map(toNamedThing),
    organizer: organizer && toNamedThing(organizer),
    inLanguage: languages,
    isAccessibleForFree: isFree,
  });
}

export function toNamedThing({ type, name, url }: NamedThing): NamedThingAnswer {
  return present({ '@type': type, name, url });
}

export function toStatedOffer({ name, price, highPrice, currency, availability, validFrom, url }: StatedOffer): StatedOfferAnswer {
  return present({
    '@type': highPrice === undefined ? 'Offer' : 'AggregateOffer',
    name,
    price: highPrice === undefined ? price : undefined,
    lowPrice: highPrice === undefined ? undefined : price,
    highPrice,
    priceCurrency: currency,
    availability,
    validFrom,
    url,
  } as const);
}
