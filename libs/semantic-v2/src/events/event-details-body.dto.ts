import { attendanceModes, detailTexts, eventTexts } from '#catalogue';
import { isTextList, may, mayHold, mayList, optionalText, optionalWebAddress, optionalWhole, text } from '#kernel';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel } from '#http';
import { dateOrTimePattern, isTimeOrInstant, secondsOf, startOf } from '../shared/date-time.js';
import { texts } from '../locales/semantic-v2.texts.js';

@ApiModel('NamedThingBody')
export class NamedThingBody {
  @ApiProperty({ description: 'A type of schema.org, such as Person or MusicGroup.' })
  @optionalText(detailTexts.type)
  '@type'?: string | null;

  @text(1, detailTexts.name)
  name!: string;

  @optionalWebAddress()
  url?: string | null;
}

class EligibleQuantityBody {
  @optionalWhole(1)
  maxValue?: number | null;
}

class ReturnPolicyBody {
  @optionalWhole(0)
  merchantReturnDays?: number | null;
}

/** A price that others ask. */
@ApiModel('StatedOfferBody')
export class StatedOfferBody {
  @optionalText(detailTexts.name)
  name?: string | null;

  @ApiProperty({ description: 'A decimal number as text or number, or a text such as `free`.' })
  @optionalText(detailTexts.price)
  price?: string | null;

  @ApiProperty({ description: 'The lowest of several prices.' })
  @optionalText(detailTexts.price)
  lowPrice?: string | null;

  @optionalText(detailTexts.price)
  highPrice?: string | null;

  @optionalText(detailTexts.currency)
  priceCurrency?: string | null;

  @optionalText(detailTexts.availability)
  availability?: string | null;

  @may('isDateTime', (value) => startOf(value) !== undefined, texts.localized('eventBody.dayOrTimeInvalid'), {
    type: String,
    pattern: dateOrTimePattern,
  })
  validFrom?: string | null;

  @optionalWebAddress()
  url?: string | null;
}

/** Conditions for all offers of the event, and prices that others ask. */
export class OffersBody {
  @mayHold(EligibleQuantityBody)
  eligibleQuantity?: EligibleQuantityBody | null;

  @mayHold(ReturnPolicyBody)
  returnPolicy?: ReturnPolicyBody | null;

  @ApiProperty({ description: 'Information for pages. What is sold here are products.' })
  @mayList(StatedOfferBody, () => true, texts.localized('eventBody.offersInvalid'))
  offers?: StatedOfferBody[] | null;
}

const modes: string[] = Object.values(attendanceModes);
const languagesLimit = { entries: detailTexts.languages, each: detailTexts.language };

/** Members of schema.org Event that pages show; null removes a value. */
export class EventDetailMembers {
  @may('isDoorTime', isTimeOrInstant, texts.localized('eventBody.doorTimeInvalid'), {
    type: String,
    description: 'When the doors open: a date and time, or a time on the day of the start. It moves with the start.',
  })
  doorTime?: string | null;

  @may('isDuration', (value) => secondsOf(value) !== undefined, texts.localized('eventBody.durationInvalid'), {
    type: String,
    description: 'How long it lasts: ISO 8601, such as `PT2H`, in whole minutes. Without endDate it also gives the end.',
    example: 'PT2H',
  })
  duration?: string | null;

  @may('isAttendanceMode', (value) => modes.includes(value as string), texts.localized('eventBody.attendanceInvalid'), {
    type: String,
    enum: modes,
  })
  eventAttendanceMode?: string | null;

  @ApiProperty({ description: 'Who performs; also one object, or names as texts.' })
  @mayList(NamedThingBody, () => true, texts.localized('eventBody.namesInvalid'))
  performer?: NamedThingBody[] | null;

  @ApiProperty({ description: 'Also a text; of a list the first.' })
  @mayHold(NamedThingBody)
  organizer?: NamedThingBody | null;

  @may('isTextList', (value) => isTextList(value, languagesLimit), texts.localized('eventBody.languagesInvalid'))
  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: languagesLimit.each },
    maxItems: languagesLimit.entries,
    description: 'Codes or names of languages; also one text.',
  })
  inLanguage?: string[] | null;

  @may('isBoolean', (value) => typeof value === 'boolean', texts.localized('eventBody.notBoolean'), { type: Boolean })
  isAccessibleForFree?: boolean | null;

  @ApiProperty({ description: 'Such as `7-12` or `18-`.' })
  @optionalText(eventTexts.ageRange)
  typicalAgeRange?: string | null;

  @ApiProperty({ description: 'How people with disabilities get in and follow it.' })
  @optionalText(eventTexts.access)
  accessibilitySummary?: string | null;
}
