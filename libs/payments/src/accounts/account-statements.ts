import type { FormerColumns } from './former-columns.js';

/** A stored account. */
export interface AccountRow extends FormerColumns, Record<string, unknown> {
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly sealedFields: Buffer | null;
  readonly enabled: boolean;
  readonly updatedAt: Date;
  readonly methods: readonly string[];
}

/** All accounts of the tenant, in the order in which buyers are offered them. */
export const accountsSql = (table: string): string => `select id, provider, label, sealed_fields as "sealedFields", enabled,
    updated_at as "updatedAt", sealed_secret_key as "sealedSecretKey", sealed_webhook_secret as "sealedWebhookSecret",
    delayed_methods as "delayedMethods", methods
  from ${table} order by position, created_at, id`;

export const loadStatement = { name: 'payment-accounts', text: accountsSql('{tenant}.payment_account') };

export const saveStatement = {
  name: 'payment-account-save',
  text: `insert into payment_account (provider, label, sealed_fields, sealed_secret_key, sealed_webhook_secret, delayed_methods,
      position)
    select $1, $2, $3, $4, $5, $6, coalesce(max(position), 0) + 1 from payment_account
    on conflict (provider) do update set label = excluded.label, sealed_fields = excluded.sealed_fields,
      sealed_secret_key = excluded.sealed_secret_key, sealed_webhook_secret = excluded.sealed_webhook_secret,
      delayed_methods = excluded.delayed_methods, enabled = true, updated_at = excluded.updated_at
    returning id`,
};

export const enableStatement = {
  name: 'payment-account-enable',
  text: `update payment_account set enabled = $2, updated_at = now() where id = $1 and enabled <> $2`,
};

/** What buyers are told. Two at once write the same. */
export const methodsStatement = {
  name: 'payment-account-methods',
  text: `update payment_account set methods = $2, methods_read_at = (select now()) where id = $1`,
};

/** Accounts whose ways to pay were last read more than this many milliseconds ago. */
export const dueMethodsStatement = {
  name: 'payment-account-methods-due',
  text: `select id from {tenant}.payment_account
    where enabled and (methods_read_at is null or methods_read_at < statement_timestamp() - $1::bigint * interval '1 millisecond')`,
};

export const firstStatement = {
  name: 'payment-account-first',
  text: `update payment_account set position = (select min(position) from payment_account) - 1 where id = $1`,
};

export const removeStatement = { name: 'payment-account-remove', text: `delete from payment_account where id = $1` };

/** Only while the former columns have the values that were read: an older program may change them meanwhile. */
export const sealStatement = {
  name: 'payment-account-seal',
  text: `update payment_account set sealed_fields = $2 where id = $1 and sealed_fields is null
    and sealed_secret_key = $3 and sealed_webhook_secret = $4 and delayed_methods = $5`,
};
