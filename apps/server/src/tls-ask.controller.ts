import { Controller, Get, Header, Query } from '@nestjs/common';
import { Problem } from '#kernel';
import { Access, asciiHost, Tenants } from '#tenancy';

/**
 * Whether a proxy may get a certificate for a host (Caddy's `on_demand_tls { ask }`). It works on any host and needs no tenant. Whoever asks
 * learns no more than from asking the host itself, so it is open to everybody and counted like a public page.
 */
@Controller('tls')
@Access('public')
export class TlsAskController {
  constructor(private readonly tenants: Tenants) {}

  /** 200 for a host that answers for a tenant, 404 for everything else. The same look-up as for a request, remembered for a second. */
  @Get('ask')
  @Header('Cache-Control', 'no-store')
  async ask(@Query('domain') domain: unknown): Promise<object> {
    const host = typeof domain === 'string' ? asciiHost(domain) : undefined;
    const tenant = host === undefined ? undefined : await this.tenants.ofHost(host);
    // A tenant that is being deleted shows nothing, and needs no new certificate for that.
    if (!tenant || tenant.state === 'deleting') throw new Problem('tenant.unknown');
    return { domain: host };
  }
}
