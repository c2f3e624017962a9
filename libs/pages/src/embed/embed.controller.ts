import { Controller, Get, Inject } from '@nestjs/common';
import type { Reply } from '#http';
import { kernelProblem, SETTINGS, type Settings } from '#kernel';
import { Access, AnyOrigin, currentTenant } from '#tenancy';
import { hasPages, publicReply } from '#page-kit';
import { PublicEventsService } from '../public-events/public-events.service.js';
import { embedScript } from './embed-script.js';

/** The script with which other sites show the agenda and events of a tenant. */
@Controller()
@Access('public')
export class EmbedController {
  constructor(
    private readonly events: PublicEventsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('embed.js')
  @AnyOrigin()
  async script(): Promise<Reply<string>> {
    const tenant = currentTenant();
    if (!hasPages(tenant)) throw kernelProblem('route.unknown');
    const script = embedScript(tenant, await this.events.venue(), this.settings);
    return publicReply('text/javascript', script, { isForAllSites: true });
  }
}
