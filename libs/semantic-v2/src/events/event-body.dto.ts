import { longestNote } from '#tickets';
import { eventStatuses, eventTexts } from '#catalogue';
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
import { ApiProperty } from '@nestjs/swagger';
import { anyValue, ApiModel } from '#http';
import { Allow } from 'class-validator';
import { asAnswered } from '../shared/answered-members.js';
import { mayBeAdditionalType, mayBeType, type TypeNames } from './event-categories.dto.js';
import { IsReference } from '../shared/reference-models.dto.js';
import { dateOrTimePattern, endOf, startOf } from '../shared/date-time.js';
import { mayBeAnsweredImage, mayBeImages } from '../shared/picture-form.js';
import { AcceptsFoundEvent, AcceptsNewFoundEvent } from '../as-found/found-event.js';
import { EventDetailMembers, NamedThingBody, OffersBody } from './event-details-body.dto.js';
import { LocationBody } from './event-location-body.dto.js';
import { texts } from '../locales/semantic-v2.texts.js';

class AudienceBody {
  // A mistyped word is refused, so that it does not publish a private event.
  @may(
    'isAudience',
    (value) => typeof value === 'string' && /^(private|public)$/i.test(value),
    texts.localized('eventBody.visibilityInvalid'),
  )
  @ApiProperty({ type: String, enum: ['private', 'public'] })
  audienceType?: string | null;
}

/** Checks of the known names of `additionalProperty`. */
const properties: Readonly<Record<string, (value: unknown) => boolean>> = {
  optionsRadio: (value) => isTextList(value, eventTexts.radioOptions),
  optionsCheckbox: (value) => isTextList(value, eventTexts.checkboxOptions),
  customConfirmationMessage: (value) => isPlainText(value, 0, eventTexts.customConfirmationMessage),
  // Accepted so that an answer can be sent back unchanged; only optionsRadio and optionsCheckbox change the options.
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
    texts.localized('eventBody.optionsInvalid'),
  )
  @ApiProperty(anyValue)
  value?: unknown;
}

/** The id in `superEvent`: a UUID, or an object with a UUID as `identifier`. */
export function superEventIdOf(value: unknown): unknown {
  return isObject(value) ? value['identifier'] : value;
}

/** Whether `superEvent` names a series, and no event of this place. */
function isSeries(value: unknown): value is NamedThingBody {
  if (!isObject(value) || !hasOnly(value, ['name', 'url'])) return false;
  const { name, url } = value;
  return isPlainText(name, 1, eventTexts.name) && (isNothing(url) || (isPlainText(url, 1, 2000) && URL.canParse(url)));
}

/** The series in `superEvent`; null when it is a parent; undefined when the member is absent. */
export function seriesOf({ superEvent }: EventMembers): NamedThingBody | null | undefined {
  return superEvent === undefined ? undefined : isSeries(superEvent) ? superEvent : null;
}

export const eventStatus = new RegExp(`^(?:https?://schema\\.org/)?(${eventStatuses.join('|')})$`);

const start = {
  type: String,
  pattern: dateOrTimePattern,
  description: 'ISO 8601; without an offset on the clocks of the place. A date alone: the whole day.',
};
const isStart = (value: unknown): boolean => startOf(value) !== undefined;
const startSentence = texts.localized('eventBody.startInvalid');

/** Optional members of schema.org Event; null removes a value. */
export class EventMembers extends EventDetailMembers {
  @mayBeType()
  '@type'?: TypeNames | null;

  @mayBeAdditionalType()
  additionalType?: TypeNames | null;

  @may(
    'isDateTime',
    (value, body) => {
      const [start, end] = [startOf((body as EventBody).startDate), endOf(value)];
      return end !== undefined && (start === undefined || end >= start);
    },
    texts.localized('eventBody.endInvalid'),
    { type: String, pattern: dateOrTimePattern, description: 'Not before startDate. A date alone: to the end of that day.' },
  )
  endDate?: string | null;

  @ApiProperty({ default: 50 })
  @optionalWhole(0)
  maximumAttendeeCapacity?: number | null;

  @ApiProperty({ description: 'The subtitle.' })
  @optionalText(eventTexts.subtitle)
  alternateName?: string | null;

  @optionalText(eventTexts.shortDescription)
  disambiguatingDescription?: string | null;

  @ApiProperty({ description: 'HTML is cleaned to a small allow-list.' })
  @optionalText(eventTexts.longDescription)
  description?: string | null;

