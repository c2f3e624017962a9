import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { NetworkAgendaService } from '#places';
import { currentTenant } from '#tenancy';
import type { ListedEvent } from '../public-events.service.js';
import { toListedEvent } from './listed-event.js';

/** What other places of its networks send, on the agenda of a tenant that wants to show it. */
@Injectable()
export class GatheredEventsService {
  constructor(
    private readonly agenda: NetworkAgendaService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The current tenant's own events with those of others among them, in the order of their start.
   * @param own in that order
   * @param limit of both together
   * @param end events that ended before are left out
   * @param start events that started before are left out, too
   */
  async among(own: readonly ListedEvent[], limit: number, end: Date, start?: Date): Promise<readonly ListedEvent[]> {
    const filter = { since: end, ...(start && { after: start }) };
    const gathered = await this.agenda.list('gathered', currentTenant().id, filter, { limit });
    if (gathered.length === 0) return own;
    return [...own, ...gathered.map((event) => toListedEvent(event, this.settings))]
      .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
      .slice(0, limit);
  }
}
