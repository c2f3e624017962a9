import { eventTexts, type EventOptionChange, type EventOptionKind, type NewEventOption } from '#catalogue';
import { may, must, optionalWhole, text, whenSent } from '#kernel';
import { Allow } from 'class-validator';
import { texts } from '../locales/semantic-v2.texts.js';

const longestName = eventTexts.radioOptions.each;

/** The members of an option that may be absent. */
class OptionMembers {
  /** null: the last one. */
  @optionalWhole(1)
  order?: number | null;

  @may('isBoolean', (value) => typeof value === 'boolean', texts.localized('eventOptionBody.sendTrueFalse'))
  published?: boolean | null;
}

/** Body of `POST /api/v2/events/<key>/options/`. */
export class NewOptionBody extends OptionMembers {
  @must('isOptionKind', (value) => value === 'radio' || value === 'checkbox', texts.localized('eventOptionBody.sendRadioOneThemChosen'))
  kind!: EventOptionKind;

  @text(1, longestName)
  name!: string;
}

/** Body of `PATCH /api/v2/events/<key>/options/<uuid>/`, a JSON merge patch: what is absent stays. */
export class OptionChangeBody extends OptionMembers {
  @whenSent()
  @text(1, longestName)
  name?: string;

  /** Accepted as they were answered. */
  @Allow()
  identifier?: unknown;

  @Allow()
  kind?: unknown;
}

/** @param body whose form was checked */
export function toOptionChange({ name, order, published }: OptionChangeBody): EventOptionChange {
  return {
    ...(name !== undefined && { name }),
    ...(order !== undefined && { order }),
    ...(published !== undefined && { published: published ?? true }),
  };
}

export function toNewOption(body: NewOptionBody): NewEventOption {
  return { ...toOptionChange(body), kind: body.kind, name: body.name };
}
