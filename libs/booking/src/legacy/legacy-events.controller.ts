import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { eventProblem, EventsService } from '#catalogue';
import { DeprecatedBy, Describe, JsonList, reply, toPage, Versioned, WholeList, type Reply } from '#http';
import { isUuid, SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, tenantUrl } from '#tenancy';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { legacyEventsApi, LegacyEventsQuery, toLegacyEvent, wantsUpcoming, type EventShown } from './legacy-events.dto.js';
import { LegacyEventsService } from './legacy-events.service.js';

const successor = '/api/v2/events/';
/** Shared caches may keep an answer, and ask each time whether it is current. */
const publicCache = 'public, no-cache';
const publicAnswer = Versioned({ cache: publicCache });
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
  @WholeList({ pages: true })
  @Versioned({ list: true, cache: publicCache })
  @DeprecatedBy(successor)
  @Describe(legacyEventsApi.list)
  async list(@Query() query: LegacyEventsQuery): Promise<Reply<object>> {
    const page = toPage(query) ?? firstPage;
    const shown = await this.shown();
    const list = new JsonList();
    const total = await this.legacyEvents.list(wantsUpcoming(query), page, (events) =>
      list.add(events.map((event) => toLegacyEvent(event, shown))),
    );
    return reply(list, { page: { page, total } });
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
