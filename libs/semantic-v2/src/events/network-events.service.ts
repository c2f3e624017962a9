import { Inject, Injectable } from '@nestjs/common';
import { eventProblem, type EventQuery } from '#catalogue';
import { reply, type Reply } from '#http';
import { currentLanguage, databaseNow, dayInZone, isUuid, SETTINGS, type Settings } from '#kernel';
import { NetworkAgendaService, toNetworkEvent, type AgendaFilter, type GatheredEvent, type NetworkEventAnswer } from '#places';
import { currentTenant, tenantUrl } from '#tenancy';

import type { NetworkEventList } from './event-answers.dto.js';

/** Maximum number of events in a network's list. */
export const mostNetworkEvents = 2000;
/** Increment when the rendering changes: it invalidates cached lists. */
const shape = 1;

/** The events of a network's members. A network answers these instead of own events. */
@Injectable()
export class NetworkEventsService {
  constructor(
    private readonly agenda: NetworkAgendaService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Events that were not over yesterday, ordered by start. */
  async list(query: EventQuery): Promise<Reply<NetworkEventList>> {
    const { id, timeZone, host } = currentTenant();
    const now = databaseNow();
    const yesterday = dayInZone(now, timeZone, -1);
    const filter: AgendaFilter = {
      since: yesterday,
      from: yesterday,
      ...(query.nextDays !== undefined && { until: dayInZone(now, timeZone, query.nextDays + 1) }),
      ...(query.text !== undefined && { text: query.text }),
    };
    const page = { limit: mostNetworkEvents };
    const state = await this.agenda.state('network', id, filter, page, filter.since);
    const read = async (): Promise<NetworkEventList> => {
      const events = await this.agenda.list('network', id, filter, page);
      return { results: events.map((event) => this.shown(event)) };
    };
    return reply(read, { version: { state, shape, language: currentLanguage(), host } });
  }

  /** @throws Problem 404 `event.unknown` */
  async get(key: string): Promise<Reply<NetworkEventAnswer>> {
    const event = await this.agenda.find(currentTenant().id, isUuid(key) ? { id: key } : { slug: key });
    if (!event) throw eventProblem('event.unknown');
    return reply(this.shown(event), { modified: event.updatedAt });
  }

  private shown(event: GatheredEvent): NetworkEventAnswer {
    return toNetworkEvent(event, tenantUrl(this.settings, event.sender, ''), currentLanguage());
  }
}
