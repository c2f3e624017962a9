import type { Reply } from '#http';
import { PlaceProfileService } from '#places';
import { kernelProblem, SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant } from '#tenancy';
import { Controller, Get, Inject } from '@nestjs/common';
import { publicReply } from '#page-kit';
import { legalPage, type LegalPage } from './legal.page.js';
import { PublicEventsService } from './public-events/public-events.service.js';

/** The imprint, the terms and the privacy notice of a tenant, if they exist. */
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

  @Get('privacy')
  privacy(): Promise<Reply<string>> {
    return this.show('privacy');
  }

  /** @throws Problem 404 `route.unknown` when the text does not exist */
  private async show(field: LegalPage['field']): Promise<Reply<string>> {
    const tenant = currentTenant();
    const text = (await this.profiles.read())[field];
    if (!text) throw kernelProblem('route.unknown');
    const venue = await this.events.venue();
    return publicReply('text/html', legalPage({ tenant, settings: this.settings, venue, field, text }));
  }
}
