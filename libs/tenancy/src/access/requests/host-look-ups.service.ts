import { createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import { isNearAddress, RateLimits, type Client } from '#kernel';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import type { TenantIdentity } from '../../database/context/tenant-context.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';

/** Finds tenants by the host names that clients send, and limits how many unknown names a client network may send. */
@Injectable()
export class HostLookUpsService {
  constructor(
    private readonly tenants: TenantsService,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Finds the tenant of a host. A host that was not found lately is counted for the client's network before the look-up; the count is
   * taken back when a tenant has it.
   * @param host no port, lower case
   * @param client undefined: not counted
   * @param fallback the host to look up when no tenant has `host`
   * @throws Problem 429 `rate.limited`; 503 `server.busy` when too many unknown hosts are being looked up
   */
  async find(host: string, client: Client | undefined, fallback?: string): Promise<TenantIdentity | undefined> {
    const counted = client && !this.tenants.isKnownHost(host) ? client : undefined;
    if (counted) this.limits.countNetwork('unknownHosts', counted);
    const found = await this.tenants.ofHost(host);
    if (found && counted) this.limits.giveBack('unknownHosts', counted);
    if (found || fallback === undefined) return found;
    const tenant = await this.tenants.ofHost(fallback);
    // It may be the address of the machine: its next requests do not count.
    if (tenant) this.tenants.excuseHost(host);
    return tenant;
  }
}

/**
 * Injects the client of a request; undefined for a proxy in `TRUSTED_PROXIES` and for programs on this machine or its private network that
 * ask by themselves.
 */
export const DistantClient = createParamDecorator((_options: unknown, context: ExecutionContext): Client | undefined =>
  distantClientOf(context.switchToHttp().getRequest<Request>()),
);

/** See `DistantClient`. */
export function distantClientOf<Asking extends Pick<Request, 'app' | 'headers' | 'ip' | 'socket'>>(request: Asking): Asking | undefined {
  const { app, ip, socket } = request;
  if (!ip || ip !== socket.remoteAddress || !ipaddr.isValid(ip)) return request;
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return isNearAddress(ip) || isProxy(ip, 0) ? undefined : request;
}
