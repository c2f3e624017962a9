/** Whether the user `person` has a second factor. */
export const factorProperty = {
  type: 'boolean',
  list: true,
  show: true,
  filter: false,
  sql: '(exists (select 1 from shared.second_factor f where f.user_id = person.id and f.confirmed_at is not null))',
} as const;
