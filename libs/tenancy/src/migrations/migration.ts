/**
 * One step of a schema. The SQL must be safe to apply twice (`if not exists`, `or replace`) and must expand before it contracts, so that
 * the program before and after it both run. Tenant steps name no schema: the migrator sets the search path. Every statement ends with a
 * semicolon and is sent on its own.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * Of a tenant step: programs that do not know it read and write the schema correctly (a new table, a new column with a default that
   * they may leave out). During a rolling upgrade they go on serving migrated tenants; without this mark they answer 503
   * `tenant.migrating`.
   */
  readonly additive?: true;
}

/** Comments, quoted texts and function bodies, which may hold semicolons, or the end of a statement. */
const part = /--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|(;)/g;

/**
 * The statements of steps, each for a message of its own: a distributed database hands the text of a message that changes tables to other
 * nodes as a whole.
 */
export function statementsOf(steps: readonly Migration[]): string[] {
  return steps.flatMap(({ sql }) => {
    const ends = [...sql.matchAll(part)].filter((found) => found[2]).map(({ index }) => index);
    return ends.map((end, place) => sql.slice(place === 0 ? 0 : (ends[place - 1] as number) + 1, end).trim());
  });
}
