import type { Reflector } from '@nestjs/core';
import type { ScopeNoun } from '../../people/roles/api-key-scopes.js';

/** The rate limit per network that a public route counts for; default `pages`. `none`: for health checks and static files. */
export type PublicLimit = 'pages' | 'pictures' | 'pairing' | 'tenantForm' | 'none';

/**
 * Who may call a route.
 * - `public`: everybody
 * - `device`: a device key, looked up on every request
 * - `door`: a device key, cached by `ApiKeysService.authenticate`; only for routes whose statement checks `keyIsUsable`
 * - `key`: an integration key with the scope of this noun (`read` for GET and HEAD, otherwise `write`)
 *   `checkedByTransaction`: the key is cached like that of a door, unless the request has an `Idempotency-Key`, and the first
 *   transaction of the request checks it; only for methods that read and write nothing before, but may refuse
 * - `guest`: everybody; when a key is sent, `key` must accept it, except that for methods other than GET and HEAD the scope `read` or
 * `write` is sufficient: the route checks the one it needs with `demandScope`
 */
export type AccessRule =
  | { readonly who: 'public'; readonly limit?: PublicLimit | undefined }
  | { readonly who: 'device' | 'door' }
  | { readonly who: 'key'; readonly scope: ScopeNoun; readonly checkedByTransaction?: boolean }
  | { readonly who: 'guest'; readonly scope: ScopeNoun };

/** Key of the decorator's metadata. */
export const accessKey = 'guichet:access';

/** The rule of a route: the method's own, otherwise its controller's. */
export function ruleOf(reflector: Reflector, handler: object, controller: object): AccessRule | undefined {
  return reflector.getAllAndOverride<AccessRule | undefined>(accessKey, [handler as never, controller as never]);
}
