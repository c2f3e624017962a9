import { isIP } from 'node:net';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { followLanguageChoice, isPagePath, negotiateLanguage } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { problem, refuseUnfitSchema } from '../../database/context/tenancy.problems.js';
import { runInTenant, type TenantIdentity } from '../../database/context/tenant-context.js';
import { refuseInState } from '../../database/context/state-answers.js';
import { HostLookUpsService } from './host-look-ups.service.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';

declare module 'express-serve-static-core' {
  interface Request {
    tenant?: TenantIdentity;
  }
}

/** Makes `currentTenant` available. Must run after the body parser, whose events would lose the scope. */
export const enterTenant: RequestHandler = (request, _response, next) => {
  if (request.tenant) runInTenant(request.tenant, next);
  else next();
};

/**
 * Finds the tenant of the host, which is `Host`, or `X-Forwarded-Host` from a configured proxy (Express setting `trust proxy`). An IP
 * address or a single label that is no domain of a tenant means `DEFAULT_TENANT`, if set.
 */
@Injectable()
export class TenantMiddleware implements NestMiddleware {
  constructor(
    private readonly tenants: TenantsService,
    private readonly hosts: HostLookUpsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const host = hostNameOf(request);
    if (host === undefined) return next(problem('tenant.unknown'));
    const tenant = await this.hosts.find(host, request, this.fallback(host));
    if (!tenant) return next(problem('tenant.unknown'));
    request.context.address = request.originalUrl;
    request.context.cookie = request.headers.cookie;
    request.context.language = negotiateLanguage(request, tenant.language);
    request.tenant = tenant;
    // Uses the cached tenant. Also applies to routes without data, so that nobody sees half a page or signs in meanwhile.
    refuseUnfitSchema(tenant);
    refuseInState(tenant, request);
    if (isPage(request) && host !== tenant.host && tenant.host !== '' && (await this.tenants.ofHost(host))) {
      const port = /:\d+$/.exec(request.host ?? '')?.[0] ?? '';
      return response.redirect(302, `${request.protocol}://${tenant.host}${port}${request.originalUrl}`);
    }
    followLanguageChoice(request, response, next);
  }

  private fallback(host: string): string | undefined {
    const slug = this.settings.defaultTenant;
    if (!slug || !(isIP(host) || !host.includes('.'))) return undefined;
    return `${slug}.${this.settings.baseDomain}`;
  }
}

/** The host name without port, in lower case; undefined when no domain can have it. */
function hostNameOf(request: Request): string | undefined {
  // `venue.example.org.` with a final dot is the same host.
  const named = request.hostname?.toLowerCase().replace(/\.$/, '');
  if (!named) return undefined;
  const host = named.startsWith('[') ? named.slice(1, -1) : named;
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(host) && !host.includes('..')) return host;
  return isIP(host) ? host : undefined;
}

function isPage(request: Request): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && isPagePath(request.path);
}
