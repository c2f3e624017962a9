/**
 * Rules for statements that also run on distributed PostgreSQL (docs: "SQL that also runs on distributed PostgreSQL"). They were tried on
 * Citus 13 with schema-based sharding; the texts of its refusals are quoted where a rule follows from one.
 */
import { recordedTables } from '#tenancy';
import { parseSync } from 'libpg-query';
import { namedTables, type Tables } from './tables.js';
import { allOf, nameOf, walk, type Tree } from './tree.js';

export type RuleName =
  | 'unreadable'
  | 'tenant-and-shared'
  | 'two-tenants'
  | 'changing-value'
  | 'interval-arithmetic'
  | 'order-by-identity'
  | 'several-statements'
  | 'trigger'
  | 'unattributed-change';

export interface Violation {
  readonly rule: RuleName;
  /** What is wrong, and where in the statement. */
  readonly detail: string;
}

/** Volatile functions: a distributed database refuses them in statements that change rows. */
const volatileFunctions = new Set(['clock_timestamp', 'timeofday', 'random', 'gen_random_uuid', 'uuidv4', 'uuidv7']);
/** Stable functions: their value is constant within a statement or transaction. */
const timeFunctions = new Set(['now', 'statement_timestamp', 'transaction_timestamp']);

/** Violations of all rules in one text. `loadModule` of libpg-query comes first. */
export function violationsOf(text: string, tables: Tables): Violation[] {
  let statements: readonly Tree[];
  try {
    statements = (parseSync(text) as { stmts?: readonly { stmt: Tree }[] }).stmts?.map(({ stmt }) => stmt) ?? [];
  } catch (error) {
    return [{ rule: 'unreadable', detail: (error as Error).message }];
  }
  return [
    ...severalSteps(statements),
    ...statements.flatMap((statement) => [
      ...mixedSchemas(statement, tables),
      ...changes(statement, text),
      ...orders(statement, tables),
      ...triggers(statement),
      ...unattributed(statement),
    ]),
  ];
}

/** A text with DDL is forwarded to other nodes as a whole, so it may contain only one statement. */
function severalSteps(statements: readonly Tree[]): Violation[] {
  if (statements.length < 2) return [];
  const definition = /^(Create|Alter|Drop|Index|Rename|Define|View|Do|Comment|Truncate|Grant)/;
  const defining = statements.flatMap((statement) => Object.keys(statement)).find((kind) => definition.test(kind));
  return defining ? [{ rule: 'several-statements', detail: `${statements.length} statements with ${defining}` }] : [];
}

/** Shared tables and tenant tables may be on different nodes: no joins, no foreign keys, one tenant per statement. */
function mixedSchemas(statement: Tree, tables: Tables): Violation[] {
  const tenant = new Set<string>();
  const shared = new Set<string>();
  const schemas = new Set<string>();
  for (const { schema, name } of namedTables(statement)) {
    if (schema?.startsWith('tenant')) schemas.add(schema);
    if (schema === 'shared' || (schema === undefined && tables.shared.has(name) && !tables.tenant.has(name))) shared.add(name);
    else if (tables.tenant.has(name)) tenant.add(name);
  }
  const found: Violation[] = [];
  if (tenant.size > 0 && shared.size > 0)
    found.push({
      rule: 'tenant-and-shared',
      detail: `${[...tenant].join(', ')} beside shared ${[...shared].join(', ')}`,
    });
  if (schemas.size > 1) found.push({ rule: 'two-tenants', detail: [...schemas].join(', ') });
  return found;
}

/** The position of an expression in a statement that changes rows. */
type Place = 'set' | 'where' | 'conflict' | 'returning' | 'values';

function changes(statement: Tree, text: string): Violation[] {
  const found: Violation[] = [];
  const examine = (tree: unknown, place: Place): void => {
    if (tree !== undefined) found.push(...unsettled(tree, place, text));
  };
  walk(statement, (kind, node) => {
    if (kind === 'UpdateStmt') for (const target of list(node['targetList'])) examine(target, 'set');
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') examine(node['whereClause'], 'where');
    if (kind === 'InsertStmt') {
      const { valuesLists } = (node['selectStmt'] as { SelectStmt?: Tree } | undefined)?.SelectStmt ?? {};
      for (const row of list(valuesLists))
        for (const value of allOf([row], 'List').flatMap(({ items }) => list(items))) examine(value, 'values');
      const conflict = node['onConflictClause'] as Tree | undefined;
      for (const target of list(conflict?.['targetList'])) examine(target, 'conflict');
      examine(conflict?.['whereClause'], 'conflict');
    }
    if (['UpdateStmt', 'DeleteStmt', 'InsertStmt'].includes(kind)) {
      const returned = (node['returningClause'] as Tree | undefined)?.['exprs'] ?? node['returningList'];
      for (const target of list(returned)) examine(target, 'returning');
    }
    return undefined;
  });
  return found;
}

const list = (tree: unknown): readonly unknown[] => (Array.isArray(tree) ? (tree as unknown[]) : []);

