import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, tenantUrl } from '#tenancy';
import { NetworkPagesService } from '../network/network-pages.service.js';
import { publicReply, hasPages, isNetwork, pageTenant } from '../frame/page-answer.js';
import { PublicEventsService } from '../public-events/public-events.service.js';
import { ListAnswersService } from '../event-lists/list-answers.service.js';
import { sitemapXml } from '../event-lists/sitemap.js';

const sitemapLimit = 500;

/** `robots.txt` and the sitemap. */
@Controller()
@Access('public')
export class CrawlersController {
  constructor(
    private readonly events: PublicEventsService,
    private readonly network: NetworkPagesService,
    private readonly answers: ListAnswersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('sitemap.xml')
  async sitemap(@Query() query: Record<string, unknown>): Promise<Reply<string>> {
    if (isNetwork()) return this.network.sitemap(query);
    const tenant = pageTenant();
    const { events } = await this.answers.share('/sitemap.xml', () => this.events.latest(sitemapLimit));
    // External events have their page on another site.
    const own = events.filter(({ sameAs }) => sameAs === null);
    const latest = new Date(Math.max(0, ...events.map(({ updatedAt }) => updatedAt.getTime())));
    const entries = [
      { path: '/', ...(events.length > 0 && { changed: latest }) },
      ...own.map(({ slug, updatedAt }) => ({ path: `/event/${slug}`, changed: updatedAt })),
    ].map(({ path, changed }) => ({ address: tenantUrl(this.settings, tenant, path), changed }));
    return publicReply('application/xml', sitemapXml(entries));
  }

  @Get('robots.txt')
  robots(): Reply<string> {
    const tenant = currentTenant();
    const lines = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api', 'Disallow: /scan'];
    if (hasPages(tenant)) lines.push('', `Sitemap: ${tenantUrl(this.settings, tenant, '/sitemap.xml')}`);
    return publicReply('text/plain', `${lines.join('\n')}\n`);
  }
}
