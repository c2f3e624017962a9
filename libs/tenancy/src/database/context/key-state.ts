import { problem, unauthorized } from './tenancy.problems.js';

/** Why a key may not be used now. */
export interface KeyState {
  readonly revoked: boolean;
  readonly expired: boolean;
  readonly suspended: boolean;
}

/** SQL: why a row `k` of shared.api_key may not be used now. `shared.enter_tenant` says the same. */
const faults: Readonly<Record<keyof KeyState, string>> = {
  expired: 'coalesce(k.expires_at <= now(), false)',
  suspended: 'k.suspended_at is not null',
  revoked: 'k.revoked_at is not null',
};

/** SQL: the key is usable now. Scan statements contain it, so that a cached key is checked again. */
export const keyIsUsable = `not (${Object.values(faults).join(' or ')})`;

/** SQL of the columns of `KeyState`. */
export const keyStateSql = Object.entries(faults)
  .map(([name, sql]) => `${sql} as ${name}`)
  .join(', ');

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
