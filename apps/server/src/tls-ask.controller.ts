import { Controller, Get, Header, Query } from '@nestjs/common';
import { Problem } from '#kernel';
import { Access, asciiHost, TenantsService } from '#tenancy';

/**
 * Whether a proxy may request a certificate for a host (Caddy's `on_demand_tls { ask }`). Available on any host, without a tenant.
 * Public, because the answer reveals no more than a request to the host itself; rate limited like a public page.
 */
@Controller('tls')
@Access('public')
export class TlsAskController {
  constructor(private readonly tenants: TenantsService) {}

  /** 200 for a host of a tenant, 404 otherwise. The same lookup as for a request, cached for a second. */
  @Get('ask')
  @Header('Cache-Control', 'no-store')
  async ask(@Query('domain') domain: unknown): Promise<object> {
    const host = typeof domain === 'string' ? asciiHost(domain) : undefined;
    const tenant = host === undefined ? undefined : await this.tenants.ofHost(host);
    // A tenant that is being deleted needs no new certificate.
    if (!tenant || tenant.state === 'deleting') throw new Problem('tenant.unknown');
    return { domain: host };
  }
}
