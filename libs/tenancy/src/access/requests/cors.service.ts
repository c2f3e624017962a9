import { Injectable } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request, RequestHandler, Response } from 'express';
import { ControllerRoutes } from './controller-routes.js';
import { problem } from '../../database/context/tenancy.problems.js';
import { CorsPaths, type CorsKind, type CorsPath } from './cors-routes.js';
import { KeyOriginsService } from './key-origins.service.js';

declare module 'express-serve-static-core' {
  interface Request {
    corsPath?: CorsPath;
  }
}

/** The headers that the API reads. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Accept-Language',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Prefer',
  'X-Request-Id',
];

/** Response headers that pages can only read when they are exposed. */
const exposedHeaders = [
  'X-Request-Id',
  'Location',
  'ETag',
  'Link',
  'Retry-After',
  'Idempotency-Replayed',
  'Preference-Applied',
  'Ignored-Members',
  'Deprecation',
  'Content-Disposition',
  'WWW-Authenticate',
  'Allow',
];

/** How long browsers cache a preflight, in seconds. A removed origin is refused at once, because requests check the key. */
const maxAge = 600;

const none: CorsOptions = { origin: false };

/**
 * Decides which web pages may call the API (Fetch standard, "CORS protocol"). The API ignores cookies, so credentials are never allowed.
 *
 * Order of the middleware: `look`, `openReads`, the tenant, `keyed`, `answerOptions`. Headers are set before any error can occur, so that
 * pages can read problems too. `AccessGuard` knows the key and calls `applyOrigins`.
 */
@Injectable()
export class CorsService {
  private paths: CorsPaths | undefined;

  constructor(
    private readonly routes: ControllerRoutes,
    private readonly origins: KeyOriginsService,
  ) {}

  /** Finds the routes of the request's path. */
  readonly look: RequestHandler = (request, response, next) => {
    const path = (this.paths ??= new CorsPaths(this.routes.all())).find(request.path);
    if (path) {
      request.corsPath = path;
      // Also without `Origin`, so that caches do not serve this answer to a page.
      if ([...path.kinds.values()].some((kind) => kind === 'key' || kind === 'guest')) response.vary('Origin');
      if (request.method === 'OPTIONS') response.set('Allow', [...path.kinds.keys(), 'OPTIONS'].toSorted().join(', '));
    }
    next();
  };

  /** CORS for routes that pages of any origin may read. Needs no tenant, so that pages can read the problem of an unknown host. */
  readonly openReads: CorsOptionsDelegate<Request> = (request, done) => {
    const path = request.corsPath;
    const kind = path && kindOf(path, request);
    // An unknown path, whose problem pages can read.
    const unknown = !path && request.method !== 'OPTIONS' && /^\/api(\/|$)/i.test(request.path);
    const open = unknown || kind === 'any' || (kind === 'guest' && !sendsKey(request));
    done(null, open ? optionsFor('*', path, ['any', 'guest']) : none);
  };

  /** CORS for origins that a usable key of the tenant lists. */
  readonly keyed: CorsOptionsDelegate<Request> = (request, done) => {
    const path = request.corsPath;
    const kind = path && kindOf(path, request);
    const { origin } = request.headers;
    const asks = kind === 'key' || (kind === 'guest' && sendsKey(request));
    if (!asks || origin === undefined || !request.tenant || isSameOrigin(request, origin)) return done(null, none);
    this.origins.isListed(request.tenant, origin).then(
      (listed) => done(null, listed ? optionsFor(origin, path, ['key', 'guest']) : none),
      (error: unknown) => done(error as Error, none),
    );
  };

  /** Answers `OPTIONS` requests of the API that are no preflight, or whose origin is not allowed. */
  readonly answerOptions: RequestHandler = (request, response, next) => {
    if (request.method === 'OPTIONS' && request.corsPath) response.status(204).set('Content-Length', '0').end();
    else next();
  };
}

/**
 * Checks the origin of a request with a key. Ignores requests without `Origin`, and those of pages of this host. A key without origins is
 * accepted, because programs other than browsers send `Origin` too; pages of other origins cannot read the answer.
 * @throws Problem 403 `key.origin` when the key lists origins and this one is not among them
 */
export function applyOrigins(request: Request, response: Response, allowedOrigins: readonly string[]): void {
  const { origin } = request.headers;
  if (origin === undefined || isSameOrigin(request, origin)) return;
  if (allowedOrigins.includes(origin)) {
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders.join(',') });
    return;
  }
  response.removeHeader('Access-Control-Allow-Origin');
  response.removeHeader('Access-Control-Expose-Headers');
  if (allowedOrigins.length > 0) throw problem('key.origin');
}

/** @param kinds methods of these kinds are allowed for the page */
function optionsFor(origin: string, path: CorsPath | undefined, kinds: readonly CorsKind[]): CorsOptions {
  const methods = [...(path?.kinds ?? [])].filter(([, kind]) => kinds.includes(kind)).map(([method]) => method);
  return { origin, methods, allowedHeaders, exposedHeaders, maxAge, optionsSuccessStatus: 204 };
}

/** The kind of the called route; for a method that the path does not have, the kind of its other routes. */
function kindOf({ kinds }: CorsPath, request: Request): CorsKind {
  const method = request.method === 'OPTIONS' ? request.get('Access-Control-Request-Method') : request.method;
  return kinds.get(method ?? '') ?? kinds.values().next().value ?? 'none';
}

/** A preflight lists the headers that the request will have. */
function sendsKey(request: Request): boolean {
  if (request.method !== 'OPTIONS') return request.headers.authorization !== undefined;
  return /(^|,)\s*authorization\s*(,|$)/i.test(request.get('Access-Control-Request-Headers') ?? '');
}

/** Browsers also send `Origin` to their own host, for unsafe methods. */
function isSameOrigin(request: Request, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === request.host?.toLowerCase();
}