  @may('isEventStatus', (value) => typeof value === 'string' && eventStatus.test(value), texts.localized('eventBody.statusInvalid'))
  @ApiProperty({
    type: String,
    enum: eventStatuses.flatMap((status) => [`https://schema.org/${status}`, status]),
    description:
      'Cancelled unpublishes; the others publish, as absent does when it is made. Rescheduled, postponed and moved online say what ' +
      'differs from the first announcement, scheduled that nothing does.',
  })
  eventStatus?: string | null;

  @may('isDateTime', isStart, startSentence, {
    ...start,
    description: 'The start that was announced before. EventRescheduled with another startDate keeps the one before.',
  })
  previousStartDate?: string | null;

  @mayHold(AudienceBody)
  audience?: AudienceBody | null;

  @may('isTextList', (value) => isTextList(value, eventTexts.keywords), texts.localized('eventBody.keywordsInvalid'))
  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: eventTexts.keywords.each },
    maxItems: eventTexts.keywords.entries,
    description: 'Also one text with commas.',
  })
  keywords?: string[] | null;

  @ApiProperty({ description: 'A page about the event; without one it is the page of the place, or sameAs.' })
  @optionalWebAddress()
  url?: string | null;

  @ApiProperty({ description: 'Makes the event an external one.' })
  @optionalWebAddress()
  sameAs?: string | null;

  @ApiProperty({ description: 'Also a list of offers.' })
  @mayHold(OffersBody)
  offers?: OffersBody | null;

  @ApiProperty({
    description:
      'optionsRadio and optionsCheckbox hold lists of names, customConfirmationMessage a text. options, as it is answered, changes ' +
      'nothing.',
  })
  @mayList(PropertyValueBody, namesDiffer, texts.localized('eventBody.propertiesInvalid'))
  additionalProperty?: PropertyValueBody[] | null;

  @may(
    'isSuperEvent',
    (value) => (isUuid(superEventIdOf(value)) ? !isObject(value) || hasOnly(value, ['identifier', 'name']) : isSeries(value)),
    texts.localized('eventBody.superEventInvalid'),
  )
  @IsReference({ description: 'Of volunteering: the event it is for. An object without identifier is the series of the event.' })
  superEvent?: unknown;

  @ApiProperty({
    description:
      'Without this member, new events take the main address. An address is found by what is sent of it, or made. Also a text, a ' +
      'PostalAddress, or a list.',
  })
  @mayHold(LocationBody)
  location?: LocationBody | null;
}

/** Body of `POST /api/v2/events/`. */
@AcceptsNewFoundEvent()
@ApiModel('NewEvent', {
  example: { name: 'Nuit blanche', startDate: '2027-03-01T20:00', '@type': 'MusicEvent', keywords: ['jazz'] },
})
export class NewEventBody extends EventMembers {
  @mayBeImages()
  image?: string[] | null;

  @text(1, eventTexts.name)
  name!: string;

  @must('isDateTime', isStart, startSentence, start)
  startDate!: string;
}

/** Body of `PATCH /api/v2/events/{id}/`, a JSON merge patch (RFC 7396): absent members do not change. */
@AcceptsFoundEvent()
@ApiModel('EventChange', { example: { eventStatus: 'https://schema.org/EventCancelled' } })
export class EventChangeBody extends EventMembers {
  @ApiProperty({ type: String, format: 'uuid', required: false, description: asAnswered })
  @Allow()
  identifier?: unknown;

  @ApiProperty({
    default: false,
    description: 'Mails the holders of tickets when this change concerns them: another time, place or status.',
  })
  @may('isBoolean', (value) => typeof value === 'boolean', texts.localized('eventOptionBody.notBoolean'), { type: Boolean })
  notifyHolders?: boolean | null;

  @ApiProperty({ description: 'With notifyHolders: a note in that mail, plain text.' })
  @optionalText(longestNote)
  holderNote?: string | null;

  /** null removes the pictures; a list must be the answered one. */
  @mayBeAnsweredImage()
  image?: string[] | null;

  @whenSent()
  @text(1, eventTexts.name)
  name?: string;

  @whenSent()
  @must('isDateTime', isStart, startSentence, start)
  startDate?: string;
}

export type EventBody = EventMembers & Pick<EventChangeBody, 'name' | 'startDate' | 'image'>;
