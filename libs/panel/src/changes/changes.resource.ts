import { Change, recordedTables, TenantDb } from '#tenancy';
import type { PanelEntry, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { declareProperties, entityReader, inEachLanguage, PanelResource } from '#panel-kit';
import { withStaff } from '../users/staff.reader.js';
import type { ShownChange } from './change-names.js';
import { ChangeSentences } from './change-sentences.js';
import { changeWords } from './changes.words.js';

/** Records of the list, beside those of the tenant's tables. */
const alsoRecorded = ['api_key', 'tenant', 'change'];
const objects = [...Object.entries(recordedTables).flatMap(([table, { of }]) => (of ? [] : table)), ...alsoRecorded];
const kinds = [...new Set(Object.values(recordedTables).map(({ kind }) => kind)), 'record'];

/** The record of changes: who changed what, the newest first. */
@PanelResource({ panels: 'tenant', position: 194 })
export class ChangesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly sentences: ChangeSentences,
  ) {}

  entry(): PanelEntry {
    const { db } = this;
    const declared = declareProperties(
      {
        // With the hash, so that the addresses of one venue's changes open nothing in the panel of another.
        id: { isId: true, sort: false, show: 7, sql: `concat(change.position, '-', substr(encode(change.hash, 'hex'), 1, 12))` },
        position: { hidden: true, isId: false },
        at: { list: true, show: true, filter: true, export: true },
        sentence: { isTitle: true, sort: false, filter: false, list: true, show: true, export: true },
        actor: { type: 'string', sort: false, filter: false, show: true, export: true, sql: 'change.actor' },
        staff: { sort: false, filter: true },
        object: { availableValues: objects, sort: false, show: true, filter: true, export: true },
        kind: { availableValues: kinds, sort: false, show: true, filter: true, export: true },
        record: { sort: false, show: true, filter: 5, export: true },
        action: { hidden: true },
        fields: { hidden: true },
        content: { hidden: true },
        userId: { hidden: true, sql: `case when change.actor ->> 'kind' = 'person' then change.actor ->> 'id' end` },
      },
      { entity: Change, alias: 'change' },
    );
    const reader = withStaff(
      db,
      entityReader({
        ...declared.reading,
        open: (work) => db.transaction(work),
        // The order of the chain is that of the times, and has an index.
        sort: { by: 'position', direction: 'desc' },
      }),
    );
    const source: PanelSource = {
      id: 'changes',
      properties: declared.properties,
      count: (filter) => reader.count(filter),
      find: async (query) =>
        this.written(await reader.find({ ...query, sort: query.sort?.by === 'at' ? { ...query.sort, by: 'position' } : query.sort })),
      findMany: async (ids) => this.written(await reader.findMany(ids)),
      findOne: async (id) => {
        if (!/^\d{1,15}-[0-9a-f]{12}$/.test(id)) return null;
        // By its position, which has an index.
        const position = { kind: 'equals', value: Number.parseInt(id, 10) } as const;
        const [row] = await reader.find({ filter: { position }, sort: null, limit: 1, offset: 0 });
        return row?.['id'] === id ? ((await this.written([row]))[0] ?? null) : null;
      },
    };
    return {
      source,
      group: 'settings',
      icon: 'FileText',
      ...declared.places,
      sort: { by: 'at', direction: 'desc' },
      words: inEachLanguage((language) => {
        const { plural, singular, properties, messages, names, kinds: kindNames } = changeWords[language];
        return { plural, singular, properties, messages, values: { object: capitalised(names), kind: kindNames } };
      }),
    };
  }

  /** Rows with sentences in place of what they are written from. */
  private async written(rows: readonly PanelRow[]): Promise<PanelRow[]> {
    const written = await this.sentences.of(rows as unknown as ShownChange[]);
    return rows.map(({ id, at, object, kind, record }, index) => ({
      id: String(id),
      at: at ?? null,
      object: object ?? null,
      kind: kind ?? null,
      record: record ?? null,
      ...written[index],
    }));
  }
}

const capitalised = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([key, name]) => [key, `${name.charAt(0).toUpperCase()}${name.slice(1)}`]));
