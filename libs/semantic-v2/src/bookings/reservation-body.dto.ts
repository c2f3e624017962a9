import { type VenueMethod } from '#payments';
import { holderTexts, type HolderName, type NewReservation } from '#booking';
import { amountOf, isAmount } from '#catalogue';
import type { Pointers } from '#http';
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
import { answerPointers, isCustomForm, mayHaveCustomForm, toAnswers } from './custom-form.dto.js';
import { texts } from '../locales/semantic-v2.texts.js';

class EventReferenceBody {
  @mayBeUuid()
  identifier?: string | null;

  /** As it was answered. */
  @optionalText(200)
  name?: string | null;
}

/** One Person or a list of them. */
function personsOf(value: unknown): readonly unknown[] {
  if (isNothing(value)) return [];
  return Array.isArray(value) ? value : [value];
}

function isName(value: unknown): boolean {
  return isNothing(value) || isPlainText(value, 0, holderTexts.firstName);
}

class ReservedTicketBody {
  /** Without one: signing up for a volunteering slot. For other events the service refuses that. */
  @mayBeUuid()
  identifier?: string | null;

  @may(
    'isQuantity',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 100,
    texts.localized('reservationBody.sendWholeNumberFrom1'),
  )
  ticketQuantity?: number | null;

  /** What the buyer pays for each, where the offer has a free price. */
  @may('isAmount', isAmount, texts.localized('reservationBody.sendAmountFrom099999999'))
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
    texts.localized('reservationBody.sendPersonGivennameFamilynameAlone'),
  )
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
export class NewReservationBody {
  @mayHold(EventReferenceBody)
  @orIdentifier(EventReferenceBody)
  reservationFor?: EventReferenceBody | null;

  @mustHold(PersonBody)
  underName!: PersonBody;

  @ValidateNested({ each: true })
  @Type(() => ReservedTicketBody)
  @must(
    'isTicketList',
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= 100 && value.every(isObject),
    texts.localized('reservationBody.sendList1100Tickets'),
  )
  reservedTicket!: ReservedTicketBody[];

  @mayBeLanguage()
  inLanguage?: string | null;

  @confirmedOnce
  @may('isBoolean', isFlag, texts.localized('reservationBody.sendTrueFalse'))
  confirmed?: boolean | null;

  @paymentMethodOnce
  @mayBeVenueMethod()
  paymentMethod?: string | null;

  @confirmedOnce
  @paymentMethodOnce
  @mayHaveProperties({
    options: (value) => isTextList(value, { entries: 50, each: 200 }),
    confirmed: isFlag,
    paymentMethod: isVenueMethod,
    customForm: isCustomForm,
  })
  additionalProperty?: PropertyValue[] | null;
}

function answersOf(body: Pick<NewReservationBody, 'additionalProperty'>): Pick<NewReservation, 'answers'> {
  const answers = toAnswers(body);
  return answers ? { answers } : {};
}

/** What somebody wants to book. @param body whose form was checked */
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
    // A venue method says that it is paid at the venue already.
    confirmed: paymentMethod !== undefined || (body.confirmed ?? propertyOf(body, 'confirmed') === true),
    ...(paymentMethod && { paymentMethod }),
    origin: 'api',
  };
}

const change = /^(?:https?:\/\/schema\.org\/)?(ReservationCancelled|ReservationConfirmed)$/;

/** Body of `PATCH /api/v2/reservations/<uuid>/`. */
export class ReservationChangeBody {
  @must(
    'isReservationStatus',
    (value) => typeof value === 'string' && change.test(value),
    texts.localized('reservationBody.sendHttpsSchemaOrgReservationcancelled'),
  )
  reservationStatus!: string;

  @paymentMethodOnce
  @mayBeVenueMethod()
  paymentMethod?: string | null;

  @paymentMethodOnce
  @mayHaveProperties({ paymentMethod: isVenueMethod })
  additionalProperty?: PropertyValue[] | null;
}

export function cancels({ reservationStatus }: ReservationChangeBody): boolean {
  return change.exec(reservationStatus)?.[1] === 'ReservationCancelled';
}

/** How it was paid at the venue, if the body says so. */
export function venueMethodOf(body: Pick<NewReservationBody, 'paymentMethod' | 'additionalProperty'>): VenueMethod | undefined {
  const method = (body.paymentMethod ?? propertyOf(body, 'paymentMethod')) as string | undefined;
  return method?.toLowerCase() as VenueMethod | undefined;
}

/** Where a body holds the answers to questions that a service refuses. */
export function reservationAnswerPointers(body: NewReservationBody): Pointers {
  return answerPointers(body, body.reservedTicket);
}
