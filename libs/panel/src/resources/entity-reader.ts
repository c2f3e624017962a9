import type { Tx } from '#tenancy';
import type { EntityTarget, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { PanelFilter, PanelQuery, PanelRow, PanelSort, PanelSource, PanelValue } from '../panel-source.js';

type Query = SelectQueryBuilder<ObjectLiteral>;

/** How the rows of a resource are read: one statement a page, whatever it shows. */
export interface Reading {
  /** The transaction to read in: that of the tenant, or of the shared schema. */
  open: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  entity: EntityTarget<ObjectLiteral>;
  /** How the entity is called in the expressions. */
  alias: string;
  /** SQL of each property, first the identifier's; `alias.property` is written as in the entity. */
  columns: Readonly<Record<string, string>>;
  /** Adds what else the expressions name. Every join must find one row at most. */
  joins?: (query: Query) => Query;
  /** Which rows there are at all, and the values that the expressions name. */
  where?: string;
  parameters?: () => ObjectLiteral;
  /** By a column that is never null, best one with an index. */
  sort: PanelSort;
}

/** Counting stops here: nobody leafs through more, and a log of millions would be read from end to end. */
const COUNT_AT_MOST = 10_000;

const toValue = (value: unknown): PanelValue =>
  value instanceof Date ? value.toISOString() : ((value ?? null) as PanelValue);

const toRow = (raw: ObjectLiteral): PanelRow =>
  Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, toValue(value)]));

/** The pattern of texts that contain this one, whatever signs it is made of. */
const pattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function narrow(query: Query, columns: Reading['columns'], filter: PanelFilter): Query {
  for (const [name, condition] of Object.entries(filter)) {
    const column = columns[name];
    if (!column) continue;
    if (condition.kind === 'contains') {
      query.andWhere(`${column} ilike :${name}`, { [name]: pattern(condition.text) });
    } else if (condition.kind === 'equals') {
      query.andWhere(`${column} = :${name}`, { [name]: condition.value });
    } else {
      const { from, to } = condition;
      if (from) query.andWhere(`${column} >= :${name}From`, { [`${name}From`]: new Date(from) });
      if (to) query.andWhere(`${column} <= :${name}To`, { [`${name}To`]: new Date(to) });
    }
  }
  return query;
}

/** The reading half of a {@link PanelSource}. Several records of one list may be equal in its order; the identifier decides. */
export function entityReader(reading: Reading): Pick<PanelSource, 'find' | 'count' | 'findOne' | 'findMany'> & {
  /** The sum of a column over all rows that a filter leaves; decimal text. */
  sumOf: (column: string, filter: PanelFilter) => Promise<string>;
} {
  const { open, entity, alias, columns, sort } = reading;
  const [[id, idColumn] = ['', '']] = Object.entries(columns);

  const from = (tx: Tx): Query => {
    const query = tx.createQueryBuilder().select([]).from(entity, alias);
    reading.joins?.(query);
    query.where(reading.where ?? 'true').setParameters(reading.parameters?.() ?? {});
    return query;
  };
  const rows = async (query: Query): Promise<PanelRow[]> => {
    for (const [name, column] of Object.entries(columns)) query.addSelect(column, name);
    return (await query.getRawMany<ObjectLiteral>()).map(toRow);
  };
  const byIds = (ids: readonly string[]): Promise<PanelRow[]> =>
    open((tx) => rows(from(tx).andWhere(`${idColumn} in (:...ids)`, { ids })));

  return {
    find: (query: PanelQuery) =>
      open((tx) => {
        const { by, direction } = query.sort && columns[query.sort.by] ? query.sort : sort;
        const way = direction === 'desc' ? 'DESC' : 'ASC';
        // What a list starts with is never null, and said so its index would not serve.
        const nulls = by === sort.by ? undefined : 'NULLS LAST';
        const page = narrow(from(tx), columns, query.filter).orderBy(`"${by}"`, way, nulls);
        if (by !== id) page.addOrderBy(`"${id}"`, way);
        return rows(page.limit(query.limit).offset(query.offset));
      }),
    count: (filter) =>
      open(async (tx) => {
        const some = narrow(from(tx), columns, filter).select('1').limit(COUNT_AT_MOST);
        const counted = tx.createQueryBuilder().select('count(*)::int', 'count').from(`(${some.getQuery()})`, 'some');
        const row = await counted.setParameters(some.getParameters()).getRawOne<{ count: number }>();
        return row?.count ?? 0;
      }),
    sumOf: (column, filter) =>
      open(async (tx) => {
        const all = narrow(from(tx), columns, filter).select(`coalesce(sum(${columns[column]}), 0.00)::text`, 'sum');
        return (await all.getRawOne<{ sum: string }>())?.sum ?? '0.00';
      }),
    findOne: async (wanted) => (await byIds([wanted]))[0] ?? null,
    findMany: (wanted) => byIds(wanted),
  };
}
