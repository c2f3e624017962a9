import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { kernelProblem as problem } from '#kernel';

/** The host of an `Origin` header; null when it is absent, malformed or `null`. */
function originHost(origin: string | undefined): string | null {
  try {
    return origin ? new URL(origin).host : null;
  } catch {
    return null;
  }
}

/**
 * Whether a page of this host sent the request. Browsers say so in `Sec-Fetch-Site`, which pages cannot set; older browsers, and all
 * browsers on plain http, send only `Origin`.
 */
export function isFromThisSite(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const host = request.host;
  return host !== undefined && originHost(request.headers.origin) === host.toLowerCase();
}

/** Refuses requests that no page of this host sent. For forms without a session, to which a CSRF token could be bound. */
@Injectable()
export class SameOriginGuard implements CanActivate {
  /** @throws Problem 403 `request.origin` */
  canActivate(context: ExecutionContext): boolean {
    if (isFromThisSite(context.switchToHttp().getRequest<Request>())) return true;
    throw problem('request.origin');
  }
}
