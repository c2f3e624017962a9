/**
 * Rules for statements that name a reference table: one that all database servers of a cluster have (docs/contributing.md). They were tried
 * on Citus 14; the texts of its refusals are quoted. All other statements may be any PostgreSQL.
 */
import { recordedTables } from '#tenancy';
import { parseSync } from 'libpg-query';
import { namedTables, type NamedTable, type Tables } from './tables.js';
import { allOf, nameOf, walk, type Tree } from './tree.js';

export type RuleName =
  | 'unreadable'
  | 'insert-subquery'
  | 'change-beside-reference'
  | 'change-in-query'
  | 'changing-value'
  | 'several-statements'
  | 'trigger'
  | 'unattributed-change';

export interface Violation {
  readonly rule: RuleName;
  /** What is wrong, and where in the statement. */
  readonly detail: string;
}

const volatileFunctions = new Set(['clock_timestamp', 'timeofday', 'random', 'gen_random_uuid', 'uuidv4', 'uuidv7']);
/** Stable functions: their value is constant within a statement or transaction. */
const timeFunctions = new Set(['now', 'statement_timestamp', 'transaction_timestamp']);
const changes = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt']);

/** Violations of all rules in one text. `loadModule` of libpg-query comes first. */
export function violationsOf(text: string, tables: Tables): Violation[] {
  let statements: readonly Tree[];
  try {
    statements = (parseSync(text) as { stmts?: readonly { stmt: Tree }[] }).stmts?.map(({ stmt }) => stmt) ?? [];
  } catch (error) {
    return [{ rule: 'unreadable', detail: (error as Error).message }];
  }
  const found = statements.flatMap((statement) => violationsIn(statement, tables));
  // A text that defines something of a reference table is sent to the other servers as a whole.
  const defining = /^(Create|Alter|Drop|Index|Rename|Define|View|Do|Comment|Truncate|Grant)/;
  const defines = statements.some((statement) => Object.keys(statement).some((kind) => defining.test(kind)));
  if (statements.length > 1 && defines && referencesIn(statements, tables).length > 0)
    found.push({ rule: 'several-statements', detail: `${statements.length} statements that define something` });
  return found;
}

function violationsIn(statement: Tree, all: Tables): Violation[] {
  // Names of `with` queries come before those of tables.
  const queries = new Set(allOf(statement, 'CommonTableExpr').map(({ ctename }) => ctename as string));
  const tables = { ...all, queries };
  const found: Violation[] = [];
  const report = (rule: RuleName, detail: string): void => void found.push({ rule, detail });
  walk(statement, (kind, node) => {
    if (kind === 'CreateTrigStmt' && isReference(targetOf(node), tables)) report('trigger', String(node['trigname']));
    if (kind === 'CommonTableExpr') {
      const [[inner, change] = ['', {}]] = Object.entries(node['ctequery'] as Record<string, Tree>);
      // "relation … is not distributed"
      const local = changes.has(inner) && !isReference(targetOf(change), tables);
      const named = referencesIn(statement, tables);
      if (local && named.length > 0) report('change-in-query', `${targetOf(change).name} changes beside ${named.join(', ')}`);
    }
    if (kind === 'InsertStmt') for (const detail of insertFaults(node, tables)) report('insert-subquery', detail);
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt')
      for (const detail of besideFaults(node, tables)) report('change-beside-reference', detail);
    // All rows: the first ones of a schema into which a tenant is loaded.
    const isWhole = kind === 'DeleteStmt' && node['whereClause'] === undefined;
    if (changes.has(kind) && !isWhole && isUnattributed(targetOf(node))) report('unattributed-change', targetOf(node).name);
    if (changes.has(kind) && isReference(targetOf(node), tables))
      for (const detail of unsettled(kind, node)) report('changing-value', detail);
    return undefined;
  });
  return found;
}

/**
 * Only transactions say who changes something, for the record of changes. A statement with the schema of a tenant is sent without one.
 * Bookings and scans do nothing of what is recorded of tables with conditions. Results of deliveries, and that a phone has practised, are
 * sent so: the record names the program when a delivery disables its endpoint.
 */
function isUnattributed({ schema, name }: NamedTable): boolean {
  const recorded = recordedTables[name];
  return (
    schema?.startsWith('tenant') === true &&
    recorded !== undefined &&
    !recorded.updates &&
    !['webhook_endpoint', 'team_code'].includes(name)
  );
}

/** "subqueries are not supported within INSERT queries": neither in VALUES nor in ON CONFLICT, if a reference table is named anywhere. */
function insertFaults(insert: Tree, tables: Tables): string[] {
  const { valuesLists } = (insert['selectStmt'] as { SelectStmt?: Tree } | undefined)?.SelectStmt ?? {};
  const parts = { values: valuesLists, conflict: isReference(targetOf(insert), tables) || valuesLists ? insert['onConflictClause'] : [] };
  return Object.entries(parts)
    .filter(
      ([, part]) => allOf(part, 'SubLink').length > 0 && (isReference(targetOf(insert), tables) || referencesIn(part, tables).length > 0),
    )
    .map(([where]) => `${targetOf(insert).name}: a sub-query in ${where}`);
}

