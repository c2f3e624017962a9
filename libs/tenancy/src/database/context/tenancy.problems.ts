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
 * The problem of work for a tenant whose state or category has changed since it was cached: 503 `tenant.changed`, 410 `tenant.deleted`.
 * @param state of the tenant now; null: it does not exist any more
 */
export function changedTenant(state: string | null): Problem {
  return state === null ? problem('tenant.deleted') : problem('tenant.changed', { headers: { 'Retry-After': '1' } });
}

/** Every 401 names the expected scheme (RFC 9110, 11.6.1). */
export const unauthorized = { headers: { 'WWW-Authenticate': 'Api-Key' } } as const;
