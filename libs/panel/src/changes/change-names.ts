import { Injectable } from '@nestjs/common';
import { anyOf, ApiKey, currentTenant, peopleNames, TenantDb, type Change, type ChangeActor, type ChangeEntry } from '#tenancy';
import { staffNames } from '../users/staff.reader.js';

/** The parts of a row of the record that people read. */
export type ShownChange = Pick<Change, 'position' | 'at' | 'object' | 'record' | 'action' | 'fields' | 'actor' | 'content'>;

/** Names that the record has by reference. */
export interface ChangeNames {
  /** Names of people, keys and devices by id; undefined: it does not exist any more. */
  readonly makers: ReadonlyMap<unknown, string>;
  /** Names of records by id. */
  readonly records: ReadonlyMap<unknown, string>;
}

/** Tables by the columns that refer to them. */
const referred: Readonly<Record<string, string>> = {
  event_id: 'event',
  super_event_id: 'event',
  series_id: 'event_series',
  product_id: 'product',
  required_membership_id: 'product',
  price_id: 'price',
  tag_id: 'tag',
  gate_id: 'gate',
  postal_address_id: 'postal_address',
};

/** What operators and colleagues do names people, and invitations, by these. */
const ofPeople: ReadonlySet<string> = new Set(['user', 'invitation']);

/** SQL: names by id, of one table. */
const namesSql = (table: string): string => `select id::text as id, name from ${table} where id::text = any($1)`;
const tables = [...new Set(Object.values(referred)), 'scanning_device'];

/** Looks up the names that the record of changes has by reference, in a few statements for a whole page of it. */
@Injectable()
export class ChangeNamesReader {
  constructor(private readonly db: TenantDb) {}

  async of(changes: readonly ShownChange[]): Promise<ChangeNames> {
    const actors = changes.map(({ actor }) => actor);
    const ids = (kind: ChangeActor['kind']): string[] => actors.flatMap((actor) => (actor.kind === kind ? (actor.id ?? []) : []));
    const entries = changes.flatMap(({ content }) => content ?? []);
    const people = await staffNames(this.db, ids('person'));
    const keys = await this.keys(ids('key'));
    const references = entries.flatMap(referencesOf);
    const records = await this.records([...new Set([...references, ...ids('device')])]);
    const named = await this.db.shared((tx) => peopleNames(tx, currentTenant().id, references));
    return { makers: new Map([...people, ...keys, ...records]), records: new Map([...records, ...named]) };
  }

  private async keys(ids: readonly string[]): Promise<Map<unknown, string>> {
    if (ids.length === 0) return new Map();
    const select = { id: true, name: true };
    const keys = await this.db.shared((tx) => tx.find(ApiKey, { select, where: { id: anyOf([...new Set(ids)]) } }));
    return new Map(keys.map(({ id, name }) => [id, name]));
  }

  private async records(ids: readonly string[]): Promise<Map<unknown, string>> {
    if (ids.length === 0) return new Map();
    const found = await this.db.transaction((tx) =>
      tx.query<{ id: string; name: string | null }[]>(tables.map(namesSql).join(' union all '), [ids]),
    );
    return new Map(found.map(({ id, name }) => [id, name ?? '']));
  }
}

/** Whether a column refers to a record that has a name. */
export const isReference = (column: string): boolean => column in referred || ofPeople.has(column);

function referencesOf({ before, after }: ChangeEntry): string[] {
  return [before, after].flatMap((values) =>
    Object.entries(values).flatMap(([column, value]) => (isReference(column) && value !== null ? String(value) : [])),
  );
}
