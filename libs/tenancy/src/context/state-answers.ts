import { negotiateLanguage } from '#http';
import type { Request } from 'express';
import { problem } from './tenancy.problems.js';
import type { TenantIdentity } from './tenant-context.js';
import { texts } from '../locales/tenancy.texts.js';

/** The panel answers for itself: who may still do what there depends on who is signed in. */
const panelPath = /^\/admin(\/|$)/i;
const picturePath = /^\/(images|assets)(\/|$)/i;
const programPath = /^\/(api|scan|tenant)(\/|$)/i;
/** A GET that changes something: it spends a pairing code. */
const pairingPath = /^\/scan\/[^/]+\/pair\/?$/i;
/** What a payment provider tells of payments that were begun before. */
const providerPath = /^\/payments\//i;
/** A suspension ends when an operator ends it. */
const retryAfterSeconds = '3600';

/**
 * What a tenant answers that is not active.
 * - `suspended`: panel and pictures answer; everything else, doors included, is 503. Payment providers tell again later what they tell now.
 * - `archived`: the API can be read, and a payment that was begun before is taken; other changes are 403, public pages 410.
 * - `deleting`: nothing answers, 410.
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

/** Whether the panel of a tenant shows everything and changes nothing. Super-users go on working in a suspended tenant. */
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
