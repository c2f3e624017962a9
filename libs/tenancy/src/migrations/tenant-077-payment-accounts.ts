import type { Migration } from './migration.js';

/** Columns of programs before this version. A later migration drops them, and the key on `provider` that their upsert needs. */
const former = ['sealed_secret_key', 'sealed_webhook_secret', 'delayed_methods'];
const valuesOf = (row: string): string => former.map((column) => `${row}.${column}`).join(', ');

/**
 * The fields of an account are one sealed JSON text. SQL cannot open what was sealed before: the task `seal payment accounts` does, and
 * until then programs read the former columns.
 */
export const tenantProviderAccounts: Migration = {
  version: 77,
  name: 'accounts of several payment providers',
  additive: true,
  sql: `
alter table payment_account add column if not exists id uuid not null default gen_random_uuid();
alter table payment_account add column if not exists label text storage plain not null default '';
alter table payment_account add column if not exists sealed_fields bytea storage plain;
alter table payment_account add column if not exists position integer not null default 0;
alter table payment_account alter column sealed_secret_key drop not null;
alter table payment_account alter column sealed_webhook_secret drop not null;
alter table payment_account drop constraint if exists payment_account_provider_check;
alter table payment_account drop constraint if exists payment_account_pkey;
alter table payment_account add constraint payment_account_pkey primary key (id);
alter table payment_account drop constraint if exists payment_account_provider_key;
alter table payment_account add constraint payment_account_provider_key unique (provider);

-- An older program changed the account: what was sealed from it before is not true any more.
create or replace function forget_sealed_fields() returns trigger language plpgsql as $body$
begin
  new.sealed_fields := null;
  return new;
end
$body$;
create or replace trigger payment_account_former before update of ${former.join(', ')} on payment_account for each row
  when (new.sealed_fields is not distinct from old.sealed_fields and (${valuesOf('new')}) is distinct from (${valuesOf('old')}))
  execute function forget_sealed_fields();

-- The account that a payment was begun with; null: of an older program, or at the venue. No foreign key: an account can be deleted.
alter table payment drop constraint if exists payment_provider_check;
alter table payment add column if not exists account_id uuid;
create or replace trigger payment_account_kept before update of account_id on payment for each row
  when (new.account_id is distinct from old.account_id) execute function shared.refuse_change();
`,
};
