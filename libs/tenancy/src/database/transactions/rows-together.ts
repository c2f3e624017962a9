import type { EntityMetadata, EntityTarget } from 'typeorm';
import { queryPrepared, type PreparedStatement } from './prepared-query.js';
import type { Tx } from './tx.js';

/** Rows of one table. */
export interface WantedRows<Row extends object> {
  readonly entity: EntityTarget<Row>;
  /** SQL of the condition, with the parameters of the whole statement. */
  readonly where: string;
  /** SQL of the order; default: none. */
  readonly order?: string;
}

type Wanted = Readonly<Record<string, WantedRows<object>>>;
type Found<Tables extends Wanted> = { [Name in keyof Tables]: Tables[Name] extends WantedRows<infer Row> ? Row[] : never };

type Column = EntityMetadata['columns'][number];

interface Field {
  readonly property: string;
  /** SQL of the value in JSON. */
  readonly sql: string;
  /** Converts a value that is not null; undefined: it stays as it is. */
  readonly convert: ((value: unknown) => unknown) | undefined;
}

interface Statement extends PreparedStatement {
  readonly tables: ReadonlyMap<string, { readonly metadata: EntityMetadata; readonly fields: readonly Field[] }>;
}

/**
 * Reads rows of several tables in one round trip, as `find` of TypeORM reads them from each: the same columns, types and classes, without
 * relations. For what many requests read, because each `find` builds its statement anew and waits for an answer of its own.
 */
export class RowsTogether<Tables extends Wanted> {
  private statement: Statement | undefined;

  /** @param name of the prepared statement */
  constructor(
    private readonly name: string,
    private readonly wanted: Tables,
  ) {}

  /** @param values of the parameters */
  async read(tx: Tx, values: readonly unknown[]): Promise<Found<Tables>> {
    const statement = (this.statement ??= this.build(tx));
    const [row] = await queryPrepared<Record<string, unknown[][] | null>>(tx, statement, values);
    const found = [...statement.tables].map(([name, { metadata, fields }]) => [
      name,
      (row?.[name] ?? []).map((values) => toEntity(metadata, fields, values)),
    ]);
    return Object.fromEntries(found) as Found<Tables>;
  }

  private build(tx: Tx): Statement {
    const tables = new Map<string, { metadata: EntityMetadata; fields: Field[] }>();
    const parts = Object.entries(this.wanted).map(([name, { entity, where, order }]) => {
      const metadata = tx.dataSource.getMetadata(entity);
      const fields = metadata.columns.filter(({ isSelect }) => isSelect).map(toField);
      tables.set(name, { metadata, fields });
      const row = `json_build_array(${fields.map(({ sql }) => sql).join(', ')})`;
      return `(select json_agg(${row}${order ? ` order by ${order}` : ''}) from "${metadata.tableName}" where ${where}) as "${name}"`;
    });
    return { name: this.name, text: `select ${parts.join(', ')}`, tables };
  }
}

const asText = (name: string): string => `"${name}"::text`;

/** SQL and conversion by type. JSON has no times, and its numbers are inexact. A time is read in whole milliseconds, as by the driver. */
const types: Readonly<Record<string, { sql?: (name: string) => string; convert?: (value: unknown) => unknown }>> = {
  timestamptz: {
    sql: (name) => `floor(extract(epoch from "${name}") * 1000)`,
    convert: (value) => new Date(value as number),
  },
  numeric: { sql: asText },
  bigint: { sql: asText },
  text: {},
  uuid: {},
  boolean: {},
  integer: {},
  smallint: {},
  jsonb: {},
};

function toField({ type, transformer, databaseName, propertyName, entityMetadata: { name } }: Column): Field {
  const known = typeof type === 'string' ? types[type] : undefined;
  if (!known || transformer) throw new Error(`${name}.${propertyName}: rows of several tables cannot be read together with this type`);
  return { property: propertyName, sql: known.sql?.(databaseName) ?? `"${databaseName}"`, convert: known.convert };
}

function toEntity(metadata: EntityMetadata, fields: readonly Field[], values: readonly unknown[]): object {
  const entity = metadata.create() as Record<string, unknown>;
  for (const [index, { property, convert }] of fields.entries()) {
    const value = values[index];
    entity[property] = convert && value !== null ? convert(value) : value;
  }
  return entity;
}
