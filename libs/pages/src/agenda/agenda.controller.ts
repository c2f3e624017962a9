import { Controller, Get, Query } from '@nestjs/common';
import { Redirection, type Reply } from '#http';
import { Access, AnyOrigin, currentTenant } from '#tenancy';
import { hasAgenda, isNetwork, pageTenant } from '#page-kit';
import { NetworkPagesService } from '../network/network-pages.service.js';
import { OwnAgendaService } from './own-agenda.service.js';

/** The agenda of a tenant for people, calendars and feed readers. */
@Controller()
@Access('public')
export class AgendaController {
  constructor(
    private readonly own: OwnAgendaService,
    private readonly network: NetworkPagesService,
  ) {}

  @Get()
  async home(@Query() query: Record<string, unknown>): Promise<Reply<string> | Redirection> {
    if (isNetwork()) return this.network.home(query);
    if (!hasAgenda(currentTenant())) return new Redirection(302, '/admin');
    return this.own.page(query);
  }

  @Get('agenda.json')
  @AnyOrigin()
  async json(@Query() query: Record<string, unknown>): Promise<Reply<string>> {
    if (isNetwork()) return this.network.json(query);
    pageTenant();
    return this.own.json(query);
  }

  @Get('agenda.ics')
  @AnyOrigin()
  async calendar(@Query() query: Record<string, unknown>): Promise<Reply<string>> {
    if (isNetwork()) return this.network.calendar(query);
    pageTenant();
    return this.own.calendar();
  }

  @Get('agenda.rss')
  @AnyOrigin()
  async feed(@Query() query: Record<string, unknown>): Promise<Reply<string>> {
    if (isNetwork()) return this.network.feed(query);
    pageTenant();
    return this.own.feed();
  }
}
