import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { eventTypes } from '#catalogue';
import { ApiModel, Constant, formats, ListOfOne } from '#http';
import { currency, type Language, languages } from '#kernel';
import { paymentMethods } from '#payments';
import { CustomFormProperty, decimalAmount, paymentAddress, PersonAnswer, codeFormat } from '../answer-parts.dto.js';
import { reservationStates, type ReservationStatus } from '../entities/reservation-states.js';
import { ticketStates, type TicketStatus } from '../entities/ticket-states.js';

const statuses = ['ReservationHold', 'ReservationPending', 'ReservationConfirmed', 'ReservationCancelled'];
const states = Object.entries(reservationStates).map(([code, { en }]) => `${code} ${en}`);

class BookedEvent {
  @ApiProperty({ enum: eventTypes })
  readonly '@type'!: string;

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.instant)
  readonly startDate!: string;
}

class BookedOffer {
  @Constant('Offer')
  readonly '@type'!: 'Offer';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty({ enum: ['admission', 'goods'], description: 'Goods let nobody in: they are handed out.' })
  readonly category!: 'admission' | 'goods';
}

/** A ticket as schema.org Ticket. */
@ApiModel('ReservedTicket')
export class ReservedTicketAnswer {
  @Constant('Ticket')
  readonly '@type'!: 'Ticket';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @Constant(1, { description: 'Each ticket is an entry of its own.' })
  readonly ticketQuantity!: 1;

  @ApiProperty({ type: BookedOffer })
  readonly itemOffered!: BookedOffer;

  @ApiProperty({ type: PersonAnswer })
  readonly underName!: PersonAnswer;

  @ApiProperty(decimalAmount)
  readonly totalPrice!: string;

  @Constant(currency)
  readonly priceCurrency!: typeof currency;

  @ApiProperty({ enum: Object.keys(ticketStates) })
  readonly status!: TicketStatus;

  @ApiPropertyOptional(codeFormat)
  readonly qrcode?: string;

  @ApiPropertyOptional({ type: [CustomFormProperty] })
  readonly additionalProperty?: readonly CustomFormProperty[];
}

class StatusProperty {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @Constant('status')
  readonly name!: 'status';

  @ApiProperty({ enum: Object.keys(reservationStates), description: states.join(', ') })
  readonly value!: ReservationStatus;
}

class OptionsProperty {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @Constant('options')
  readonly name!: 'options';

  @ApiProperty({ type: 'array', items: formats.uuid })
  readonly value!: readonly string[];
}

const example: ReservationAnswer = {
  '@context': 'https://schema.org',
  '@type': 'EventReservation',
  identifier: '7d5730a7-0e62-4827-8eea-1fbc650d93f4',
  reservationStatus: 'https://schema.org/ReservationConfirmed',
  bookingTime: '2027-02-01T12:00:00.120+01:00',
  reservationFor: {
    '@type': 'MusicEvent',
    identifier: '0cea2f59-f12f-463c-80b6-619874377bae',
    name: 'Nuit blanche',
    startDate: '2027-03-01T20:00:00+01:00',
  },
  underName: { '@type': 'Person', email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
  reservedTicket: [
    {
      '@type': 'Ticket',
      identifier: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
      name: 'Full price',
      itemOffered: {
        '@type': 'Offer',
        identifier: 'c4a5bd0e-0e63-4a39-8f4e-1d1f3b7f8a51',
        name: 'Full price',
        category: 'admission',
      },
      ticketQuantity: 1,
      underName: { '@type': 'Person', givenName: 'Ada', familyName: 'Martin' },
      totalPrice: '12.50',
      priceCurrency: currency,
      status: 'K',
    },
  ],
  totalPrice: '12.50',
  priceCurrency: currency,
  paymentMethod: 'cash',
  additionalProperty: [{ '@type': 'PropertyValue', name: 'status', value: 'V' }],
};

/** A reservation as schema.org EventReservation. */
@ApiModel('EventReservation', { example })
export class ReservationAnswer {
  @Constant('https://schema.org')
  readonly '@context'!: 'https://schema.org';

  @Constant('EventReservation')
  readonly '@type'!: 'EventReservation';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty({ enum: statuses.map((status) => `https://schema.org/${status}`) })
  readonly reservationStatus!: string;

  @ApiProperty(formats.instant)
  readonly bookingTime!: string;

  @ApiProperty({ type: BookedEvent })
  readonly reservationFor!: BookedEvent;

  @ApiProperty({ type: PersonAnswer })
  readonly underName!: PersonAnswer;

  @ApiPropertyOptional({ enum: languages, description: 'In which language the holder is written to.' })
  readonly inLanguage?: Language;

  @ApiProperty({ type: [ReservedTicketAnswer] })
  readonly reservedTicket!: readonly ReservedTicketAnswer[];

  @ApiProperty(decimalAmount)
  readonly totalPrice!: string;

  @Constant(currency)
  readonly priceCurrency!: typeof currency;

  @ApiPropertyOptional({ ...formats.instant, description: 'Until then it keeps its places.' })
  readonly paymentDueDate?: string;

  @ApiPropertyOptional(paymentAddress)
  readonly checkoutUrl?: string;

  @ApiPropertyOptional({ enum: Object.keys(paymentMethods) })
  readonly paymentMethod?: string;

  @ListOfOne([StatusProperty, OptionsProperty, CustomFormProperty])
  readonly additionalProperty!: readonly (StatusProperty | OptionsProperty | CustomFormProperty)[];
}
