import { SetMetadata } from '@nestjs/common';
import { grouped } from '#kernel';
import type { ControllerRoute } from './controller-routes.js';

const anyOriginKey = 'guichet:any-origin';

/** Allows web pages of any origin to read this public route. Public reads below `/api/` need no mark. */
export function AnyOrigin(): MethodDecorator {
  return SetMetadata(anyOriginKey, true);
}

/**
 * Which web pages may call a route.
 * - `any`: pages of any origin
 * - `guest`: pages of any origin without a key; with a key, those of the origins that it lists
 * - `key`: pages of the origins that the key lists
 * - `none`: only pages of the same host
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

/** The routes of one path. */
export interface CorsPath {
  /** By method; `HEAD` goes with `GET`. */
  readonly kinds: ReadonlyMap<string, CorsKind>;
}

/** Finds the routes of a request's path like the router: case-insensitive, with or without a final slash, first matching pattern. */
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

  /** @returns undefined when the path has no route, or only routes outside the API that are not marked with `@AnyOrigin` */
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
