import type { Tx } from '#tenancy';
import { Raw, type EntityTarget, type FindOperator, type FindOptionsWhere } from 'typeorm';
import { Event } from '../event.entity.js';
import { Image } from '../images/image.entity.js';
import { PostalAddress } from '../postal-address.entity.js';
import type { EventOption, EventOptionKind } from './event-option.entity.js';

/** An event with everything that is shown of it: address, parent, pictures, tags, options. */
export type WholeEvent = Event & {
  /** In alphabetical order. */
  readonly keywords: readonly string[];
  /** In the order in which they were given. */
  readonly options: readonly EventOption[];
};

/** @returns those of these events that exist, in the order of the ids; six statements at most, however many they are */
export async function loadWhole(tx: Tx, ids: readonly string[]): Promise<WholeEvent[]> {
  if (ids.length === 0) return [];
  const events = await tx.find(Event, { where: { id: anyOf(ids) } });
  // Many events share an address, a parent, a picture: each is read once, not once for each of them.
  const addresses = await byId(tx, PostalAddress, events.map(({ postalAddressId }) => postalAddressId)); // prettier-ignore
  const parents = await byId(tx, Event, events.map(({ superEventId }) => superEventId)); // prettier-ignore
  const images = await byId(tx, Image, events.flatMap(({ imageId, stickerImageId }) => [imageId, stickerImageId])); // prettier-ignore
  const tags = await tx.query<TagRow[]>(
    `select event_tag.event_id as "eventId", tag.name from event_tag join tag on tag.id = event_tag.tag_id
     where event_tag.event_id = any($1) order by tag.key collate "C"`,
    [ids],
  );
  const options = await tx.query<EventOption[]>(
    `select id, event_id as "eventId", kind, name, position from event_option where event_id = any($1) order by position`,
    [ids],
  );
  const found = new Map(events.map((event) => [event.id, event]));
  const [tagsOf, optionsOf] = [byEvent(tags), byEvent(options)];
  const one = <Row>(rows: ReadonlyMap<string, Row>, id: string | null): Row | null => (id === null ? null : (rows.get(id) ?? null)); // prettier-ignore
  return ids.flatMap((id) => {
    const event = found.get(id);
    if (!event) return [];
    const parts = {
      postalAddress: one(addresses, event.postalAddressId),
      superEvent: one(parents, event.superEventId),
      image: one(images, event.imageId),
      stickerImage: one(images, event.stickerImageId),
      keywords: (tagsOf.get(id) ?? []).map(({ name }) => name),
      options: optionsOf.get(id) ?? [],
    };
    return [Object.assign(event, parts)];
  });
}

interface TagRow {
  readonly eventId: string;
  readonly name: string;
}

async function byId<Row extends { id: string }>(
  tx: Tx,
  entity: EntityTarget<Row>,
  wanted: readonly (string | null)[],
): Promise<ReadonlyMap<string, Row>> {
  const ids = [...new Set(wanted.filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await tx.find(entity, { where: { id: anyOf(ids) } as FindOptionsWhere<Row> });
  return new Map(rows.map((row) => [row.id, row]));
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
