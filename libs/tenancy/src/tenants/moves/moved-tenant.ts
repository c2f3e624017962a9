/** The row of a tenant that moves to another database server. */
export interface MovedTenant {
  readonly id: string;
  readonly slug: string;
  readonly schemaName: string;
  readonly schemaVersion: number;
  /** The server that has it. */
  readonly node: number;
  /** The server that it is to move to. */
  readonly movingTo: number | null;
  /** Whether it is closed for the move. */
  readonly isClosed: boolean;
  /** Whether it is Root or the first Meta, which stay at home. */
  readonly isOfInstallation: boolean;
}

/** First key of the advisory locks of running moves, on the server that has the tenant; the second one is `lockKeyOf` of the tenant. */
export const moveLockSpace = 7266;

/** SQL: the form of the names of schemas of tenants that move or have moved. */
export const closedSchemaNames = '^moving_[0-9a-f]{32}$';

/**
 * The name that the schema of a tenant gets when the tenant is closed. No statement of the tenant finds its tables any more, also when its
 * process does not know yet. After the move, it is the name of the old copy.
 */
export function closedSchema({ id }: Pick<MovedTenant, 'id'>): string {
  return `moving_${id.replaceAll('-', '')}`;
}

/** SQL of `closedSchema`. @param alias of `shared.tenant` in the statement */
export function closedSchemaSql(alias: string): string {
  return `'moving_' || replace(${alias}.id::text, '-', '')`;
}
