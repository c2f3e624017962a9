import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { runInRequest, type RequestContext } from '#kernel';

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

/** First of all: the request id. */
export const attachContext: RequestHandler = (request, response, next) => {
  const requestId = requestIdOf(request);
  request.context = { requestId, client: response };
  response.setHeader('X-Request-Id', requestId);
  next();
};

/** From here on `currentRequest` and `currentLanguage` know the request. Behind the body parser, whose events would lose the scope. */
export const enterRequest: RequestHandler = (request, _response, next) => runInRequest(request.context, next);

/** The caller's `X-Request-Id` when it is a sane one, else a new UUID. */
function requestIdOf(request: IncomingMessage): string {
  const offered = request.headers['x-request-id'];
  return typeof offered === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(offered) ? offered : randomUUID();
}
