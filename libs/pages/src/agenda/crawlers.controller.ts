import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, tenantUrl } from '#tenancy';
import { NetworkPagesService } from '../network/network-pages.service.js';
import { hasPages, isNetwork, pageTenant, publicReply } from '#page-kit';
import { OwnAgendaService } from './own-agenda.service.js';

/** `robots.txt` and the sitemap. */
@Controller()
@Access('public')
export class CrawlersController {
  constructor(
    private readonly own: OwnAgendaService,
    private readonly network: NetworkPagesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('sitemap.xml')
  async sitemap(@Query() query: Record<string, unknown>): Promise<Reply<string>> {
    if (isNetwork()) return this.network.sitemap(query);
    pageTenant();
    return this.own.sitemap();
  }

  @Get('robots.txt')
  robots(): Reply<string> {
    const tenant = currentTenant();
    const lines = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api', 'Disallow: /scan'];
    if (hasPages(tenant)) lines.push('', `Sitemap: ${tenantUrl(this.settings, tenant, '/sitemap.xml')}`);
    return publicReply('text/plain', `${lines.join('\n')}\n`);
  }
}
