import type { Reply } from '#http';
import { kernelProblem, SETTINGS, type Settings } from '#kernel';
import { hasPages, publicReply } from '#page-kit';
import { Access, currentTenant } from '#tenancy';
import { Controller, Get, Inject } from '@nestjs/common';
import { housePage } from './house.page.js';
import { HouseService } from './house.service.js';

/** The page about the venue itself, if there is something to show. */
@Controller()
@Access('public')
export class HouseController {
  constructor(
    private readonly houses: HouseService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws Problem 404 `route.unknown` when there is nothing to show */
  @Get('house')
  async show(): Promise<Reply<string>> {
    const tenant = currentTenant();
    const house = hasPages(tenant) ? await this.houses.read() : undefined;
    if (!house) throw kernelProblem('route.unknown');
    return publicReply('text/html', housePage(house, tenant, this.settings));
  }
}
