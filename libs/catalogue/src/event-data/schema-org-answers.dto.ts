import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ApiModel, Constant, formats } from '#http';
import { eventAlterations, eventCategories, eventSchemaTypes } from '../values/catalogue-codes.js';
import type { EventOptionKind } from '../entities/event-option.entity.js';
import { EventDetailsAnswer, NamedThingAnswer, StatedOfferAnswer } from './event-details-answers.dto.js';
import { addressTexts } from '../values/text-limits.js';

export const eventTypes = [...new Set(Object.values(eventSchemaTypes))];
export const eventCategoryLabels = [...new Set(Object.values(eventCategories).flatMap((label): string[] => Object.values(label)))];
/** The values of `eventStatus` without `https://schema.org/`. */
export const eventStatuses = ['EventScheduled', 'EventCancelled', ...Object.values(eventAlterations)] as const;
/** The documentation of `eventStatus` in answers. */
export const answeredStatus = { enum: eventStatuses.map((status) => `https://schema.org/${status}`) };
const pictures = { type: 'array', items: formats.url } as const;

export class GeoCoordinates {
  @Constant('GeoCoordinates')
  readonly '@type'!: 'GeoCoordinates';

  @ApiProperty({ type: 'number', minimum: -90, maximum: 90 })
  readonly latitude!: number;

  @ApiProperty({ type: 'number', minimum: -180, maximum: 180 })
  readonly longitude!: number;
}

/** A property of an address with a value. */
export class AddressProperty {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @Constant('isMain')
  readonly name!: string;

  @Constant(true)
  readonly value!: true;
}

export const addressExample: PostalAddressAnswer = {
  '@type': 'PostalAddress',
  '@id': '/api/v2/postal-addresses/1/',
  identifier: 1,
  name: 'Main Hall',
  streetAddress: '14 quai des Ferblantiers',
  addressLocality: 'Nantes',
  postalCode: '44200',
  addressCountry: 'FR',
  geo: { '@type': 'GeoCoordinates', latitude: 47.2046, longitude: -1.5461 },
};

/** A postal address as schema.org PostalAddress. */
@ApiModel('PostalAddress', { example: addressExample })
export class PostalAddressAnswer {
  @Constant('PostalAddress')
  readonly '@type'!: 'PostalAddress';

  @ApiProperty({ ...formats.text, description: 'Its path.' })
  readonly '@id'!: string;

  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly identifier!: number;

  @ApiPropertyOptional({ ...formats.text, maxLength: addressTexts.name })
  readonly name?: string;

  @ApiPropertyOptional({ ...formats.text, maxLength: addressTexts.streetAddress })
  readonly streetAddress?: string;

  @ApiPropertyOptional({ ...formats.text, maxLength: addressTexts.addressLocality })
  readonly addressLocality?: string;

  @ApiPropertyOptional({ ...formats.text, maxLength: addressTexts.addressRegion })
  readonly addressRegion?: string;

  @ApiPropertyOptional({ ...formats.text, maxLength: addressTexts.postalCode })
  readonly postalCode?: string;

