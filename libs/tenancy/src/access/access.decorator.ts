import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import type { ScopeNoun } from '../keys/api-key-scopes.js';
import { accessKey, type AccessRule, type PublicLimit } from './access-rule.js';

/**
 * Declares who may call a route, or all routes of a controller. Without it the application does not start. Routes for integration keys
 * answer requests that are repeated with an `Idempotency-Key`.
 */
export function Access(who: 'public', limit?: PublicLimit): MethodDecorator & ClassDecorator;
export function Access(who: 'device' | 'door'): MethodDecorator & ClassDecorator;
export function Access(who: 'key' | 'guest', scope: ScopeNoun): MethodDecorator & ClassDecorator;
export function Access(who: AccessRule['who'], more?: ScopeNoun | PublicLimit): MethodDecorator & ClassDecorator {
  const rule = SetMetadata(accessKey, who === 'public' ? { who, limit: more } : { who, scope: more });
  // Not a global interceptor: it would cost every scan time.
  return who === 'key' || who === 'guest' ? applyDecorators(rule, UseInterceptors(IdempotencyInterceptor)) : rule;
}
