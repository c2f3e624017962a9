import { type VenueMethod } from '#payments';
import type { NewReservation } from '#selling';
import { codeKey, holderTexts, type HolderName } from '#tickets';
import { amountOf, amountPattern, isAmount } from '#catalogue';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, formats, OneOf, type Pointers } from '#http';
import { hasOnly, isNothing, isObject, isPlainText, isTextList, may, mayBeUuid, mayHold, must, optionalText, sayTheSame } from '#kernel';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import {
  holderLanguage,
  isVenueMethod,
  mayBeLanguage,
  mayBeVenueMethod,
  mayHaveProperties,
  mustHold,
  orIdentifier,
  PersonBody,
  propertyOf,
  toHolder,
  uncheckedProperty,
  type PropertyValue,
} from './booking-members.dto.js';
import { answerPointers, answersInput, isCustomForm, mayHaveCustomForm, toAnswers } from './custom-form.dto.js';
import { texts } from '../locales/semantic-v2.texts.js';

class EventReferenceBody {
  @mayBeUuid()
  identifier?: string | null;

  /** Accepted because answers contain it; ignored. */
  @optionalText(200)
  name?: string | null;
}

/** Makes a list of a single Person. */
function personsOf(value: unknown): readonly unknown[] {
  if (isNothing(value)) return [];
  return Array.isArray(value) ? value : [value];
}

function isName(value: unknown): boolean {
  return isNothing(value) || isPlainText(value, 0, holderTexts.firstName);
}

class HolderBody {
  @optionalText(holderTexts.firstName)
  givenName?: string | null;

  @optionalText(holderTexts.lastName)
  familyName?: string | null;
}

class ReservedTicketBody {
  @ApiProperty({
    description:
      'The offer, which is a price of a product. Required, but for volunteers who sign up for a slot (an event of category ACT) for ' +
      'which no ticket is sold.',
  })
  @mayBeUuid()
  identifier?: string | null;

  @may(
    'isQuantity',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 100,
    texts.localized('reservationBody.quantityInvalid'),
  )
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, default: 1 })
  ticketQuantity?: number | null;

  @ApiProperty({
    anyOf: [
      { type: 'number', minimum: 0, maximum: 99_999_999.99 },
      { type: 'string', pattern: amountPattern },
    ],
    description:
      'What the buyer pays for each ticket of an offer with freePrice, at least its price. Of another offer it must be its price.',
  })
  @may('isAmount', isAmount, texts.localized('reservationBody.amountInvalid'))
  price?: string | number | null;

  @may(
    'isHolders',
    (value, body) => {
      const persons = personsOf(value);
      const { ticketQuantity } = body as ReservedTicketBody;
      const named = persons.every(
        (one) => isObject(one) && hasOnly(one, ['givenName', 'familyName']) && isName(one['givenName']) && isName(one['familyName']),
      );
      return named && persons.length <= (Number.isInteger(ticketQuantity) ? (ticketQuantity as number) : 1);
    },
    texts.localized('reservationBody.personsInvalid'),
  )
  @OneOf([HolderBody], [{ type: 'array', items: { $ref: '#/components/schemas/HolderBody' } }], {
    description: 'Whose the first of these tickets are, not more than tickets; the others are for who books.',
  })
  underName?: unknown;

  @mayHaveCustomForm()
  additionalProperty?: PropertyValue[] | null;
}

const isFlag = (value: unknown): boolean => typeof value === 'boolean';

const confirmedOnce = sayTheSame('confirmed', (body) => [(body as NewReservationBody).confirmed, uncheckedProperty(body, 'confirmed')]);
const paymentMethodOnce = sayTheSame('paymentMethod', (body) =>
  [(body as NewReservationBody).paymentMethod, uncheckedProperty(body, 'paymentMethod')].map((value) =>
    isVenueMethod(value) ? value.toLowerCase() : undefined,
  ),
);

