import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { eventProblem, Events } from '#catalogue';
import { Describe, showPages, showValidators, DeprecatedBy, toPage } from '#http';
import { isUuid, SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, tenantUrl } from '#tenancy';
import type { Request, Response } from 'express';
import { SigningKeys } from '../signing/signing-keys.service.js';
import {
  legacyEventsApi,
  LegacyEventsQuery,
  toLegacyEvent,
  wantsUpcoming,
  type EventShown,
} from './legacy-events.dto.js';
import { LegacyEvents } from './legacy-events.service.js';

const successor = '/api/v2/events/';
/** The list is public: without a page it is bounded. */
const firstPage = { skip: 0, take: 500 };

/** Events in the spelling of the first API, for everybody. */
@Controller('api/events')
@Access('public')
export class LegacyEventsController {
  constructor(
    private readonly legacyEvents: LegacyEvents,
    private readonly events: Events,
    private readonly signingKeys: SigningKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @DeprecatedBy(successor)
  @Describe(legacyEventsApi.list)
  async list(
    @Query() query: LegacyEventsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const page = toPage(query) ?? firstPage;
    const { events, total } = await this.legacyEvents.list(wantsUpcoming(query), page);
    showPages(request, response, page, total);
    const shown = await this.shown();
    return answered(response, events.map((event) => toLegacyEvent(event, shown))); // prettier-ignore
  }

  @Get(':id')
  @DeprecatedBy(successor)
  @Describe(legacyEventsApi.get)
  async get(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    const event = isUuid(id) ? await this.legacyEvents.find(id) : undefined;
    if (!event) throw eventProblem('event.unknown');
    return answered(response, toLegacyEvent(event, await this.shown()));
  }

  private async shown(): Promise<EventShown> {
    const tenant = currentTenant();
    return {
      tenant,
      pageOf: (event) => this.events.pageOf(event),
      home: tenantUrl(this.settings, tenant, '/'),
      publicKeyPem: await this.signingKeys.currentPublicPem(),
    };
  }
}

/** Shared caches may keep it, and ask each time whether it is current. */
function answered(response: Response, answer: object): object {
  showValidators(response, answer);
  response.set('Cache-Control', 'public, no-cache');
  return answer;
}
