import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { eventProblem, EventsService } from '#catalogue';
import { DeprecatedBy, Describe, reply, toPage, Versioned, type Reply } from '#http';
import { isUuid, SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, tenantUrl } from '#tenancy';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { legacyEventsApi, LegacyEventsQuery, toLegacyEvent, wantsUpcoming, type EventShown } from './legacy-events.dto.js';
import { LegacyEventsService } from './legacy-events.service.js';

const successor = '/api/v2/events/';
/** Shared caches may keep an answer, and ask each time whether it is current. */
const publicAnswer = Versioned({ cache: 'public, no-cache' });
/** The list is public: without a page it is bounded. */
const firstPage = { skip: 0, take: 500 };

/** Events in the spelling of the first API, for everybody. */
@Controller('api/events')
@Access('public')
export class LegacyEventsController {
  constructor(
    private readonly legacyEvents: LegacyEventsService,
    private readonly events: EventsService,
    private readonly signingKeys: SigningKeysService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @publicAnswer
  @DeprecatedBy(successor)
  @Describe(legacyEventsApi.list)
  async list(@Query() query: LegacyEventsQuery): Promise<Reply<object>> {
    const page = toPage(query) ?? firstPage;
    const { events, total } = await this.legacyEvents.list(wantsUpcoming(query), page);
    const shown = await this.shown();
    return reply(
      events.map((event) => toLegacyEvent(event, shown)),
      { page: { page, total } },
    );
  }

  @Get(':id')
  @publicAnswer
  @DeprecatedBy(successor)
  @Describe(legacyEventsApi.get)
  async get(@Param('id') id: string): Promise<Reply<object>> {
    const event = isUuid(id) ? await this.legacyEvents.find(id) : undefined;
    if (!event) throw eventProblem('event.unknown');
    return reply(toLegacyEvent(event, await this.shown()));
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