/**
 * A table that is no reference table changes beside one: only `in (select …)`, FROM, USING and queries before it (`with`) are right. With
 * EXISTS: "relation … is not distributed". With `not in`, `= (select …)` or `array(select …)`: the statement changes the rows of another
 * server. A reference table changes beside an ordinary one: only `in (select …)`.
 */
function besideFaults(change: Tree, tables: Tables): string[] {
  const target = targetOf(change);
  const ofReference = isReference(target, tables);
  const isOther = (table: NamedTable): boolean => isReference(table, tables) !== ofReference && (!ofReference || isLocal(table, tables));
  const found: string[] = [];
  const look = (tree: unknown, negated: boolean): void =>
    walk([tree], (kind, node) => {
      if (kind === 'BoolExpr' && node['boolop'] === 'NOT_EXPR') {
        look(node['args'], true);
        return false;
      }
      if (kind !== 'SubLink') return undefined;
      const fits = node['subLinkType'] === 'ANY_SUBLINK' && (!negated || ofReference);
      const others = namedTables(node).filter(isOther);
      if (!fits && others.length > 0) found.push(`${target.name} changes beside ${others.map(({ name }) => name).join(', ')}`);
      return false;
    });
  for (const part of ['targetList', 'whereClause']) look(change[part], false);
  if (ofReference) {
    const joined = namedTables([change['fromClause'], change['usingClause']]).filter(isOther);
    if (joined.length > 0) found.push(`${target.name} is joined with ${joined.map(({ name }) => name).join(', ')}`);
  }
  return found;
}

/** Expressions in a change of a reference table that Citus cannot evaluate once for all servers. */
function unsettled(kind: string, node: Tree): string[] {
  const conflict = node['onConflictClause'] as Tree | undefined;
  const returned = (node['returningClause'] as Tree | undefined)?.['exprs'] ?? node['returningList'];
  const found = [...list(conflict?.['targetList']), conflict?.['whereClause'], ...list(returned)].flatMap((part) =>
    calls(part, () => true),
  );
  if (kind === 'InsertStmt') return found;
  for (const part of [...list(node['targetList']), node['whereClause']]) {
    // "non-IMMUTABLE functions are not allowed in CASE or COALESCE statements"
    const guarded = [...allOf(part, 'CaseExpr'), ...allOf(part, 'CoalesceExpr')];
    found.push(...guarded.flatMap((inner) => calls(Object.values(inner), () => true)));
    // "functions used in UPDATE queries on distributed tables must not be VOLATILE"
    found.push(...calls(part, (name) => volatileFunctions.has(name)));
    // "STABLE functions used in UPDATE queries cannot be called with column references": so is the operator timestamptz + interval.
    const sums = allOf(part, 'A_Expr').filter(({ name }) => ['+', '-'].includes(nameOf(name)[0] ?? ''));
    if (sums.some(({ lexpr, rexpr }) => (isInterval(lexpr) && hasColumn(rexpr)) || (isInterval(rexpr) && hasColumn(lexpr))))
      found.push('column and interval');
  }
  return found;
}

/** Names of volatile and of time functions, without those in sub-queries, which are evaluated apart. */
function calls(tree: unknown, counts: (name: string) => boolean): string[] {
  const found: string[] = [];
  walk([tree], (kind, node) => {
    if (kind === 'SubLink') return false;
    const name = kind === 'FuncCall' ? (nameOf(node['funcname']).at(-1) ?? '') : kind === 'SQLValueFunction' ? 'now' : '';
    if ((volatileFunctions.has(name) || timeFunctions.has(name)) && counts(name)) found.push(name);
    return undefined;
  });
  return found;
}

const list = (tree: unknown): readonly unknown[] => (Array.isArray(tree) ? (tree as unknown[]) : []);
const hasColumn = (tree: unknown): boolean => allOf([tree], 'ColumnRef').length > 0;

function isInterval(tree: unknown): boolean {
  const casts = allOf([tree], 'TypeCast').some(({ typeName }) => nameOf((typeName as Tree)['names']).at(-1) === 'interval');
  return casts || allOf([tree], 'FuncCall').some(({ funcname }) => nameOf(funcname).at(-1) === 'make_interval');
}

function targetOf({ relation }: Tree): NamedTable {
  const { schemaname, relname } = relation as Tree;
  return { schema: schemaname as string | undefined, name: relname as string };
}

function isReference({ schema, name }: NamedTable, { reference, tenant, queries }: Tables): boolean {
  return reference.has(name) && (schema === 'shared' || (schema === undefined && !tenant.has(name) && !queries.has(name)));
}

/** Whether it is a table that is no reference table, not a `with` query or one of the catalogue. */
function isLocal({ schema, name }: NamedTable, { queries }: Tables): boolean {
  return !name.startsWith('pg_') && schema !== 'information_schema' && (schema !== undefined || !queries.has(name));
}

function referencesIn(tree: unknown, tables: Tables): string[] {
  return namedTables(tree)
    .filter((table) => isReference(table, tables))
    .map(({ name }) => name);
}
