import { foldedSql, searchWords } from '#kernel';
import type { Tx } from '#tenancy';
import type { EntityTarget, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { PanelFilter, PanelQuery, PanelRow, PanelSort, PanelSource, PanelValue, SearchQuery } from './panel-source.js';
import { searchProperty, wordConditions } from './searched.js';
import type { Searched } from './searched.js';

type Query = SelectQueryBuilder<ObjectLiteral>;

/** Describes how to read the rows of a resource: one statement per page. */
export interface Reading {
  /** Opens the transaction: the tenant's, or one on the shared schema. */
  open: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  entity: EntityTarget<ObjectLiteral>;
  /** Alias of the entity in the SQL expressions. */
  alias: string;
  /** SQL of each property; the identifier must be first. `alias.property` uses the entity's property names. */
  columns: Readonly<Record<string, string>>;
  /** Adds the joins that the expressions need. Every join must match one row at most. */
  joins?: (query: Query) => Query;
  /**
   * Condition that limits the rows, and values of its parameters. Data from another schema is read first and passed as a parameter, not
   * joined.
   */
  where?: string;
  parameters?: (tx: Tx) => ObjectLiteral | Promise<ObjectLiteral>;
  /** Where searches look; absent: the resource is not searched. */
  searched?: Searched;
  /** The default order; the column must not be nullable and should have an index. */
  sort: PanelSort;
}

/** Maximum that is counted, so that a log of millions of rows is not read completely. */
const COUNT_AT_MOST = 10_000;

type RowReader = Pick<PanelSource, 'find' | 'count' | 'findOne' | 'findMany'>;

const toValue = (value: unknown): PanelValue => (value instanceof Date ? value.toISOString() : ((value ?? null) as PanelValue));

const toRow = (raw: ObjectLiteral): PanelRow => Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, toValue(value)]));

/** Requires every word of a search, in any order, ignoring case and accents. */
function narrowByWords(query: Query, searched: Searched, text: string, prefix = ''): void {
  for (const { any, parameters } of wordConditions(searched, searchWords(text), prefix)) query.andWhere(any, parameters);
}

function narrow(query: Query, { columns, searched }: Reading, filter: PanelFilter): Query {
  for (const [name, condition] of Object.entries(filter)) {
    if (name === searchProperty.name && searched && condition.kind === 'contains') {
      narrowByWords(query, searched, condition.text, name);
      continue;
    }
    const column = columns[name];
    if (!column) continue;
    if (condition.kind === 'contains') {
      narrowByWords(query, { own: [foldedSql(column)], ids: [] }, condition.text, name);
    } else if (condition.kind === 'equals') {
      query.andWhere(`${column} = :${name}`, { [name]: condition.value });
    } else if (condition.kind === 'among') {
      query.andWhere(`${column} = any(:${name})`, { [name]: condition.values });
    } else {
      const { from, to } = condition;
      if (from) query.andWhere(`${column} >= :${name}From`, { [`${name}From`]: new Date(from) });
      if (to) query.andWhere(`${column} <= :${name}To`, { [`${name}To`]: new Date(to) });
    }
  }
  return query;
}

