import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

/** SQL: the id of the Meta that was installed first. */
export const firstMetaSql = `select id from shared.tenant where category = 'M' and state <> 'deleting' order by created_at, id limit 1`;

const firstMetaKey = 'guichet:first-meta';

/** Restricts routes to the first Meta of the server. On other hosts they answer like unknown paths, whatever the key. */
export function FirstMetaOnly(): MethodDecorator & ClassDecorator {
  return SetMetadata(firstMetaKey, true);
}

/** Whether a route has `@FirstMetaOnly`. */
export function isFirstMetaOnly(reflector: Reflector, context: ExecutionContext): boolean {
  return reflector.getAllAndOverride<true | undefined>(firstMetaKey, [context.getHandler(), context.getClass()]) === true;
}
