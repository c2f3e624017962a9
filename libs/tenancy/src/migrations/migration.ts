/**
 * One step of a schema. The SQL must be safe to apply twice (`if not exists`, `or replace`) and must expand before it contracts,
 * so that the program before and after it both run. Tenant steps name no schema: the migrator sets the search path.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}
