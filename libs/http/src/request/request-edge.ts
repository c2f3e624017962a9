import type { Request, RequestHandler } from 'express';
import type { Logger } from '#kernel';
import { requestSeconds } from '#kernel';

/**
 * Logs one JSON line and records one metric per request: tenant, method, route pattern, status, milliseconds. Logs neither the path, which
 * may contain tokens, nor query, body, address or names.
 */
export function requestLog(logger: Logger, enabled: boolean): RequestHandler {
  return (request, response, next) => {
    const started = process.hrtime.bigint();
    const { requestId } = request.context;
    response.once('close', () => {
      const milliseconds = Number(process.hrtime.bigint() - started) / 1e6;
      const route = routeOf(request);
      const status = response.writableFinished ? response.statusCode : 499;
      requestSeconds.observe({ route, method: methodOf(request), status: `${Math.trunc(status / 100)}xx` }, milliseconds / 1000);
      if (!enabled) return;
      const { tenant } = request as Request & { tenant?: { slug: string } };
      logger.info(
        {
          requestId,
          tenant: tenant?.slug,
          method: request.method,
          route,
          status,
          ms: Math.round(milliseconds * 10) / 10,
        },
        'request',
      );
    });
    next();
  };
}

/** In lower case: the router accepts any case, and each spelling would be another time series in the memory of the process. */
function routeOf(request: Request): string {
  const path: unknown = (request.route as { path?: unknown } | undefined)?.path;
  const base = request.baseUrl.toLowerCase();
  return typeof path === 'string' ? `${base}${path}` : base || 'none';
}

/** Methods that routes have. Node accepts thirty more. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function methodOf({ method }: Request): string {
  return methods.has(method) ? method : 'other';
}
