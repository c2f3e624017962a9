import { grouped, inOrderOf } from '#kernel';
import { anyOf, rowsById, type Tx } from '#tenancy';
import { Event } from '../entities/event.entity.js';
import { EventSeries } from '../entities/event-series.entity.js';
import { Image } from '../images/image.entity.js';
import { PostalAddress } from '../entities/postal-address.entity.js';
import type { EventOption, EventOptionKind } from '../entities/event-option.entity.js';

/** An event with all related data that is shown: address, parent, series, images, tags, options. */
export type WholeEvent = Event & {
  /** In alphabetical order. */
  readonly keywords: readonly string[];
  /** Radio options first, published ones first, in their stored order. */
  readonly options: readonly EventOption[];
  readonly series: EventSeries | null;
};

/** Loads events with at most seven statements. @returns those of these events that exist, in the order of the ids */
export async function loadWhole(tx: Tx, ids: readonly string[]): Promise<WholeEvent[]> {
  if (ids.length === 0) return [];
  const events = await tx.find(Event, { where: { id: anyOf(ids) } });
  // Events share addresses, parents and images: each is read once.
  const addresses = await rowsById(
    tx,
    PostalAddress,
    events.map(({ postalAddressId }) => postalAddressId),
  );
  const parents = await rowsById(
    tx,
    Event,
    events.map(({ superEventId }) => superEventId),
  );
  const images = await rowsById(
    tx,
    Image,
    events.flatMap(({ imageId, stickerImageId }) => [imageId, stickerImageId]),
  );
  const series = await rowsById(
    tx,
    EventSeries,
    events.map(({ seriesId }) => seriesId),
  );
  const tags = await tx.query<TagRow[]>(
    `select event_tag.event_id as "eventId", tag.name from event_tag join tag on tag.id = event_tag.tag_id
     where event_tag.event_id = any($1) order by tag.key collate "C"`,
    [ids],
  );
  const options = await tx.query<EventOption[]>(
    `select id, event_id as "eventId", kind, name, published, position from event_option
     where event_id = any($1) order by kind desc, published desc, position, name`,
    [ids],
  );
  const [tagsOf, optionsOf] = [grouped(tags, ({ eventId }) => eventId), grouped(options, ({ eventId }) => eventId)];
  const one = <Row>(rows: ReadonlyMap<string, Row>, id: string | null): Row | null => (id === null ? null : (rows.get(id) ?? null));
  return inOrderOf(ids, events).map((event) =>
    Object.assign(event, {
      postalAddress: one(addresses, event.postalAddressId),
      superEvent: one(parents, event.superEventId),
      image: one(images, event.imageId),
      stickerImage: one(images, event.stickerImageId),
      series: one(series, event.seriesId),
      keywords: (tagsOf.get(event.id) ?? []).map(({ name }) => name),
      options: optionsOf.get(event.id) ?? [],
    }),
  );
}

interface TagRow {
  readonly eventId: string;
  readonly name: string;
}

/** Names of the published options of a kind. */
export function optionNames(event: WholeEvent, kind: EventOptionKind): string[] {
  return event.options.filter((option) => option.published && option.kind === kind).map(({ name }) => name);
}

/** The last change of anything that is shown of an event. */
export function lastChangeOf({ updatedAt, postalAddress, series }: WholeEvent): Date {
  return new Date(Math.max(...[updatedAt, postalAddress?.updatedAt, series?.updatedAt].map((at) => at?.getTime() ?? 0)));
}
