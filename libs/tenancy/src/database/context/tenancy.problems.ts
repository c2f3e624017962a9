import { defineProblems, type Problem } from '#kernel';
import type { TenantIdentity } from './tenant-context.js';
import { texts } from '../../locales/tenancy.texts.js';

export const problem = defineProblems(texts, {
  'tenant.unknown': { status: 404 },
  'tenant.module': { status: 403 },
  'tenant.migrating': { status: 503 },
  'tenant.suspended': { status: 503 },
  'tenant.archived': { status: 403 },
  'tenant.closed': { status: 410 },
  'tenant.deleted': { status: 410 },
  'tenant.changed': { status: 503 },
  'tenant.quota': { status: 429 },
  'key.missing': { status: 401 },
  'key.malformed': { status: 401 },
  'key.unknown': { status: 401 },
  'key.revoked': { status: 401 },
  'key.wiped': { status: 401 },
  'key.expired': { status: 401 },
  'key.suspended': { status: 403 },
  'key.kind': { status: 403 },
  'key.scope': { status: 403 },
  'key.address': { status: 403 },
  'key.origin': { status: 403 },
  'idempotency.key_malformed': { status: 400 },
  'idempotency.key_reused': { status: 422 },
  'idempotency.in_progress': { status: 409 },
  'idempotency.answer_not_kept': { status: 409 },
  'device.archived': { status: 403 },
});

/** Refuses to touch the data of a tenant whose tables do not fit this program. @throws Problem 503 `tenant.migrating` */
export function refuseUnfitSchema({ schemaState }: Pick<TenantIdentity, 'schemaState'>): void {
  if (schemaState !== 'current') throw problem('tenant.migrating', { headers: { 'Retry-After': '5' } });
}

/**
 * Refuses work for a tenant whose state or category has changed since it was cached.
 * @param row its state and category at the beginning of the transaction; undefined: it does not exist any more
 * @throws Problem 410 `tenant.deleted`, 503 `tenant.changed`
 */
export function refuseChangedTenant({ state, category }: Pick<TenantIdentity, 'state' | 'category'>, row: unknown): void {
  const now = row as { readonly state: string; readonly category: string } | undefined;
  if (!now) throw problem('tenant.deleted');
  if (now.state !== state || now.category !== category) throw changedTenant();
}

/** The refusal of work that began before state or category of its tenant changed. */
export function changedTenant(): Problem {
  return problem('tenant.changed', { headers: { 'Retry-After': '1' } });
}

/** Every 401 names the expected scheme (RFC 9110, 11.6.1). */
export const unauthorized = { headers: { 'WWW-Authenticate': 'Api-Key' } } as const;
