/**
 * One step of a schema. The SQL must be safe to apply twice (`if not exists`, `or replace`) and must expand before it contracts,
 * so that the program before and after it both run. Tenant steps name no schema: the migrator sets the search path.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * Of a tenant step: programs that do not know it read and write the schema correctly (a new table, a new column with a default that they may
   * leave out). During a rolling upgrade they go on serving migrated tenants; without this mark they answer 503 `tenant.migrating`.
   */
  readonly additive?: true;
}
