import { negotiateLanguage } from '#http';
import type { Request } from 'express';
import { problem } from './tenancy.problems.js';
import type { TenantIdentity } from './tenant-context.js';
import { texts } from '../../locales/tenancy.texts.js';

/** The panel checks the state itself, because permissions depend on the signed-in user. */
const panelPath = /^\/admin(\/|$)/i;
const picturePath = /^\/(images|assets)(\/|$)/i;
const programPath = /^\/(api|scan|tenant)(\/|$)/i;
/** A GET that changes data: it uses up a pairing code. */
const pairingPath = /^\/scan\/[^/]+\/pair\/?$/i;
/** Notifications of payment providers about earlier payments. */
const providerPath = /^\/payments\//i;
/** The end of a suspension is not known. */
const retryAfterSeconds = '3600';

/**
 * Refuses requests to a tenant that is not active.
 * - `suspended`: panel and images answer; everything else, including scanning, is 503. Payment providers repeat their notifications later.
 * - `archived`: the API can be read, and payments that began earlier are accepted; other changes are 403, public pages 410.
 * - `deleting`: everything is 410.
 * @throws Problem 503 `tenant.suspended`, 403 `tenant.archived`, 410 `tenant.closed` or `tenant.deleted`
 */
export function refuseInState(tenant: TenantIdentity, request: Request): void {
  const { state } = tenant;
  if (state === 'active') return;
  if (state === 'deleting') throw problem('tenant.deleted');
  const { path } = request;
  const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
  if (panelPath.test(path) || (picturePath.test(path) && reads)) return;
  if (state === 'suspended')
    throw problem('tenant.suspended', { ...extras(tenant, request), headers: { 'Retry-After': retryAfterSeconds } });
  if (providerPath.test(path)) return;
  if (!programPath.test(path)) throw problem('tenant.closed', extras(tenant, request));
  if (!reads || pairingPath.test(path)) throw problem('tenant.archived');
}

/** Whether the tenant's panel is read-only. Super-users may still change a suspended tenant. */
export function refusesChanges({ state }: Pick<TenantIdentity, 'state'>, isSuperUser: boolean): boolean {
  return state === 'suspended' ? !isSuperUser : state !== 'active';
}

function extras({ stateReason, contact, language }: TenantIdentity, request: Request) {
  const wanted = negotiateLanguage(request, language);
  const why = [
    stateReason && texts.translate(wanted, 'stateAnswers.reason', { reason: stateReason }),
    contact && texts.translate(wanted, 'stateAnswers.contact', { contact }),
  ].filter(Boolean);
  return {
    parameters: { why: why.join(' · ') },
    members: { ...(stateReason && { reason: stateReason }), ...(contact && { contact }) },
  };
}
