import { eventCategories, eventSchemaTypes, type EventCategory, type WholeEvent } from '#catalogue';
import { folded } from '../shared/folded.js';
import type { EventMembers } from './event-body.dto.js';

const categories = Object.keys(eventCategories) as EventCategory[];
const byLabel = new Map(
  categories.flatMap((category) =>
    Object.values(eventCategories[category]).map((label): [string, EventCategory] => [folded(label), category]),
  ),
);
/** `Event` itself says nothing: two categories are shown as it. */
const byType = new Map(
  categories.filter((category) => eventSchemaTypes[category] !== 'Event').map((category) => [folded(eventSchemaTypes[category]), category]),
);

/**
 * The category that `@type` and `additionalType` name (decisions 9): the label wins; a type that is not known, or none, is a workcamp,
 * and volunteering when the event has a parent.
 * @param current the event that is changed; without either member its category stays: undefined
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
