import { columnName } from '#tenancy';
import { getMetadataArgsStorage } from 'typeorm';
import type { Event } from '../entities/event.entity.js';
import type { PostalAddress } from '../entities/postal-address.entity.js';
import { PublicEventColumns } from '../entities/public-event-columns.js';
import { lastChangeOf, type WholeEvent } from './whole-event.js';

export type PublicAddress = Omit<PostalAddress, 'id' | 'isMain' | 'updatedAt' | 'image' | 'imageId' | 'stickerImage' | 'stickerImageId'>;

/** Further columns with the same values, which differ in their defaults and indexes. */
const furtherColumns = { slug: 'text', category: 'text', startsAt: 'timestamptz', createdAt: 'timestamptz' } as const;

type ShownColumns = Readonly<PublicEventColumns & Pick<Event, keyof typeof furtherColumns>>;

/** What everybody may read of an event in lists, feeds and calendars, from its tenant or from a network; without the long description. */
export interface PublicEvent extends ShownColumns {
  readonly id: string;
  readonly postalAddress: PublicAddress | null;
  /** It was published and then cancelled. */
  readonly isCancelled: boolean;
  /** The small image, else the large one. */
  readonly pictureId: string | null;
  /** Last change of anything that is shown. */
  readonly updatedAt: Date;
}

interface PublicColumn {
  /** Its property. */
  readonly name: keyof ShownColumns;
  /** Its name in the database. */
  readonly column: string;
  readonly type: string;
}

const inherited = getMetadataArgsStorage()
  .columns.filter(({ target }) => target === PublicEventColumns)
  .map(({ propertyName, options }): [string, unknown] => [propertyName, options.type]);

/** The columns that all lists read, in one order. */
export const publicColumns = [...inherited, ...Object.entries(furtherColumns)].map(
  ([name, type]) => ({ name, column: columnName(name), type }) as PublicColumn,
);

const instants = new Set<string>([...publicColumns.filter(({ type }) => type === 'timestamptz').map(({ name }) => name), 'updatedAt']);

/** A row with its instants as numbers: JSON has no instants, and its text of years beyond 9999 cannot be parsed. */
export type InMilliseconds<Row> = { readonly [Name in keyof Row]: Exclude<Row[Name], Date> | (Date extends Row[Name] ? number : never) };

/** A row that the database wrote as JSON, with its instants in milliseconds. */
export function publicEventFrom<Row extends PublicEvent>(row: InMilliseconds<Row>): Row {
  const read = ([name, value]: [string, unknown]): [string, unknown] => [
    name,
    typeof value === 'number' && instants.has(name) ? new Date(value) : value,
  ];
  return Object.fromEntries(Object.entries(row).map(read)) as unknown as Row;
}

/** The columns of an event that everybody may read, and no others. */
export function publicColumnsOf(event: Event): ShownColumns {
  return Object.fromEntries(publicColumns.map(({ name }) => [name, event[name]])) as unknown as ShownColumns;
}

/** What everybody may read of an event that is loaded. @param isCancelled it was published and then cancelled */
export function publicEventOf(event: WholeEvent, isCancelled: boolean): PublicEvent {
  const { id, postalAddress, stickerImageId, imageId } = event;
  const pictureId = stickerImageId ?? imageId;
  return { ...publicColumnsOf(event), id, postalAddress, isCancelled, pictureId, updatedAt: lastChangeOf(event) };
}
