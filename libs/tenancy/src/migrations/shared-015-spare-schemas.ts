import type { Migration } from './migration.js';

export const sharedSpareSchemas: Migration = {
  version: 15,
  name: 'spare schemas',
  sql: `
-- Schemas with the tables of a tenant, created in advance for the next tenants.
create table if not exists shared.spare_schema (
  schema_name text not null,
  schema_version integer not null,
  created_at timestamptz default now() not null,
  constraint spare_schema_pkey primary key (schema_name)
);
`,
};
