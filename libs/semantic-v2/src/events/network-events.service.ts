import { Inject, Injectable } from '@nestjs/common';
import { eventProblem, type EventQuery } from '#catalogue';
import { showListValidators, showValidators } from '#http';
import { currentLanguage, databaseNow, dayInZone, isUuid, SETTINGS, type Settings } from '#kernel';
import { NetworkAgendaService, toNetworkEvent, type AgendaFilter, type GatheredEvent } from '#places';
import { currentTenant, tenantUrl } from '#tenancy';
import type { Request, Response } from 'express';

/** A network lists so many events at most. */
export const mostNetworkEvents = 2000;
/** To be counted up when events are shown in another way: who has a list of before then has it no more. */
const shape = 1;

/** The events of a network's members, where a tenant with events of its own answers those. */
@Injectable()
export class NetworkEventsService {
  constructor(
    private readonly agenda: NetworkAgendaService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** What is not over since yesterday, by its start. @returns undefined when the caller has the list already: 304 */
  async list(query: EventQuery, request: Request, response: Response): Promise<object | undefined> {
    const { id, timeZone, host } = currentTenant();
    const now = databaseNow();
    const filter: AgendaFilter = {
      since: dayInZone(now, timeZone, -1),
      ...(query.nextDays !== undefined && { until: dayInZone(now, timeZone, query.nextDays + 1) }),
      ...(query.text !== undefined && { text: query.text }),
    };
    const page = { limit: mostNetworkEvents };
    const state = await this.agenda.state('network', id, filter, page, filter.since);
    showListValidators(response, { state, shape, language: currentLanguage(), host });
    if (request.fresh) {
      response.status(304);
      return undefined;
    }
    const events = await this.agenda.list('network', id, filter, page);
    return { results: events.map((event) => this.shown(event)) };
  }

  /** @throws Problem 404 `event.unknown` */
  async get(key: string, response: Response): Promise<object> {
    const event = await this.agenda.find(currentTenant().id, isUuid(key) ? { id: key } : { slug: key });
    if (!event) throw eventProblem('event.unknown');
    const answer = this.shown(event);
    showValidators(response, answer, event.updatedAt);
    return answer;
  }

  private shown(event: GatheredEvent): object {
    return toNetworkEvent(event, tenantUrl(this.settings, event.sender, ''), currentLanguage());
  }
}
