import { SigningKeysService } from '#tickets';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { eventProblem, EventsService } from '#catalogue';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { DeprecatedBy, Describe, formats, JsonList, reply, toPage, Versioned, WholeList, type Reply } from '#http';
import { isUuid, SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, tenantUrl } from '#tenancy';
import { LegacyEvent, LegacyEventsQuery, toLegacyEvent, wantsUpcoming, type EventShown } from './legacy-events.dto.js';
import { LegacyEventsService } from './legacy-events.service.js';

const successor = '/api/v2/events/';
/** Shared caches may store an answer, but must revalidate it on each use. */
const publicCache = 'public, no-cache';
const publicAnswer = Versioned({ cache: publicCache });
/** The list is public, so it is limited when no page is requested. */
const firstPage = { skip: 0, take: 500 };

/** Events in the format of the first API; public. */
@Controller('api/events')
@ApiTags('First API')
@ApiParam({ name: 'id', description: 'The UUID of the event.', ...formats.uuid })
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
  @Describe({
    summary: 'Published events',
    description:
      'Everybody may read them; private events are not among them. Newest first; with `only_futur=true` only those that are not ' +
      'over (from yesterday on), the next one first. At most 500 at once: `page` and `page_size` reach the others.',
  })
  @ApiOkResponse({ type: [LegacyEvent], description: 'Events' })
  async list(@Query() query: LegacyEventsQuery): Promise<Reply<JsonList<LegacyEvent>>> {
    const page = toPage(query) ?? firstPage;
    const shown = await this.shown();
    const list = new JsonList<LegacyEvent>();
    const total = await this.legacyEvents.list(wantsUpcoming(query), page, (events) =>
      list.add(events.map((event) => toLegacyEvent(event, shown))),
    );
    return reply(list, { page: { page, total } });
  }

  @Get(':id')
  @publicAnswer
  @DeprecatedBy(successor)
  @Describe({ summary: 'One published event', description: 'With the events that are a part of it.', problems: ['event.unknown'] })
  @ApiOkResponse({ type: LegacyEvent, description: 'The event' })
  async get(@Param('id') id: string): Promise<Reply<LegacyEvent>> {
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
