import { createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import { RateLimits, type Client } from '#kernel';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import type { TenantIdentity } from '../context/tenant-context.js';
import { TenantsService } from '../tenants/tenants.service.js';

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

/** Injects the client of a request; undefined for programs on this machine or its private network, such as the proxy itself. */
export const DistantClient = createParamDecorator((_options: unknown, context: ExecutionContext): Client | undefined => {
  const request = context.switchToHttp().getRequest<Request>();
  const { ip, socket } = request;
  if (!ip || ip !== socket.remoteAddress || !ipaddr.isValid(ip)) return request;
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(ip).range()) ? undefined : request;
});
