import { parseSync } from 'libpg-query';
import { sharedMigrations, tenantMigrations } from '#tenancy';
import { allOf, walk, type Tree } from './tree.js';

/** The tables that the migrations define. */
export interface Tables {
  readonly tenant: ReadonlySet<string>;
  readonly shared: ReadonlySet<string>;
  /** Tables with an identity column, with the name of that column. */
  readonly identity: ReadonlyMap<string, string>;
}

/** Reads the tables from all migration steps. Call `loadModule` of libpg-query first. */
export function tablesOf(): Tables {
  const identity = new Map<string, string>();
  const created = (steps: readonly { readonly sql: string }[]): ReadonlySet<string> => {
    const names = new Set<string>();
    for (const { Create } of steps.flatMap(createdBy)) {
      const { relation, tableElts } = Create as { relation: { relname: string }; tableElts: unknown };
      names.add(relation.relname);
      const column = allOf(tableElts, 'ColumnDef').find(({ constraints }) =>
        allOf(constraints, 'Constraint').some(({ contype }) => contype === 'CONSTR_IDENTITY'),
      );
      if (column) identity.set(relation.relname, column['colname'] as string);
    }
    return names;
  };
  return { tenant: created(tenantMigrations), shared: created(sharedMigrations), identity };
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