/** Expressions that a distributed database cannot evaluate once for all rows. Sub-queries are evaluated separately and skipped here. */
function unsettled(tree: unknown, place: Place, text: string): Violation[] {
  const found: Violation[] = [];
  const hasColumns = ownColumns(tree) > 0;
  const visit = (part: unknown, guarded: boolean): void => {
    walk(part, (kind, node) => {
      if (kind === 'SubLink') return false;
      if ((kind === 'CaseExpr' || kind === 'CoalesceExpr') && !guarded) {
        visit(Object.values(node), true);
        return false;
      }
      const call = calledIn(kind, node);
      const detail = `${call} in ${place}: ${excerpt(text, node['location'])}`;
      // "functions used in UPDATE queries on distributed tables must not be VOLATILE"
      if (call && volatileFunctions.has(call) && place !== 'values') found.push({ rule: 'changing-value', detail });
      else if (call && timeFunctions.has(call) && isRefused(place, guarded, hasColumns)) found.push({ rule: 'changing-value', detail });
      // "STABLE functions used in UPDATE queries cannot be called with column references": so is the operator timestamptz + interval.
      if (kind === 'A_Expr' && place !== 'values' && addsInterval(node))
        found.push({ rule: 'interval-arithmetic', detail: `${place}: ${excerpt(text, node['location'])}` });
      return undefined;
    });
  };
  visit([tree], false);
  return found;
}

function isRefused(place: Place, guarded: boolean, hasColumns: boolean): boolean {
  // "non-IMMUTABLE functions are not allowed in CASE or COALESCE statements"
  if (guarded) return true;
  // "… in the RETURNING clause", "functions used in the DO UPDATE SET clause … must be marked IMMUTABLE"
  if (place === 'conflict' || place === 'returning') return true;
  return hasColumns && place !== 'values';
}

function calledIn(kind: string, node: Tree): string | undefined {
  if (kind === 'FuncCall') return nameOf(node['funcname']).at(-1);
  return kind === 'SQLValueFunction' ? 'now' : undefined;
}

/** Number of columns in an expression, without sub-queries. */
function ownColumns(tree: unknown): number {
  let count = 0;
  walk([tree], (kind) => {
    if (kind === 'SubLink') return false;
    if (kind === 'ColumnRef') count += 1;
    return undefined;
  });
  return count;
}

/** `column ± interval`. */
function addsInterval({ name, lexpr, rexpr }: Tree): boolean {
  if (!['+', '-'].includes(nameOf(name)[0] ?? '')) return false;
  return (isInterval(lexpr) && ownColumns(rexpr) > 0) || (isInterval(rexpr) && ownColumns(lexpr) > 0);
}

function isInterval(tree: unknown): boolean {
  let found = false;
  walk([tree], (kind, node) => {
    if (kind === 'SubLink') return false;
    if (kind === 'FuncCall' && nameOf(node['funcname']).at(-1) === 'make_interval') found = true;
    if (kind === 'TypeCast' && nameOf((node['typeName'] as Tree)['names']).at(-1) === 'interval') found = true;
    return undefined;
  });
  return found;
}

/** Nodes allocate ids in separate blocks, so ids have no order: statements must sort by time first. */
function orders(statement: Tree, { identity }: Tables): Violation[] {
  const found: Violation[] = [];
  walk(statement, (kind, node) => {
    if (kind !== 'SelectStmt') return undefined;
    const columns = tablesOfLevel(node['fromClause']).map((table) => identity.get(table));
    const sorted = list(node['sortClause']).map((item) => {
      const { node: by } = (item as { SortBy: Tree }).SortBy as { node: Tree };
      return nameOf((by['ColumnRef'] as Tree | undefined)?.['fields']).at(-1) ?? '';
    });
    // An id may break ties between rows that are otherwise equal.
    if (sorted[0] && columns.includes(sorted[0])) found.push({ rule: 'order-by-identity', detail: `order by ${sorted.join(', ')}` });
    return undefined;
  });
  return found;
}

/** The tables of one `from`, not those of its sub-queries. */
function tablesOfLevel(from: unknown): string[] {
  const names: string[] = [];
  walk(from, (kind, node) => {
    if (kind === 'RangeVar') names.push(node['relname'] as string);
    return kind === 'RangeSubselect' || kind === 'SubLink' ? false : undefined;
  });
  return names;
}

function triggers(statement: Tree): Violation[] {
  return allOf([statement], 'CreateTrigStmt').map(({ trigname }) => ({ rule: 'trigger', detail: String(trigname) }));
}

/**
 * Only transactions say who changes something, for the record of changes. A statement with the schema of a tenant is sent without one.
 * Bookings and scans do nothing of what is recorded of tables with conditions.
 */
function unattributed(statement: Tree): Violation[] {
  const found: Violation[] = [];
  walk(statement, (kind, node) => {
    if (!['InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind)) return undefined;
    const { schemaname, relname } = node['relation'] as { readonly schemaname?: string; readonly relname: string };
    const recorded = recordedTables[relname];
    if (schemaname?.startsWith('tenant') && recorded && !recorded.updates) found.push({ rule: 'unattributed-change', detail: relname });
    return undefined;
  });
  return found;
}

function excerpt(text: string, location: unknown): string {
  const at = typeof location === 'number' ? location : 0;
  return text
    .slice(Math.max(0, at - 40), at + 50)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
