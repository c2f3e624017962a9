import { parseSync } from 'libpg-query';
import { referenceTables, tenantMigrations } from '#tenancy';
import { allOf, walk, type Tree } from './tree.js';

/** The names of all tables. */
export interface Tables {
  readonly tenant: ReadonlySet<string>;
  /** Shared tables of which all database servers have all rows. */
  readonly reference: ReadonlySet<string>;
  /** The names of the `with` queries of a statement, which come before those of tables. */
  readonly queries: ReadonlySet<string>;
}

/** Reads the tables of tenants from all migration steps. Call `loadModule` of libpg-query first. */
export function tablesOf(): Tables {
  const created = tenantMigrations.flatMap(createdBy).map(({ Create }) => (Create as { relation: { relname: string } }).relation.relname);
  return { tenant: new Set(created), reference: new Set(Object.keys(referenceTables)), queries: new Set() };
}

function createdBy({ sql }: { readonly sql: string }): { readonly Create: Tree }[] {
  return allOf(parseSync(sql), 'CreateStmt').map((Create) => ({ Create }));
}

export interface NamedTable {
  readonly schema: string | undefined;
  readonly name: string;
}

/** The tables that a statement names, without the names of its `with` queries. */
export function namedTables(tree: unknown): NamedTable[] {
  const queries = new Set(allOf(tree, 'CommonTableExpr').map(({ ctename }) => ctename));
  const found: NamedTable[] = [];
  const add = ({ schemaname, relname }: Tree): void => {
    if (schemaname === undefined && queries.has(relname)) return;
    found.push({ schema: schemaname as string | undefined, name: relname as string });
  };
  walk(tree, (kind, node) => {
    if (kind === 'RangeVar') add(node);
    // The target of a change and the table of a foreign key are nodes without a kind.
    for (const field of ['relation', 'pktable']) {
      const target = node[field] as Tree | undefined;
      if (target && 'relname' in target) add(target);
    }
    return undefined;
  });
  return found;
}