/** The reading methods of a {@link PanelSource}. Rows that are equal in the order are ordered by identifier. */
export function entityReader(reading: Reading): RowReader & {
  search: (query: SearchQuery) => Promise<PanelRow[]>;
  /** The sum of a column over all rows that match a filter, as decimal text. */
  sumOf: (column: string, filter: PanelFilter) => Promise<string>;
  /** The same for each value of another column; values whose sum is 0 are left out. */
  sumsOf: (column: string, by: string, filter: PanelFilter) => Promise<{ value: string; sum: string }[]>;
} {
  const { open, entity, alias, columns, sort, searched } = reading;
  const [[id, idColumn] = ['', '']] = Object.entries(columns);

  const from = async (tx: Tx): Promise<Query> => {
    const parameters = (await reading.parameters?.(tx)) ?? {};
    const query = tx.createQueryBuilder().select([]).from(entity, alias);
    reading.joins?.(query);
    return query.where(reading.where ?? 'true').setParameters(parameters);
  };
  const rows = async (query: Query, only?: ReadonlySet<string>): Promise<PanelRow[]> => {
    for (const [name, column] of Object.entries(columns)) if (only?.has(name) ?? true) query.addSelect(column, name);
    return (await query.getRawMany<ObjectLiteral>()).map(toRow);
  };
  const byIds = (ids: readonly string[]): Promise<PanelRow[]> =>
    open(async (tx) => rows((await from(tx)).andWhere(`${idColumn} in (:...ids)`, { ids })));

  return {
    find: (query: PanelQuery) =>
      open(async (tx) => {
        const { by, direction } = query.sort && columns[query.sort.by] ? query.sort : sort;
        const way = direction === 'desc' ? 'DESC' : 'ASC';
        // The default column is not nullable, and with NULLS LAST its index would not be used.
        const nulls = by === sort.by ? undefined : 'NULLS LAST';
        const page = narrow(await from(tx), reading, query.filter).orderBy(`"${by}"`, way, nulls);
        if (by !== id) page.addOrderBy(`"${id}"`, way);
        return rows(page.limit(query.limit).offset(query.offset));
      }),
    count: (filter) =>
      open(async (tx) => {
        const some = narrow(await from(tx), reading, filter)
          .select('1')
          .limit(COUNT_AT_MOST);
        const counted = tx.createQueryBuilder().select('count(*)::int', 'count').from(`(${some.getQuery()})`, 'some');
        const row = await counted.setParameters(some.getParameters()).getRawOne<{ count: number }>();
        return row?.count ?? 0;
      }),
    sumOf: (column, filter) =>
      open(async (tx) => {
        const all = narrow(await from(tx), reading, filter).select(`coalesce(sum(${columns[column]}), 0.00)::text`, 'sum');
        return (await all.getRawOne<{ sum: string }>())?.sum ?? '0.00';
      }),
    sumsOf: (column, by, filter) =>
      open(async (tx) => {
        const all = narrow(await from(tx), reading, filter).select(columns[by]!, 'value');
        all.addSelect(`sum(${columns[column]})::text`, 'sum').groupBy(columns[by]!).having(`sum(${columns[column]}) <> 0`);
        return all.orderBy('2', 'DESC').getRawMany<{ value: string; sum: string }>();
      }),
    search: ({ words, columns: wanted, limit, ownOnly, only, milliseconds }) =>
      open(async (tx) => {
        if (!searched || words.length === 0) return [];
        await tx.query(`set local statement_timeout to ${Math.ceil(milliseconds)}`);
        const conditions = wordConditions(searched, words);
        const own = `(${conditions.map((condition) => condition.own).join(' or ')})`;
        const query = (await from(tx)).addSelect(own, 'own');
        for (const { any, parameters } of conditions) query.andWhere(any, parameters);
        if (ownOnly) query.andWhere(own);
        if (only) query.andWhere(`${columns[only.column] ?? 'null'} = any(:onlyThese)`, { onlyThese: only.values });
        query.orderBy('"own"', 'DESC').addOrderBy(`"${sort.by}"`, sort.direction === 'desc' ? 'DESC' : 'ASC');
        return rows(query.addOrderBy(`"${id}"`).limit(limit), new Set([id, sort.by, ...wanted]));
      }),
    findOne: async (wanted) => (await byIds([wanted]))[0] ?? null,
    findMany: (wanted) => byIds(wanted),
  };
}

/**
 * One list of the rows of several database servers.
 * @param reader reads those of one server
 * @param sort its default order
 * @param onEach runs work on each server, see `TenantDb.onEachNode`
 * @param open opens a transaction on any server: databases order texts by their locale
 */
export function readerOfEachNode(
  reader: RowReader,
  sort: PanelSort,
  onEach: <Result>(work: () => Promise<Result>) => Promise<Result[]>,
  open: Reading['open'],
): RowReader {
  return {
    count: async (filter) => (await onEach(() => reader.count(filter))).reduce((sum, count) => sum + count, 0),
    find: async ({ offset, limit, ...query }) => {
      const found = await onEach(() => reader.find({ ...query, offset: 0, limit: offset + limit }));
      const rows = found.length === 1 ? found.flat() : await inOrderOf(found.flat(), query.sort ?? sort, open);
      return rows.slice(offset, offset + limit);
    },
    findMany: async (ids) => (await onEach(() => reader.findMany(ids))).flat(),
    findOne: async (id) => (await onEach(() => reader.findOne(id))).find((found) => found !== null) ?? null,
  };
}

const wordOf = (value: PanelValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Rows without a value are the last ones. */
async function inOrderOf(rows: PanelRow[], { by, direction }: PanelSort, open: Reading['open']): Promise<PanelRow[]> {
  const words = rows.map((row) => wordOf(row[by] ?? null));
  const sorted = await open((tx) =>
    tx.query<{ word: string }[]>('select word from unnest($1::text[]) word group by 1 order by 1', [words]),
  );
  const places = new Map(sorted.map(({ word }, place) => [word, place]));
  const placeOf = (value: PanelValue): number => (typeof value === 'number' ? value : (places.get(wordOf(value)) ?? 0));
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[by] ?? null, other[by] ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (placeOf(a) - placeOf(b));
  });
}
