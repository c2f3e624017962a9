import type { Tx } from '#tenancy';
import { Raw, type FindOperator } from 'typeorm';
import { Event } from '../event.entity.js';
import { EventOption, type EventOptionKind } from './event-option.entity.js';
import { EventTag } from './tag.entity.js';

/** An event with everything that is shown of it: address, parent, pictures, tags, options. */
export type WholeEvent = Event & {
  /** In alphabetical order. */
  readonly keywords: readonly string[];
  /** In the order in which they were given. */
  readonly options: readonly EventOption[];
};

/** @returns those of these events that exist, in the order of the ids */
export async function loadWhole(tx: Tx, ids: readonly string[]): Promise<WholeEvent[]> {
  if (ids.length === 0) return [];
  const events = await tx.find(Event, {
    where: { id: anyOf(ids) },
    relations: { postalAddress: true, superEvent: true, image: true, stickerImage: true },
  });
  const tags = await tx.find(EventTag, { where: { eventId: anyOf(ids) }, relations: { tag: true } });
  const options = await tx.find(EventOption, { where: { eventId: anyOf(ids) }, order: { position: 'ASC' } });
  const byId = new Map(events.map((event) => [event.id, event]));
  const tagsOf = byEvent(tags);
  const optionsOf = byEvent(options);
  return ids.flatMap((id) => {
    const event = byId.get(id);
    if (!event) return [];
    const keywords = (tagsOf.get(id) ?? [])
      .map(({ tag }) => tag)
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
    return [Object.assign(event, { keywords: keywords.map(({ name }) => name), options: optionsOf.get(id) ?? [] })];
  });
}

/** One parameter, however many ids: a statement takes 65,535. */
export function anyOf(ids: readonly string[]): FindOperator<string> {
  return Raw((column) => `${column} = any(:ids)`, { ids });
}

function byEvent<Row extends { eventId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.eventId);
    if (group) group.push(row);
    else groups.set(row.eventId, [row]);
  }
  return groups;
}

export function optionNames(event: WholeEvent, kind: EventOptionKind): string[] {
  return event.options.filter((option) => option.kind === kind).map(({ name }) => name);
}

/** The last moment at which something that is shown of an event changed. */
export function lastChangeOf({ updatedAt, postalAddress, superEvent }: WholeEvent): Date {
  const changes = [updatedAt, postalAddress?.updatedAt, superEvent?.updatedAt];
  return new Date(Math.max(...changes.map((change) => change?.getTime() ?? 0)));
}
