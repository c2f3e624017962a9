import { eventCategories, eventSchemaTypes, type EventCategory, type WholeEvent } from '#catalogue';
import { folded } from '../shared/folded.js';
import type { EventMembers } from './event-body.dto.js';

const categories = Object.keys(eventCategories) as EventCategory[];
const byLabel = new Map(
  categories.flatMap((category) =>
    Object.values(eventCategories[category]).map((label): [string, EventCategory] => [folded(label), category]),
  ),
);
/** Category by schema.org type. The type `Event` is omitted, because two categories use it. */
const byType = new Map(
  categories.filter((category) => eventSchemaTypes[category] !== 'Event').map((category) => [folded(eventSchemaTypes[category]), category]),
);

/**
 * The category of `@type` and `additionalType` (decisions 9). The label in `additionalType` takes precedence. Without a known value the
 * event is a workcamp, or volunteering when it has a parent.
 * @param current the event to be changed; its category does not change when both members are absent (undefined)
 */
export function toCategory(body: EventMembers, current?: WholeEvent): EventCategory | undefined {
  const { '@type': type, additionalType: label, superEvent } = body;
  if (current && type === undefined && label === undefined) return undefined;
  const labelled = label ? byLabel.get(folded(label)) : undefined;
  if (labelled) return labelled;
  const typed = type === undefined && current ? eventSchemaTypes[current.category] : type;
  const known = typed ? byType.get(folded(typed.replace(/^(https?:\/\/schema\.org\/|schema:)/i, ''))) : undefined;
  if (known) return known;
  return (superEvent === undefined ? current?.superEventId : superEvent) ? 'ACT' : 'CHT';
}
