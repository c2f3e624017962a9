import { problem, unauthorized } from './tenancy.problems.js';

/** Why a key may not be used now. */
export interface KeyState {
  readonly revoked: boolean;
  readonly expired: boolean;
  readonly suspended: boolean;
}

/**
 * SQL condition on a row `k` of shared.api_key: the key is usable now. Scan statements contain it, so that a cached key is checked again.
 * `shared.enter_tenant` has the same condition.
 */
export const keyIsUsable = '(k.revoked_at is null and k.suspended_at is null and (k.expires_at is null or k.expires_at > now()))';

/** SQL of the columns of `KeyState` of a row `k` of shared.api_key. */
export const keyStateSql = `coalesce(k.expires_at <= now(), false) as expired, k.suspended_at is not null as suspended,
    k.revoked_at is not null as revoked`;

/** The problem of a key that may not be used, unless it is revoked; undefined: it may. */
export function problemOfKey({ expired, suspended }: KeyState, kind: 'gdev' | 'gkey'): Error | undefined {
  if (expired) return problem('key.expired', unauthorized);
  if (suspended) return problem(kind === 'gdev' ? 'device.archived' : 'key.suspended');
  return undefined;
}

/** The problem of an integration key that may not be used: 401 `key.revoked`, `key.expired`; 403 `key.suspended`. */
export function problemOfUnusableKey(state: KeyState & { readonly deleted: boolean }): Error {
  const gone = state.deleted || state.revoked;
  return (gone ? undefined : problemOfKey(state, 'gkey')) ?? problem('key.revoked', unauthorized);
}
