import { eventTexts } from '#catalogue';
import {
  hasOnly,
  isNothing,
  isObject,
  isPlainText,
  isTextList,
  isUuid,
  knownName,
  may,
  mayHold,
  mayList,
  must,
  namesDiffer,
  optionalText,
  optionalWebAddress,
  optionalWhole,
  text,
  whenSent,
} from '#kernel';
import { Allow } from 'class-validator';
import { instantOf } from '../shared/date-time.js';
import { mayBeAnsweredImage, mayBeImage } from '../shared/picture-form.js';
import { texts } from '../locales/semantic-v2.texts.js';

class EligibleQuantityBody {
  @optionalWhole(1)
  maxValue?: number | null;
}

class ReturnPolicyBody {
  @optionalWhole(0)
  merchantReturnDays?: number | null;
}

class OffersBody {
  @mayHold(EligibleQuantityBody)
  eligibleQuantity?: EligibleQuantityBody | null;

  @mayHold(ReturnPolicyBody)
  returnPolicy?: ReturnPolicyBody | null;
}

class AudienceBody {
  // A mistyped word must not publish what was meant to be private.
  @may(
    'isAudience',
    (value) => typeof value === 'string' && /^(private|public)$/i.test(value),
    texts.localized('eventBody.sendPrivatePublic'),
  )
  audienceType?: string | null;
}

/** What the known names of `additionalProperty` hold. */
const properties: Readonly<Record<string, (value: unknown) => boolean>> = {
  optionsRadio: (value) => isTextList(value, eventTexts.radioOptions),
  optionsCheckbox: (value) => isTextList(value, eventTexts.checkboxOptions),
  customConfirmationMessage: (value) => isPlainText(value, 0, eventTexts.customConfirmationMessage),
  // Answered with the UUIDs, and accepted back so that an answer can be sent as it is; optionsRadio and optionsCheckbox decide.
  options: (value) => Array.isArray(value) && value.every(isObject),
};

class PropertyValueBody {
  @knownName(Object.keys(properties))
  name!: string;

  @may(
    'isPropertyValue',
    (value, body) => {
      const { name } = body as PropertyValueBody;
      return !Object.hasOwn(properties, name) || (properties[name]?.(value) ?? false);
    },
    texts.localized('eventBody.sendMost50Names1'),
  )
  value?: unknown;
}

/** What an answer says of a linked address, beside its identifier. It is accepted as it was answered. */
export const linkedAddressMembers = [
  'name',
  'streetAddress',
  'addressLocality',
  'addressRegion',
  'postalCode',
  'addressCountry',
  'geo',
  'image',
  'additionalProperty',
] as const;

class LinkedAddressBody {
  @may('isIdentifier', (value) => Number.isSafeInteger(value) && (value as number) > 0, texts.localized('eventBody.sendIdentifierAddress'))
  identifier?: number | null;
}

class LocationBody {
  @may(
    'isLinkedAddress',
    (value) => !isObject(value) || !isNothing(value['identifier']),
    texts.localized('eventBody.sendIdentifierAddressExistsNull'),
  )
  @mayHold(LinkedAddressBody)
  address?: LinkedAddressBody | null;
}

for (const name of linkedAddressMembers) Allow()(LinkedAddressBody.prototype, name);

/** What a superEvent names: a UUID, or an object with a UUID as `identifier`. */
export function superEventIdOf(value: unknown): unknown {
  return isObject(value) ? value['identifier'] : value;
}

export const eventStatus = /^(?:https?:\/\/schema\.org\/)?(EventScheduled|EventCancelled)$/;

const isStart = (value: unknown): boolean => instantOf(value) !== undefined;
const startSentence = texts.localized('eventBody.startSentence');

/** The members of schema.org Event that may be absent when an event is made; null removes what is there. */
export class EventMembers {
  @optionalText(200)
  '@type'?: string | null;

  @optionalText(200)
  additionalType?: string | null;

  @may(
    'isDateTime',
    (value, body) => {
      const [start, end] = [instantOf((body as EventBody).startDate), instantOf(value)];
      return end !== undefined && (start === undefined || end >= start);
    },
    texts.localized('eventBody.sendDateTimeSuch2026'),
  )
  endDate?: string | null;

  @optionalWhole(0)
  maximumAttendeeCapacity?: number | null;

  /** The subtitle. */
  @optionalText(eventTexts.subtitle)
  alternateName?: string | null;

  @optionalText(eventTexts.shortDescription)
  disambiguatingDescription?: string | null;

  @optionalText(eventTexts.longDescription)
  description?: string | null;

  @may(
    'isEventStatus',
    (value) => typeof value === 'string' && eventStatus.test(value),
    texts.localized('eventBody.sendHttpsSchemaOrgEventscheduled'),
  )
  eventStatus?: string | null;

  @mayHold(AudienceBody)
  audience?: AudienceBody | null;

  @may('isTextList', (value) => isTextList(value, eventTexts.keywords), texts.localized('eventBody.sendListMost50Words'))
  keywords?: string[] | null;

  /** Stored, unless it is the tenant's own page of the event. */
  @optionalWebAddress()
  url?: string | null;

  @optionalWebAddress()
  sameAs?: string | null;

  @mayHold(OffersBody)
  offers?: OffersBody | null;

  @mayList(PropertyValueBody, namesDiffer, texts.localized('eventBody.sendListObjectsNameValue'))
  additionalProperty?: PropertyValueBody[] | null;

  @may(
    'isSuperEvent',
    (value) => isUuid(superEventIdOf(value)) && (!isObject(value) || hasOnly(value, ['identifier', 'name'])),
    texts.localized('eventBody.sendUuidParentEvent'),
  )
  superEvent?: unknown;

  @mayHold(LocationBody)
  location?: LocationBody | null;
}

/** Body of `POST /api/v2/events/`. */
export class NewEventBody extends EventMembers {
  /** null says that there is none. */
  @mayBeImage()
  image?: null;

  @text(1, eventTexts.name)
  name!: string;

  @must('isDateTime', isStart, startSentence)
  startDate!: string;
}

/** Body of `PATCH /api/v2/events/{id}/`, a JSON merge patch (RFC 7396): what is absent stays. */
export class EventChangeBody extends EventMembers {
  /** As it was answered. */
  @Allow()
  identifier?: unknown;

  /** null removes the pictures; a list is what was answered. */
  @mayBeAnsweredImage()
  image?: string[] | null;

  @whenSent()
  @text(1, eventTexts.name)
  name?: string;

  @whenSent()
  @must('isDateTime', isStart, startSentence)
  startDate?: string;
}

export type EventBody = EventMembers & Pick<EventChangeBody, 'name' | 'startDate' | 'image'>;
