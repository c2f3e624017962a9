import { SetMetadata } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import type { ScopeNoun } from '../../people/roles/api-key-scopes.js';
import { accessKey, type AccessRule, type PublicLimit } from './access-rule.js';

/**
 * Declares who may call a route, or all routes of a controller. Without it the application does not start. Controllers with routes for
 * integration keys answer requests that are repeated with an `Idempotency-Key`.
 */
export function Access(who: 'public', limit?: PublicLimit): MethodDecorator & ClassDecorator;
export function Access(who: 'device' | 'door'): MethodDecorator & ClassDecorator;
export function Access(who: 'key', scope: ScopeNoun, how: { readonly checkedByTransaction: true }): MethodDecorator;
export function Access(who: 'key' | 'guest', scope: ScopeNoun): MethodDecorator & ClassDecorator;
export function Access(who: AccessRule['who'], more?: ScopeNoun | PublicLimit, how?: object): MethodDecorator & ClassDecorator {
  const declare = SetMetadata(accessKey, who === 'public' ? { who, limit: more } : { who, scope: more, ...how });
  return (target: object, name?: string | symbol, method?: PropertyDescriptor): void => {
    if (who === 'key' || who === 'guest') storesAnswers(method ? target.constructor : target);
    if (method) declare(target, name as string | symbol, method);
    else declare(target as never);
  };
}

/**
 * Adds the interceptor that stores answers, before all others of the controller, because it stores what they answer. It is not a global
 * interceptor, because that would cost every scan time.
 */
function storesAnswers(controller: object): void {
  const others = (Reflect.getMetadata(INTERCEPTORS_METADATA, controller) ?? []) as unknown[];
  if (others.includes(IdempotencyInterceptor)) return;
  Reflect.defineMetadata(INTERCEPTORS_METADATA, [IdempotencyInterceptor, ...others], controller);
}