  @ApiPropertyOptional({ ...formats.text, pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' })
  readonly addressCountry?: string;

  @ApiPropertyOptional({ type: GeoCoordinates })
  readonly geo?: GeoCoordinates;

  @ApiPropertyOptional(pictures)
  readonly image?: readonly string[];

  @ApiPropertyOptional({ type: [AddressProperty] })
  readonly additionalProperty?: readonly AddressProperty[];
}

const optionExample: EventOptionAnswer = {
  identifier: '3b1f7a52-8a0c-4b7a-9a3e-0d5a3c7d2f11',
  kind: 'checkbox',
  name: 'Vegetarian',
  published: true,
  order: 1,
};

/** An option, in events and at its own path. */
@ApiModel('EventOption', { example: optionExample })
export class EventOptionAnswer {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty({ enum: ['radio', 'checkbox'], description: 'Who books chooses one radio option, and any checkbox options.' })
  readonly kind!: EventOptionKind;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty({ ...formats.boolean, description: 'Whether it can be chosen.' })
  readonly published!: boolean;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Its place among the options of its kind.' })
  readonly order!: number;
}

class MaximumPerUser {
  @Constant('QuantitativeValue')
  readonly '@type'!: 'QuantitativeValue';

  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly maxValue!: number;
}

class ReturnPolicy {
  @Constant('MerchantReturnPolicy')
  readonly '@type'!: 'MerchantReturnPolicy';

  @ApiProperty(formats.count)
  readonly merchantReturnDays!: number;
}

/** Conditions that apply to all offers of an event, and the prices that others ask for it. */
export class EventOffer {
  @ApiProperty({ enum: ['Offer', 'AggregateOffer'], description: 'AggregateOffer when it has `offers`.' })
  readonly '@type'!: 'Offer' | 'AggregateOffer';

  @ApiPropertyOptional({ type: MaximumPerUser })
  readonly eligibleQuantity?: MaximumPerUser;

  @ApiProperty({ type: ReturnPolicy })
  readonly returnPolicy!: ReturnPolicy;

  @ApiPropertyOptional({ type: [StatedOfferAnswer], description: 'Information; what is sold here are products.' })
  readonly offers?: readonly StatedOfferAnswer[];
}

class Audience {
  @Constant('Audience')
  readonly '@type'!: 'Audience';

  @Constant('private')
  readonly audienceType!: 'private';
}

class EventPlace {
  @ApiProperty({ enum: ['Place', 'VirtualLocation'] })
  readonly '@type'!: 'Place' | 'VirtualLocation';

  @ApiPropertyOptional({ ...formats.text, description: 'The name of the address.' })
  readonly name?: string;

  @ApiPropertyOptional({ type: PostalAddressAnswer, description: 'Of a Place.' })
  readonly address?: PostalAddressAnswer;

  @ApiPropertyOptional({ ...formats.url, description: 'Of a VirtualLocation.' })
  readonly url?: string;
}

@ApiExtraModels(EventOptionAnswer)
export class EventProperty {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @ApiProperty({ enum: ['optionsRadio', 'optionsCheckbox', 'options', 'customConfirmationMessage'] })
  readonly name!: string;

  @ApiProperty({
    anyOf: [
      { type: 'string' },
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { $ref: getSchemaPath(EventOptionAnswer) } },
    ],
  })
  readonly value!: string | readonly string[] | readonly EventOptionAnswer[];
}

export const eventExample: EventAnswer = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  additionalType: 'Concert',
  identifier: '0cea2f59-f12f-463c-80b6-619874377bae',
  name: 'Nuit blanche',
  url: 'https://demo.example.org/event/nuit-blanche-20270301-2000-0cea2f59',
  startDate: '2027-03-01T20:00:00+01:00',
  maximumAttendeeCapacity: 50,
  eventStatus: 'https://schema.org/EventScheduled',
  keywords: ['jazz'],
  offers: { '@type': 'Offer', returnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnDays: 7 } },
  location: { '@type': 'Place', address: addressExample },
};

/** An event as schema.org Event. */
@ApiModel('Event', { example: eventExample })
export class EventAnswer extends EventDetailsAnswer {
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

  @ApiProperty(formats.instant)
  readonly startDate!: string;

  @ApiPropertyOptional(formats.instant)
  readonly endDate?: string;

  @ApiProperty(formats.count)
  readonly maximumAttendeeCapacity!: number;

  @ApiPropertyOptional({
    ...formats.text,
    description: 'HTML of a small allow-list; the short description when there is none.',
  })
  readonly description?: string;

  @ApiProperty(answeredStatus)
  readonly eventStatus!: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'The start that was announced before.' })
  readonly previousStartDate?: string;

  @ApiPropertyOptional({ type: Audience })
  readonly audience?: Audience;

  @ApiPropertyOptional({ type: [String] })
  readonly keywords?: readonly string[];

  @ApiPropertyOptional({ ...pictures, description: 'The picture, and the small one for lists.' })
  readonly image?: readonly string[];

  @ApiProperty({ type: EventOffer })
  readonly offers!: EventOffer;

  @ApiPropertyOptional({ type: [EventProperty] })
  readonly additionalProperty?: readonly EventProperty[];

  @ApiPropertyOptional({
    anyOf: [formats.uuid, { $ref: getSchemaPath(NamedThingAnswer) }],
    description: 'The UUID of the parent event; the series of an event without one.',
  })
  readonly superEvent?: string | NamedThingAnswer;

  @ApiPropertyOptional({ type: EventPlace })
  readonly location?: EventPlace;
}
