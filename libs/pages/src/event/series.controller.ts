import { Controller, Get, Param } from '@nestjs/common';
import { Redirection, reply, type Reply } from '#http';
import { kernelProblem } from '#kernel';
import { pageTenant } from '#page-kit';
import { Access } from '#tenancy';
import { PublicEventsService } from '../public-events/public-events.service.js';

/** The lasting address of a series. */
@Controller('series')
@Access('public')
export class SeriesController {
  constructor(private readonly events: PublicEventsService) {}

  /** Leads to the next date that can be booked, else to the next or the last one. @throws Problem `route.unknown` without a public date */
  @Get(':slug')
  async page(@Param('slug') slug: string): Promise<Reply<Redirection>> {
    pageTenant();
    const date = await this.events.dateOfSeries(slug);
    if (date === undefined) throw kernelProblem('route.unknown');
    return reply(new Redirection(302, `/event/${date}`), { headers: { 'Cache-Control': 'public, no-cache' } });
  }
}
