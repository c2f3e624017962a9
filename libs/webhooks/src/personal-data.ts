import { demandScope, type Principal, type Scope } from '#tenancy';
import { everyType, nounOf, webhookEventTypes } from './webhook-events.js';

/** The scope that a type needs beside `webhook`; undefined: none. */
export function scopeOfType(type: string): Scope | undefined {
  return nounOf(type)?.personal ?? undefined;
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
