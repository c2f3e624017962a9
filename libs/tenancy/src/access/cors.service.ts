import { Injectable } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request, RequestHandler, Response } from 'express';
import { ControllerRoutes } from './controller-routes.js';
import { problem } from '../context/tenancy.problems.js';
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

/** The headers of answers that are not readable by themselves. */
const exposedHeaders = [
  'X-Request-Id',
  'Location',
  'ETag',
  'Link',
  'Retry-After',
  'Idempotency-Replayed',
  'Preference-Applied',
  'Deprecation',
  'Content-Disposition',
  'WWW-Authenticate',
  'Allow',
];

/** How long browsers remember a preflight, in seconds. A removed origin is refused at once: requests ask the key itself. */
const maxAge = 600;

const none: CorsOptions = { origin: false };

/**
 * Which web pages may call the API (Fetch standard, "CORS protocol"). Cookies never count below the API, so credentials are never allowed.
 *
 * Order in the application: `look`, `openReads`, the tenant, `keyed`, `answerOptions`. Headers are set before anything can fail, so that
 * pages can read problems, too. `AccessGuard` knows the key and calls `applyOrigins`.
 */
@Injectable()
export class CorsService {
  private paths: CorsPaths | undefined;

  constructor(
    private readonly routes: ControllerRoutes,
    private readonly origins: KeyOriginsService,
  ) {}

  /** Finds out what the path is. */
  readonly look: RequestHandler = (request, response, next) => {
    const path = (this.paths ??= new CorsPaths(this.routes.all())).find(request.path);
    if (path) {
      request.corsPath = path;
      // Also without an origin: a cache must not give that answer to a page.
      if ([...path.kinds.values()].some((kind) => kind === 'key' || kind === 'guest')) response.vary('Origin');
      if (request.method === 'OPTIONS') response.set('Allow', [...path.kinds.keys(), 'OPTIONS'].toSorted().join(', '));
    }
    next();
  };

  /** What pages of every origin may read. Needs no tenant: an unknown host is a problem that pages can read. */
  readonly openReads: CorsOptionsDelegate<Request> = (request, done) => {
    const path = request.corsPath;
    const kind = path && kindOf(path, request);
    // A path that is none is a problem that pages can read.
    const unknown = !path && request.method !== 'OPTIONS' && /^\/api(\/|$)/i.test(request.path);
    const open = unknown || kind === 'any' || (kind === 'guest' && !sendsKey(request));
    done(null, open ? optionsFor('*', path, ['any', 'guest']) : none);
  };

  /** What pages of the origins may call that some usable key of the tenant lists. */
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

  /** `OPTIONS` of the API, where no page is allowed or none asks. */
  readonly answerOptions: RequestHandler = (request, response, next) => {
    if (request.method === 'OPTIONS' && request.corsPath) response.status(204).set('Content-Length', '0').end();
    else next();
  };
}

/**
 * Decides by the key that a request carries. Requests without `Origin`, and those of pages of this host, are not concerned.
 * A key without origins serves them too, as programs that are no browsers send `Origin` as well; pages elsewhere cannot read the answer.
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

/** @param kinds those of the path's methods that a page may then use */
function optionsFor(origin: string, path: CorsPath | undefined, kinds: readonly CorsKind[]): CorsOptions {
  const methods = [...(path?.kinds ?? [])].filter(([, kind]) => kinds.includes(kind)).map(([method]) => method);
  return { origin, methods, allowedHeaders, exposedHeaders, maxAge, optionsSuccessStatus: 204 };
}

/** What the called route is. Of a method that the path does not have: what its other routes are. */
function kindOf({ kinds }: CorsPath, request: Request): CorsKind {
  const method = request.method === 'OPTIONS' ? request.get('Access-Control-Request-Method') : request.method;
  return kinds.get(method ?? '') ?? kinds.values().next().value ?? 'none';
}

/** A preflight names the headers that the request will carry. */
function sendsKey(request: Request): boolean {
  if (request.method !== 'OPTIONS') return request.headers.authorization !== undefined;
  return /(^|,)\s*authorization\s*(,|$)/i.test(request.get('Access-Control-Request-Headers') ?? '');
}

/** Browsers send `Origin` to their own host as well, when something is changed. */
function isSameOrigin(request: Request, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === request.host?.toLowerCase();
}
