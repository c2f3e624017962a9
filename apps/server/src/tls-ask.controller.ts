import { Controller, Get, Header, Query } from '@nestjs/common';
import { Problem, type Client } from '#kernel';
import { Access, asciiHost, DistantClient, HostLookUpsService } from '#tenancy';

/**
 * Whether a proxy may request a certificate for a host (Caddy's `on_demand_tls { ask }`). Available on any host, without a tenant. Public,
 * because the answer reveals no more than a request to the host itself. All requests of a proxy come from one address, so they are not
 * counted per client; look-ups of unknown hosts have a common limit. Requests from other addresses count like requests to unknown hosts.
 */
@Controller('tls')
@Access('public', 'none')
export class TlsAskController {
  constructor(private readonly hosts: HostLookUpsService) {}

  /** 200 for a host of a tenant, 404 otherwise. The same lookup as for a request, cached for a second. */
  @Get('ask')
  @Header('Cache-Control', 'no-store')
  async ask(@Query('domain') domain: unknown, @DistantClient() client: Client | undefined): Promise<object> {
    const host = typeof domain === 'string' ? asciiHost(domain) : undefined;
    const tenant = host === undefined ? undefined : await this.hosts.find(host, client);
    // A tenant that is being deleted needs no new certificate.
    if (!tenant || tenant.state === 'deleting') throw new Problem('tenant.unknown');
    return { domain: host };
  }
}
