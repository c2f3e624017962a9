import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { NetworkAgendaService, type AgendaFilter } from '#places';
import { currentTenant } from '#tenancy';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { toListedEvent } from './listed-event.js';

/** Adds events of other members of its networks to a tenant's agenda. */
@Injectable()
export class GatheredEventsService {
  constructor(
    private readonly agenda: NetworkAgendaService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The current tenant's own events merged with those of others, in the order of their start.
   * @param own in that order
   * @param limit of both together
   */
  async among(own: readonly ListedEvent[], limit: number, filter: AgendaFilter): Promise<readonly ListedEvent[]> {
    // Nothing is known about the prices of others.
    if (filter.free) return own;
    const gathered = await this.agenda.list('gathered', currentTenant().id, filter, { limit });
    if (gathered.length === 0) return own;
    return [...own, ...gathered.map((event) => toListedEvent(event, this.settings))]
      .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
      .slice(0, limit);
  }

  /** A version tag of the events that `among` adds, and whether there are none. */
  async state(limit: number, filter: AgendaFilter, now: Date): Promise<{ state: string; isEmpty: boolean }> {
    if (filter.free) return { state: '', isEmpty: true };
    const state = await this.agenda.state('gathered', currentTenant().id, filter, { limit }, now);
    return { state, isEmpty: isEmptyState(state) };
  }
}

/** Whether a version of a network's events is that of none: it begins with their number. */
export function isEmptyState(state: string): boolean {
  return /^0?(\s|$)/.test(state);
}
