import { eventTexts, type EventOptionChange, type EventOptionKind, type NewEventOption } from '#catalogue';
import { may, must, optionalWhole, text, whenSent } from '#kernel';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel } from '#http';
import { Allow } from 'class-validator';
import { asAnswered } from '../shared/answered-members.js';
import { texts } from '../locales/semantic-v2.texts.js';

const longestName = eventTexts.radioOptions.each;

/** Optional members of an option. */
class OptionMembers {
  @ApiProperty({ description: 'Its place among the options of its kind. Without it the last one.' })
  @optionalWhole(1)
  order?: number | null;

  @ApiProperty({ type: Boolean, default: true })
  @may('isBoolean', (value) => typeof value === 'boolean', texts.localized('eventOptionBody.notBoolean'))
  published?: boolean | null;
}

/** Body of `POST /api/v2/events/<key>/options/`. */
@ApiModel('NewEventOption', { example: { kind: 'checkbox', name: 'Vegetarian' } })
export class NewOptionBody extends OptionMembers {
  @ApiProperty({ enum: ['radio', 'checkbox'], description: 'Who books chooses one radio option, and any checkbox options.' })
  @must('isOptionKind', (value) => value === 'radio' || value === 'checkbox', texts.localized('eventOptionBody.kindInvalid'))
  kind!: EventOptionKind;

  @text(1, longestName)
  name!: string;
}

/** Body of `PATCH /api/v2/events/<key>/options/<uuid>/`, a JSON merge patch: absent members do not change. */
@ApiModel('EventOptionChange', { example: { name: 'Vegan', order: 1 } })
export class OptionChangeBody extends OptionMembers {
  @whenSent()
  @text(1, longestName)
  name?: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: asAnswered })
  @Allow()
  identifier?: unknown;

  @ApiProperty({ enum: ['radio', 'checkbox'], required: false, description: asAnswered })
  @Allow()
  kind?: unknown;
}

/** @param body a validated body */
export function toOptionChange({ name, order, published }: OptionChangeBody): EventOptionChange {
  return {
    ...(name !== undefined && { name }),
    ...(order !== undefined && { order }),
    ...(published !== undefined && { published: published ?? true }),
  };
}

/** Maps a validated body to a new option. */
export function toNewOption(body: NewOptionBody): NewEventOption {
  return { ...toOptionChange(body), kind: body.kind, name: body.name };
}
