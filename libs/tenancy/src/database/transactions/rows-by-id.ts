import { Raw, type EntityTarget, type FindOperator, type FindOptionsRelations, type FindOptionsWhere } from 'typeorm';
import type { Tx } from './tx.js';

/** A condition with one parameter for any number of ids: a statement can have 65,535 parameters. */
export function anyOf(ids: readonly string[]): FindOperator<string> {
  return Raw((column) => `${column} = any(:ids)`, { ids });
}

/** Reads shared rows, such as addresses or prices, once per id instead of once per referring row; ignores null. */
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
