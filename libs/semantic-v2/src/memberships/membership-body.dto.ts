import type { VenueMethod } from '#payments';
import type { NewMembership } from '#booking';
import { amountOf, isAmount } from '#catalogue';
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
import { isCustomForm, toAnswers } from '../bookings/custom-form.dto.js';
import { instantOf } from '../shared/date-time.js';
import { texts } from '../locales/semantic-v2.texts.js';

class PlanReferenceBody {
  @mustBeUuid()
  identifier!: string;

  /** As it was answered. */
  @optionalText(200)
  name?: string | null;
}

/** A date, which is the moment of that day on the clocks of the place, or a date and time. */
function momentOf(value: unknown, ofDay: '00:00:00' | '23:59:59'): Date | undefined {
  return instantOf(typeof value === 'string' && /^\s*[\d-]{10}\s*$/.test(value) ? `${value.trim()}T${ofDay}` : value);
}

function mayBeMoment(): PropertyDecorator {
  return may('isMoment', (value) => momentOf(value, '00:00:00') !== undefined, texts.localized('membershipBody.sendDateSuch202712'));
}

const modes: Readonly<Record<string, VenueMethod>> = { FREE: 'offered', CASH: 'cash', CARD: 'card' };

function isMode(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(modes, value.toUpperCase());
}

const amountSentence = texts.localized('membershipBody.amountSentence');

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
export class NewMembershipBody {
  @mustHold(PersonBody)
  member!: PersonBody;

  @mustHold(PlanReferenceBody)
  @orIdentifier(PlanReferenceBody)
  membershipPlan!: PlanReferenceBody;

  @mayBeMoment()
  validFrom?: string | null;

  @mayBeMoment()
  validUntil?: string | null;

  @paymentModeOnce
  @may('isPaymentMode', isMode, texts.localized('membershipBody.sendFreeCashCard'))
  paymentMode?: string | null;

  @mayBeLanguage()
  inLanguage?: string | null;

  /** What the member pays, where the plan has a free price; `customAmount` in additionalProperty says the same. */
  @priceOnce
  @may('isAmount', isAmount, amountSentence)
  price?: string | number | null;

  @paymentModeOnce
  @priceOnce
  @mayHaveProperties({
    paymentMode: isMode,
    customAmount: (value) => isNothing(value) || isAmount(value),
    customForm: isCustomForm,
  })
  additionalProperty?: PropertyValue[] | null;
}

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
    ...(answers && { answers }),
  };
}

/** Body of `PATCH /api/v2/memberships/<uuid>/`. */
export class MembershipChangeBody {
  @must('isMembershipStatus', (value) => value === 'cancelled', texts.localized('membershipBody.sendCancelledEndMembership'))
  membershipStatus!: 'cancelled';
}
