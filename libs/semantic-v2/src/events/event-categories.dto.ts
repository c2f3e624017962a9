import { ApiProperty } from '@nestjs/swagger';
import {
  eventCategoryLabels,
  eventCategories,
  eventSchemaTypes,
  eventTypes,
  kindredSchemaTypes,
  type EventCategory,
  type WholeEvent,
} from '#catalogue';
import { isPlainText, isTextList, may } from '#kernel';
import { folded } from '../shared/folded.js';
import { texts } from '../locales/semantic-v2.texts.js';

/** The members of a body that name the kind of an event. */
export interface KindMembers {
  readonly '@type'?: TypeNames | null;
  readonly additionalType?: TypeNames | null;
  readonly superEvent?: unknown;
}
export type TypeNames = string | readonly string[];

const categories = Object.keys(eventCategories) as EventCategory[];
const byLabel = new Map(
  categories.flatMap((category) =>
    Object.values(eventCategories[category]).map((label): [string, EventCategory] => [folded(label), category]),
  ),
);
/** Category by schema.org type. The type `Event` is omitted, because two categories use it. */
const byType = new Map(
  [...categories.map((category) => [eventSchemaTypes[category], category] as const), ...Object.entries(kindredSchemaTypes)]
    .filter(([type]) => type !== 'Event')
    .map(([type, category]) => [folded(type), category]),
);

const namesLimit = { entries: 20, each: 200 };

/** A member that is the name of a type, or a list of names. */
function mayNameTypes(description: string): PropertyDecorator {
  return (target, name) => {
    const each = { type: 'string', maxLength: namesLimit.each };
    ApiProperty({ anyOf: [each, { type: 'array', items: each, maxItems: namesLimit.entries }], description })(target, name);
    may(
      'isTypeNames',
      (value) => isPlainText(value, 0, namesLimit.each) || isTextList(value, namesLimit),
      texts.localized('eventBody.typeInvalid'),
    )(target, name);
  };
}

export const mayBeType = (): PropertyDecorator =>
  mayNameTypes(
    `Of schema.org, in any case; of several names, the first that is known: ${eventTypes.join(', ')}. Others are taken for CHT.`,
  );

export const mayBeAdditionalType = (): PropertyDecorator =>
  mayNameTypes(`A label, which wins over @type: ${eventCategoryLabels.join(', ')}; or a type of schema.org where @type is none of these.`);

/**
 * The category of `@type` and `additionalType` (decisions 9). The label in `additionalType` takes precedence. Without a known value the
 * event is a workcamp, or volunteering when it has a parent.
 * @param current the event to be changed; its category does not change when both members are absent (undefined)
 */
export function toCategory(body: KindMembers, current?: WholeEvent): EventCategory | undefined {
  const { '@type': type, additionalType: label, superEvent } = body;
  if (current && type === undefined && label === undefined) return undefined;
  const typed = type === undefined && current ? eventSchemaTypes[current.category] : type;
  const known = firstOf(label, byLabel) ?? firstOf(typed, byType) ?? firstOf(label, byType);
  return known ?? ((superEvent === undefined ? current?.superEventId : superEvent) ? 'ACT' : 'CHT');
}

function firstOf(names: TypeNames | null | undefined, known: ReadonlyMap<string, EventCategory>): EventCategory | undefined {
  return [names ?? []]
    .flat()
    .map((name) => known.get(folded(name.replace(/^\s*(https?:\/\/(www\.)?schema\.org\/|schema:)/i, ''))))
    .find((category) => category !== undefined);
}
