import { isIP } from 'node:net';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { negotiateLanguage } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { problem, refuseUnfitSchema } from '../context/tenancy.problems.js';
import { runInTenant, type TenantIdentity } from '../context/tenant-context.js';
import { refuseInState } from '../context/state-answers.js';
import { TenantsService } from '../tenants/tenants.service.js';

declare module 'express-serve-static-core' {
  interface Request {
    tenant?: TenantIdentity;
  }
}

/** From here on `currentTenant` knows the tenant. Behind the body parser, whose events would lose the scope. */
export const enterTenant: RequestHandler = (request, _response, next) => {
  if (request.tenant) runInTenant(request.tenant, next);
  else next();
};

/** What is answered in place on every domain: programs do not like to be sent elsewhere, and pictures are shown by pages elsewhere. */
const apiPath = /^\/(api|scan|tenant|images)(\/|$)/i;

/**
 * Host → tenant, for everything behind it. The host is `Host`, or `X-Forwarded-Host` from a configured proxy (Express decides by
 * `trust proxy`). An IP address or a single label that is nobody's domain means `DEFAULT_TENANT`, if there is one.
 */
@Injectable()
export class TenantMiddleware implements NestMiddleware {
  constructor(
    private readonly tenants: TenantsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const host = hostNameOf(request);
    if (host === undefined) return next(problem('tenant.unknown'));
    const tenant = (await this.tenants.ofHost(host)) ?? (await this.fallback(host));
    if (!tenant) return next(problem('tenant.unknown'));
    request.context.language = negotiateLanguage(request, tenant.language);
    request.tenant = tenant;
    // Known from the cached look-up. Also what needs no data stops here, so that nobody sees half a page or signs in meanwhile.
    refuseUnfitSchema(tenant);
    refuseInState(tenant, request);
    if (isPage(request) && host !== tenant.host && tenant.host !== '' && (await this.tenants.ofHost(host))) {
      const port = /:\d+$/.exec(request.host ?? '')?.[0] ?? '';
      return response.redirect(302, `${request.protocol}://${tenant.host}${port}${request.originalUrl}`);
    }
    next();
  }

  private async fallback(host: string): Promise<TenantIdentity | undefined> {
    const slug = this.settings.defaultTenant;
    if (!slug || !(isIP(host) || !host.includes('.'))) return undefined;
    return this.tenants.ofHost(`${slug}.${this.settings.baseDomain}`);
  }
}

/** The host name without port, in lower case; undefined when it is none that a domain could have. */
function hostNameOf(request: Request): string | undefined {
  // `venue.example.org.` is the same host, written with the root of DNS.
  const named = request.hostname?.toLowerCase().replace(/\.$/, '');
  if (!named) return undefined;
  const host = named.startsWith('[') ? named.slice(1, -1) : named;
  if (isIP(host)) return host;
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(host) && !host.includes('..') ? host : undefined;
}

function isPage(request: Request): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !apiPath.test(request.path);
}
