import type { Reply } from '#http';
import { PlaceProfileService } from '#places';
import { currentLanguage, escapeHtml, kernelProblem, SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, tenantUrl } from '#tenancy';
import { Controller, Get, Inject } from '@nestjs/common';
import { descriptionHtml, pageFrame, pageWords, publicReply } from '#page-kit';
import { PublicEventsService } from './public-events/public-events.service.js';

/** The imprint and the terms of a tenant, if they exist. */
@Controller()
@Access('public')
export class LegalController {
  constructor(
    private readonly profiles: PlaceProfileService,
    private readonly events: PublicEventsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('imprint')
  imprint(): Promise<Reply<string>> {
    return this.show('imprint');
  }

  @Get('terms')
  terms(): Promise<Reply<string>> {
    return this.show('terms');
  }

  /** @throws Problem 404 `route.unknown` when the text does not exist */
  private async show(field: 'imprint' | 'terms'): Promise<Reply<string>> {
    const tenant = currentTenant();
    const text = (await this.profiles.read())[field];
    if (!text) throw kernelProblem('route.unknown');
    const language = currentLanguage();
    const heading = pageWords[language][field];
    const main = `<article>\n<h1>${escapeHtml(heading)}</h1>\n<div class="prose" dir="auto">${descriptionHtml(text)}</div>\n</article>`;
    const summary = { canonical: tenantUrl(this.settings, tenant, `/${field}`), description: '' };
    const venue = await this.events.venue();
    return publicReply('text/html', pageFrame({ tenant, language, title: `${heading} · ${tenant.name}`, main, venue, summary }));
  }
}
