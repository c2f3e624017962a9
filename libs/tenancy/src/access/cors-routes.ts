import { SetMetadata } from '@nestjs/common';
import { grouped } from '#kernel';
import type { ControllerRoute } from './controller-routes.js';

const anyOriginKey = 'guichet:any-origin';

/** Web pages of any origin may read this public route. Public reads below `/api/` need no mark. */
export function AnyOrigin(): MethodDecorator {
  return SetMetadata(anyOriginKey, true);
}

/**
 * Which web pages may call a route.
 * - `any`: those of any origin
 * - `guest`: those of any origin without a key; with a key, those that the key lists
 * - `key`: those of the origins that the key lists
 * - `none`: those of its own host alone
 */
export type CorsKind = 'any' | 'guest' | 'key' | 'none';

const apiPath = /^\/(api|scan|tenant)(\/|$)/i;

function kindOf({ rule, method, path, handler }: ControllerRoute): CorsKind {
  const reads = method === 'GET' || method === 'HEAD';
  if (rule?.who === 'public') {
    const marked = Reflect.getMetadata(anyOriginKey, handler) === true;
    return reads && (marked || path.startsWith('/api/')) ? 'any' : 'none';
  }
  if (rule?.who === 'guest') return reads ? 'guest' : 'key';
  return rule?.who === 'key' ? 'key' : 'none';
}

/** What the routes of one path are. */
export interface CorsPath {
  /** By method; `HEAD` goes with `GET`. */
  readonly kinds: ReadonlyMap<string, CorsKind>;
}

/** Finds the routes of a request's path, as the router does: any case, with and without a final slash, the first pattern that fits. */
export class CorsPaths {
  /** By the first segment of the path. */
  private readonly patterns: ReadonlyMap<string, readonly Pattern[]>;

  constructor(routes: readonly ControllerRoute[]) {
    const byPath = new Map<string, Map<string, CorsKind>>();
    for (const route of routes) {
      const kind = kindOf(route);
      if (kind === 'none' && !apiPath.test(route.path)) continue;
      const kinds = byPath.get(route.path) ?? new Map<string, CorsKind>();
      byPath.set(route.path, kinds.set(route.method, kind));
      if (route.method === 'GET' && !kinds.has('HEAD')) kinds.set('HEAD', kind);
    }
    const patterns = [...byPath].map(([path, kinds]) => ({ first: firstOf(path), pattern: patternOf(path), kinds }));
    this.patterns = grouped(patterns, ({ first }) => first);
  }

  /** @returns undefined when no route has the path, or only routes that are neither of the API nor for pages elsewhere */
  find(path: string): CorsPath | undefined {
    return this.patterns.get(firstOf(path))?.find(({ pattern }) => pattern.test(path));
  }
}

interface Pattern extends CorsPath {
  readonly pattern: RegExp;
}

function firstOf(path: string): string {
  return (path.split('/', 2)[1] ?? '').toLowerCase();
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}/?$`, 'i');
}