/** Body of `POST /api/v2/reservations/`. */
@ApiModel('NewEventReservation', {
  example: {
    reservationFor: { identifier: '0cea2f59-f12f-463c-80b6-619874377bae' },
    underName: { email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
    reservedTicket: [{ identifier: 'c4a5bd0e-0e63-4a39-8f4e-1d1f3b7f8a51', ticketQuantity: 1 }],
    confirmed: true,
    paymentMethod: 'cash',
  },
})
export class NewReservationBody {
  @mayHold(EventReferenceBody)
  @orIdentifier(EventReferenceBody)
  @OneOf([EventReferenceBody], [formats.uuid], { description: 'The event; absent: the one upcoming event that sells the offers.' })
  reservationFor?: EventReferenceBody | null;

  @mustHold(PersonBody)
  underName!: PersonBody;

  @ValidateNested({ each: true })
  @Type(() => ReservedTicketBody)
  @must(
    'isTicketList',
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= 100 && value.every(isObject),
    texts.localized('reservationBody.ticketsInvalid'),
  )
  @ApiProperty({ type: () => [ReservedTicketBody], minItems: 1, maxItems: 100 })
  reservedTicket!: ReservedTicketBody[];

  @ApiProperty({ description: 'A discount code, in any spelling.' })
  @optionalText(100)
  code?: string | null;

  @ApiProperty({ description: 'The code of a gift card. It pays first; the rest is paid online, or as `paymentMethod` says.' })
  @optionalText(100)
  giftCard?: string | null;

  @mayBeLanguage()
  inLanguage?: string | null;

  @confirmedOnce
  @ApiProperty({ type: Boolean, default: false, description: 'Sold or given away by the caller: valid at once.' })
  @may('isBoolean', isFlag, texts.localized('reservationBody.notBoolean'))
  confirmed?: boolean | null;

  @paymentMethodOnce
  @mayBeVenueMethod()
  paymentMethod?: string | null;

  @confirmedOnce
  @paymentMethodOnce
  @mayHaveProperties(
    {
      options: (value) => isTextList(value, { entries: 50, each: 200 }),
      confirmed: isFlag,
      paymentMethod: isVenueMethod,
      customForm: isCustomForm,
    },
    {},
    `options holds UUIDs or names of options of the event; confirmed and paymentMethod may stand here, too. ${answersInput} A ` +
      'question that is asked for each ticket is answered so for all of them.',
  )
  additionalProperty?: PropertyValue[] | null;
}

function answersOf(body: Pick<NewReservationBody, 'additionalProperty'>): Pick<NewReservation, 'answers'> {
  const answers = toAnswers(body);
  return answers ? { answers } : {};
}

/** Maps a validated body to a new reservation. */
export function toNewReservation(body: NewReservationBody): NewReservation {
  const eventId = body.reservationFor?.identifier?.toLowerCase();
  const paymentMethod = venueMethodOf(body);
  const options = (propertyOf(body, 'options') as string[] | undefined) ?? [];
  return {
    ...(eventId && { eventId }),
    ...toHolder(body.underName),
    language: holderLanguage(body),
    tickets: body.reservedTicket.map(({ identifier, ticketQuantity, price, underName, ...line }) => ({
      ...(identifier && { priceId: identifier.toLowerCase() }),
      quantity: ticketQuantity ?? 1,
      ...(!isNothing(price) && { amount: amountOf(price) }),
      ...answersOf(line),
      holders: (personsOf(underName) as { givenName?: string; familyName?: string }[]).map(({ givenName, familyName }): HolderName => ({
        firstName: givenName ?? '',
        lastName: familyName ?? '',
      })),
    })),
    ...answersOf(body),
    options,
    // What is no code is unknown.
    ...(!isNothing(body.code) && body.code.trim() !== '' && { code: codeKey(body.code) ?? '' }),
    ...(!isNothing(body.giftCard) && body.giftCard.trim() !== '' && { giftCard: body.giftCard }),
    // A venue payment method means that the buyer has paid already.
    confirmed: paymentMethod !== undefined || (body.confirmed ?? propertyOf(body, 'confirmed') === true),
    ...(paymentMethod && { paymentMethod }),
    origin: 'api',
  };
}

const change = /^(?:https?:\/\/schema\.org\/)?(ReservationCancelled|ReservationConfirmed)$/;

/** Body of `PATCH /api/v2/reservations/<uuid>/`. */
@ApiModel('EventReservationChange', { example: { reservationStatus: 'https://schema.org/ReservationCancelled' } })
export class ReservationChangeBody {
  @must('isReservationStatus', (value) => typeof value === 'string' && change.test(value), texts.localized('reservationBody.statusInvalid'))
  @ApiProperty({ enum: ['ReservationCancelled', 'ReservationConfirmed'].flatMap((word) => [`https://schema.org/${word}`, word]) })
  reservationStatus!: string;

  @paymentMethodOnce
  @mayBeVenueMethod()
  paymentMethod?: string | null;

  @paymentMethodOnce
  @mayHaveProperties({ paymentMethod: isVenueMethod })
  additionalProperty?: PropertyValue[] | null;
}

/** Whether a body cancels the reservation. */
export function cancels({ reservationStatus }: ReservationChangeBody): boolean {
  return change.exec(reservationStatus)?.[1] === 'ReservationCancelled';
}

/** The venue payment method of the body, if any. */
export function venueMethodOf(body: Pick<NewReservationBody, 'paymentMethod' | 'additionalProperty'>): VenueMethod | undefined {
  const method = (body.paymentMethod ?? propertyOf(body, 'paymentMethod')) as string | undefined;
  return method?.toLowerCase() as VenueMethod | undefined;
}

/** JSON pointers for fields with answers to questions. */
export function reservationAnswerPointers(body: NewReservationBody): Pointers {
  return answerPointers(body, body.reservedTicket);
}
