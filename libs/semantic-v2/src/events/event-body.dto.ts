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
  @may('isAudience', (value) => typeof value === 'string' && /^(private|public)$/i.test(value), {
    en: 'Send private or public.',
    fr: 'Envoyez private ou public.',
  })
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
    {
      en: 'Send at most 50 names of 1 to 200 characters as options, or a message of at most 10000 characters.',
      fr: 'Envoyez 50 noms au plus, de 1 à 200 caractères, comme options, ou un message de 10000 caractères au plus.',
    },
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
  @may('isIdentifier', (value) => Number.isSafeInteger(value) && (value as number) > 0, {
    en: 'Send the identifier of an address.',
    fr: "Envoyez l'identifiant d'une adresse.",
  })
  identifier?: number | null;
}

class LocationBody {
  @may('isLinkedAddress', (value) => !isObject(value) || !isNothing(value['identifier']), {
    en: 'Send the identifier of an address that exists, null for none, or use link-address.',
    fr: "Envoyez l'identifiant d'une adresse existante, null pour aucune, ou utilisez link-address.",
  })
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
const startSentence = {
  en: 'Send a date and time such as 2026-11-20T20:30:00+01:00.',
  fr: 'Envoyez une date et heure telle que 2026-11-20T20:30:00+01:00.',
};

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
    {
      en: 'Send a date and time such as 2026-11-20T23:30:00+01:00, not before startDate.',
      fr: 'Envoyez une date et heure telle que 2026-11-20T23:30:00+01:00, pas avant startDate.',
    },
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

  @may('isEventStatus', (value) => typeof value === 'string' && eventStatus.test(value), {
    en: 'Send https://schema.org/EventScheduled to publish, https://schema.org/EventCancelled to unpublish.',
    fr: 'Envoyez https://schema.org/EventScheduled pour publier, https://schema.org/EventCancelled pour dépublier.',
  })
  eventStatus?: string | null;

  @mayHold(AudienceBody)
  audience?: AudienceBody | null;

  @may('isTextList', (value) => isTextList(value, eventTexts.keywords), {
    en: 'Send a list of at most 50 words of 1 to 100 characters.',
    fr: 'Envoyez une liste de 50 mots au plus, de 1 à 100 caractères.',
  })
  keywords?: string[] | null;

  /** Stored, unless it is the tenant's own page of the event. */
  @optionalWebAddress()
  url?: string | null;

  @optionalWebAddress()
  sameAs?: string | null;

  @mayHold(OffersBody)
  offers?: OffersBody | null;

  @mayList(PropertyValueBody, namesDiffer, {
    en: 'Send a list of objects with name and value, each name once.',
    fr: "Envoyez une liste d'objets avec name et value, chaque nom une seule fois.",
  })
  additionalProperty?: PropertyValueBody[] | null;

  @may('isSuperEvent', (value) => isUuid(superEventIdOf(value)) && (!isObject(value) || hasOnly(value, ['identifier', 'name'])), {
    en: 'Send the UUID of the parent event.',
    fr: "Envoyez l'UUID de l'événement parent.",
  })
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
