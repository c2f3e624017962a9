import { allScopes, type Scope } from './api-key-scopes.js';
import { isWithin, reaches, type Permission, type PermissionLevels } from './permissions.js';
import { presets } from './presets.js';

/** The events that a grant is about. */
export type GrantScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'events'; readonly eventIds: readonly string[] }
  /** Events of these kinds that are not over, also those that are made later. */
  | { readonly kind: 'kinds'; readonly kinds: readonly string[] };

/** What a person may do in a tenant's panel now. */
export interface Grant {
  /** Name of a preset, or `own`. */
  readonly role: string;
  /** The venue's own role. */
  readonly roleId?: string;
  readonly levels: PermissionLevels;
  readonly scope: GrantScope;
  /** ISO 8601; the right ends then. */
  readonly endsAt?: string;
}

/** The right of administrators and super-users. */
export const fullGrant: Grant = { role: 'direction', levels: presets.direction, scope: { kind: 'all' } };

/**
 * Whether a grant allows something.
 * @param eventId the event that it is about; for grants of chosen events. Events of a kind are looked up and become chosen ones before.
 */
export function grantAllows({ levels, scope }: Grant, permission: Permission, eventId?: string): boolean {
  if (!reaches(levels, permission)) return false;
  if (eventId === undefined || scope.kind === 'all') return true;
  return scope.kind === 'events' && scope.eventIds.includes(eventId);
}

/** Whether a grant allows nothing, for no event, that `most` does not allow. The ends are not compared, see `endsAfter`. */
export function isGrantWithin({ levels, scope }: Grant, most: Grant): boolean {
  if (!isWithin(levels, most.levels)) return false;
  const own = most.scope;
  if (own.kind === 'all') return true;
  if (own.kind === 'events') return scope.kind === 'events' && scope.eventIds.every((id) => own.eventIds.includes(id));
  return scope.kind === 'kinds' && scope.kinds.every((kind) => own.kinds.includes(kind));
}

/** Whether a grant ends later than another one. */
export const endsAfter = (grant: Pick<Grant, 'endsAt'>, other: Pick<Grant, 'endsAt'>): boolean =>
  other.endsAt !== undefined && (grant.endsAt === undefined || grant.endsAt > other.endsAt);

const personal: readonly Permission[] = ['contact.see', 'money.see'];

/** What the owner of a key needs for each scope. Answers of the API hide nothing, so that amounts and addresses are needed, too. */
export const scopeNeeds: Readonly<Record<Scope, readonly Permission[]>> = {
  'event:read': ['event.see', 'figures.see'],
  'event:write': ['event.change', 'figures.see'],
  'product:read': ['product.see'],
  'product:write': ['product.change'],
  'reservation:read': ['reservation.see', ...personal],
  'reservation:write': ['reservation.sell', 'refund.give', ...personal],
  'ticket:read': ['ticket.see', ...personal],
  'ticket:write': ['ticket.change', 'refund.give', ...personal],
  'membership:read': ['membership.see', ...personal],
  'membership:write': ['membership.change', ...personal],
  'code:read': ['code.see', 'money.see'],
  'code:write': ['code.change', 'money.see'],
  'gift_card:read': ['payment.see', ...personal],
  // Whoever issues a card gives money away, as with a refund.
  'gift_card:write': ['payment.change', 'refund.give', ...personal],
  'campaign:read': ['product.see', 'money.see'],
  'campaign:write': ['product.change', 'money.see'],
  'customer:read': ['payment.see', ...personal],
  'customer:write': ['payment.change', ...personal],
  'place:read': ['place.see'],
  'place:write': ['place.change'],
  'webhook:read': ['webhook.see'],
  'webhook:write': ['webhook.change'],
  'card:read': ['card.see'],
  // No scope of keys.
  'card:write': ['card.see'],
};

/**
 * The scopes that keys of a person may have. A key ends with nothing and knows no events: a person whose right ends or is about some events
 * has none.
 */
export function keyScopesOf(grant: Grant): Scope[] {
  if (grant.scope.kind !== 'all' || grant.endsAt !== undefined || !grantAllows(grant, 'key.change')) return [];
  return allScopes.filter((scope) => scopeNeeds[scope].every((need) => grantAllows(grant, need)));
}
