/**
 * One migration. The SQL must be safe to apply twice (`if not exists`, `or replace`) and must expand before it contracts, so that the
 * programs before and after it both work. Tenant migrations name no schema, because the migrator sets the search path. Every statement ends
 * with a semicolon and is sent as its own message.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * For tenant migrations: older programs still read and write the schema correctly, for example because it adds a table, or a column with
   * a default. During a rolling upgrade they continue to serve migrated tenants. Without this mark they answer 503 `tenant.migrating`.
   */
  readonly additive?: true;
}

/** Matches parts that may contain semicolons (comments, strings and function bodies), or the end of a statement. */
const part = /--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|(;)/g;

/**
 * Splits migrations into statements. Each one is sent as its own message, because a distributed database forwards the whole text of a
 * message that changes tables to other nodes.
 */
export function statementsOf(steps: readonly Migration[]): string[] {
  return steps.flatMap(({ sql }) => {
    const ends = [...sql.matchAll(part)].filter((found) => found[2]).map(({ index }) => index);
    return ends.map((end, place) => sql.slice(place === 0 ? 0 : (ends[place - 1] as number) + 1, end).trim());
  });
}
