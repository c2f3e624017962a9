import { Controller, Get, Query } from '@nestjs/common';
import { Redirection, type Reply } from '#http';
import { currentLanguage, kernelProblem, startOfDayInZone } from '#kernel';
import { Access, AnyOrigin, currentTenant, type TenantIdentity } from '#tenancy';
import { hasAgenda, isNetwork, pageTenant } from '../frame/page-answer.js';
import { pageWords } from '../frame/pages.words.js';
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
  async home(@Query('from') from: unknown, @Query() query: Record<string, unknown>): Promise<Reply<string> | Redirection> {
    if (isNetwork()) return this.network.home(query);
    if (!hasAgenda(currentTenant())) return new Redirection(302, '/admin');
    return this.own.page(startOf(from, currentTenant()));
  }

  @Get('agenda.json')
  @AnyOrigin()
  async json(@Query('from') from: unknown, @Query() query: Record<string, unknown>): Promise<Reply<string>> {
    if (isNetwork()) return this.network.json(query);
    return this.own.json(startOf(from, pageTenant()));
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

/** @throws Problem `query.invalid` when `from` is present but not a valid day */
function startOf(from: unknown, { timeZone }: TenantIdentity): { date: string; instant: Date } | undefined {
  if (from === undefined || from === '') return undefined;
  const instant = typeof from === 'string' ? startOfDayInZone(from, timeZone) : undefined;
  if (instant) return { date: from as string, instant };
  const detail = pageWords[currentLanguage()].writeDate;
  throw kernelProblem('query.invalid', { errors: [{ pointer: '/from', code: 'date', detail }] });
}
