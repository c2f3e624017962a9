import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';

/**
 * Names constraints and indexes as PostgreSQL does (`ticket_event_id_fkey`), so that hand-written migrations and entities agree and the
 * house test can compare them.
 */
export class PostgresNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return columnName([...prefixes, customName ?? propertyName].join('_'));
  }

  override primaryKeyName(table: Table | string): string {
    return `${bare(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${bare(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${bare(table)}_${columns.join('_')}_fkey`;
  }

  override indexName(table: Table | string, columns: string[]): string {
    return `${bare(table)}_${columns.join('_')}_idx`;
  }
}

/** The column of a property: `starts_at` of `startsAt`. */
export function columnName(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

function bare(table: Table | string): string {
  const name = typeof table === 'string' ? table : table.name;
  return name.slice(name.lastIndexOf('.') + 1);
}
