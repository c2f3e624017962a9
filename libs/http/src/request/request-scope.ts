import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { runInRequest, type RequestContext } from '#kernel';
import { prefersLenient } from '../leniency/preferences.js';

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

/** Headers that proxies add. Some proxies add none. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via', 'cf-connecting-ip'];

/** Whether a program of this machine sent the request itself: no header says that it came through a proxy. */
export function isOfOwnMachine({ socket, headers }: IncomingMessage): boolean {
  return /^(::1$|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '') && !proxyHeaders.some((name) => headers[name] !== undefined);
}

/** The first middleware: sets the request id, and keeps who waits for the answer. */
export const attachContext: RequestHandler = (request, response, next) => {
  const requestId = requestIdOf(request);
  const isOwnMachine = isOfOwnMachine(request);
  request.context = { requestId, client: response, ip: request.ip, isOwnMachine, isLenient: prefersLenient(request) };
  response.setHeader('X-Request-Id', requestId);
  next();
};

/** Makes `currentRequest` and `currentLanguage` available. Must run after the body parser, whose events would lose the scope. */
export const enterRequest: RequestHandler = (request, _response, next) => runInRequest(request.context, next);

/** The caller's `X-Request-Id` when it is well-formed, otherwise a new UUID. */
function requestIdOf(request: IncomingMessage): string {
  const offered = request.headers['x-request-id'];
  return typeof offered === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(offered) ? offered : randomUUID();
}
