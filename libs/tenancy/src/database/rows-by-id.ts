import { Raw, type EntityTarget, type FindOperator, type FindOptionsRelations, type FindOptionsWhere } from 'typeorm';
import type { Tx } from './tx.js';

/** One parameter, however many ids: a statement takes 65,535. */
export function anyOf(ids: readonly string[]): FindOperator<string> {
  return Raw((column) => `${column} = any(:ids)`, { ids });
}

/** What many rows share, an address or a price, read once by its id and not once for each of them; null is left out. */
export async function rowsById<Row extends { id: string }>(
  tx: Tx,
  entity: EntityTarget<Row>,
  wanted: readonly (string | null)[],
  relations: FindOptionsRelations<Row> = {},
): Promise<ReadonlyMap<string, Row>> {
  const ids = [...new Set(wanted.filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const where = { id: anyOf(ids) } as FindOptionsWhere<Row>;
  return new Map((await tx.find(entity, { where, relations })).map((row) => [row.id, row]));
}
