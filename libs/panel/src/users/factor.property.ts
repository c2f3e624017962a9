import { hasFactorSql } from '#tenancy';

/** Whether the user `person` has a second factor. */
export const factorProperty = {
  type: 'boolean',
  list: true,
  show: true,
  filter: false,
  sql: hasFactorSql('person.id'),
} as const;
