import type { VenueMethod } from '#payments';
import type { NewMembership } from '#memberships';
import { codeKey } from '#tickets';
import { ApiProperty } from '@nestjs/swagger';
import { amountOf, amountPattern, isAmount } from '#catalogue';
import { ApiModel, formats, OneOf } from '#http';
import { isNothing, may, must, mustBeUuid, optionalText, sayTheSame } from '#kernel';
import {
  holderLanguage,
  mayBeLanguage,
  mayHaveProperties,
  mustHold,
  orIdentifier,
  PersonBody,
  propertyOf,
  toHolder,
  uncheckedProperty,
  type PropertyValue,
} from '../bookings/booking-members.dto.js';
import { answersInput, isCustomForm, toAnswers } from '../bookings/custom-form.dto.js';
import { dateTimePattern, instantOf } from '../shared/date-time.js';
import { texts } from '../locales/semantic-v2.texts.js';

class PlanReferenceBody {
  @mustBeUuid()
  identifier!: string;

  /** Accepted because answers contain it; ignored. */
  @optionalText(200)
  name?: string | null;
}

/** Parses a date with time, or a date that means this time of the day in the tenant's time zone. */
function momentOf(value: unknown, ofDay: '00:00:00' | '23:59:59'): Date | undefined {
  return instantOf(typeof value === 'string' && /^\s*[\d-]{10}\s*$/.test(value) ? `${value.trim()}T${ofDay}` : value);
}

/** A date, or a date with time. */
const momentPattern = dateTimePattern.replace('[Tt ]', '(?:[Tt ]').replace(/\$$/, ')?$');

function mayBeMoment(): PropertyDecorator {
  const sentence = texts.localized('membershipBody.dateInvalid');
  return may('isMoment', (value) => momentOf(value, '00:00:00') !== undefined, sentence, { type: String, pattern: momentPattern });
}

const modes: Readonly<Record<string, VenueMethod>> = { FREE: 'offered', CASH: 'cash', CARD: 'card' };

function isMode(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(modes, value.toUpperCase());
}

const amountSentence = texts.localized('membershipBody.amountInvalid');

const paymentModeOnce = sayTheSame('paymentMode', (body) =>
  [(body as NewMembershipBody).paymentMode, uncheckedProperty(body, 'paymentMode')].map((value) =>
    isMode(value) ? modes[(value as string).toUpperCase()] : undefined,
  ),
);
const priceOnce = sayTheSame('price', (body) =>
  [(body as NewMembershipBody).price, uncheckedProperty(body, 'customAmount')].map((value) =>
    isAmount(value) ? amountOf(value) : undefined,
  ),
);

/** Body of `POST /api/v2/memberships/`. */
@ApiModel('NewProgramMembership', {
  example: {
    member: { email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
    membershipPlan: { identifier: 'a9c1f0de-4b1b-4c1f-8b5a-0e3b9d7c6f21' },
    additionalProperty: [{ name: 'paymentMode', value: 'CASH' }],
  },
})
export class NewMembershipBody {
  @mustHold(PersonBody)
  member!: PersonBody;

  @mustHold(PlanReferenceBody)
  @orIdentifier(PlanReferenceBody)
  @OneOf([PlanReferenceBody], [formats.uuid], { description: 'The offer, which is a price of a membership product.' })
  membershipPlan!: PlanReferenceBody;

  @ApiProperty({ description: 'Date or date and time. Absent: now, or when what is valid ends.' })
  @mayBeMoment()
  validFrom?: string | null;

  @ApiProperty({ description: 'Date (its end) or date and time. Absent: by the subscription type.' })
  @mayBeMoment()
  validUntil?: string | null;

  @paymentModeOnce
  @ApiProperty({ type: String, enum: Object.keys(modes), description: 'How it was paid at the place; in any case.' })
  @may('isPaymentMode', isMode, texts.localized('membershipBody.paymentMethodInvalid'))
  paymentMode?: string | null;

  @ApiProperty({ description: 'A discount code that is for memberships, in any spelling.' })
  @optionalText(100)
  code?: string | null;

  @mayBeLanguage()
  inLanguage?: string | null;

  @ApiProperty({
    anyOf: [
      { type: 'number', minimum: 0, maximum: 99_999_999.99 },
      { type: 'string', pattern: amountPattern },
    ],
    description: 'What the member pays where the offer has freePrice, at least its price.',
  })
  @priceOnce
  @may('isAmount', isAmount, amountSentence)
  price?: string | number | null;

  @paymentModeOnce
  @priceOnce
  @mayHaveProperties(
    {
      paymentMode: isMode,
      customAmount: (value) => isNothing(value) || isAmount(value),
      customForm: isCustomForm,
    },
    {},
    `paymentMode may stand here, and price as customAmount. ${answersInput}`,
  )
  additionalProperty?: PropertyValue[] | null;
}

/** Maps a validated body to a new membership. */
export function toNewMembership(body: NewMembershipBody): NewMembership {
  const mode = (body.paymentMode ?? propertyOf(body, 'paymentMode')) as string | undefined;
  const paymentMethod = mode && modes[mode.toUpperCase()];
  const answers = toAnswers(body);
  const price = (body.price ?? propertyOf(body, 'customAmount')) as string | number | undefined;
  const validFrom = momentOf(body.validFrom, '00:00:00');
  const validUntil = momentOf(body.validUntil, '23:59:59');
  return {
    priceId: body.membershipPlan.identifier.toLowerCase(),
    ...toHolder(body.member),
    language: holderLanguage(body),
    ...(!isNothing(price) && { amount: amountOf(price) }),
    ...(validFrom && { validFrom }),
    ...(validUntil && { validUntil }),
    ...(paymentMethod && { paymentMethod }),
    // What is no code is unknown.
    ...(!isNothing(body.code) && body.code.trim() !== '' && { code: codeKey(body.code) ?? '' }),
    ...(answers && { answers }),
  };
}

/** Body of `PATCH /api/v2/memberships/<uuid>/`. */
@ApiModel('ProgramMembershipChange', { example: { membershipStatus: 'cancelled' } })
export class MembershipChangeBody {
  @must('isMembershipStatus', (value) => value === 'cancelled', texts.localized('membershipBody.statusInvalid'))
  @ApiProperty({ enum: ['cancelled'] })
  membershipStatus!: 'cancelled';
}
