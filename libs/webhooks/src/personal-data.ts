import { demandScope, type Principal, type Scope } from '#tenancy';
import { everyType, webhookEventTypes } from './webhook-events.js';

/** Event types that carry names or e-mail addresses, by their noun: they also need the read scope of that noun. */
const personalScopes = new Map<string, Scope>([
  ['reservation', 'reservation:read'],
  ['ticket', 'ticket:read'],
  ['membership', 'membership:read'],
]);

/** The scope that a type needs beside `webhook`; undefined: none. */
export function scopeOfType(type: string): Scope | undefined {
  return personalScopes.get(type.split('.')[0] as string);
}

/**
 * Refuses a key that lacks the scopes of these types.
 * @param types of an endpoint; `*` is every type
 * @throws Problem 403 `key.scope` naming the first missing scope
 */
export function demandScopesOf(caller: Principal, types: readonly string[]): void {
  const meant = types.includes(everyType) ? webhookEventTypes : types;
  for (const scope of new Set(meant.flatMap((type) => scopeOfType(type) ?? []))) demandScope(caller, scope);
}

/** The types that a caller may read in the feed. */
export function readableTypes(caller: Principal): string[] {
  const scopes: readonly string[] = caller.kind === 'integration' ? caller.scopes : [];
  return webhookEventTypes.filter((type) => {
    const scope = scopeOfType(type);
    return scope === undefined || scopes.includes(scope);
  });
}
