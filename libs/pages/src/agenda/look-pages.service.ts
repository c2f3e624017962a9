import { Injectable } from '@nestjs/common';
import { databaseNow } from '#kernel';
import { hasAgenda, isNetwork, pageInLook } from '#page-kit';
import type { PageLook } from '#places';
import { currentTenant } from '#tenancy';
import { EventPagesService } from '../event/event-pages.service.js';
import { SharedEventPagesService } from '../event/shared-event-pages.service.js';
import { NetworkPagesService } from '../network/network-pages.service.js';
import { PublicEventsService } from '../public-events/public-events.service.js';
import { OwnAgendaService } from './own-agenda.service.js';

/** Pages of the current tenant in a look that is not stored, for staff who choose one. */
@Injectable()
export class LookPagesService {
  constructor(
    private readonly own: OwnAgendaService,
    private readonly network: NetworkPagesService,
    private readonly publicEvents: PublicEventsService,
    private readonly events: EventPagesService,
    private readonly shared: SharedEventPagesService,
  ) {}

  /** Whether there is the page of an event to show. */
  async hasEvent(): Promise<boolean> {
    return (await this.slug()) !== undefined;
  }

  /** The home page. */
  async home(look: PageLook): Promise<string> {
    const { body } = isNetwork() ? await this.network.home({}) : await this.own.page({});
    return pageInLook(typeof body === 'string' ? body : await body(), look);
  }

  /** The page of an event; of the next one when none is named; without one, the home page. */
  async event(look: PageLook, named?: string): Promise<string> {
    const slug = named ?? (await this.slug());
    if (slug === undefined) return this.home(look);
    const { found, booking, waiting } = await this.shared.read(slug);
    // Not kept, because it was asked for at an address of the panel.
    return pageInLook(this.events.html(found, booking, { waiting }), look);
  }

  private async slug(): Promise<string | undefined> {
    if (!hasAgenda(currentTenant())) return undefined;
    const { events } = await this.publicEvents.coming({ limit: 1, filter: { since: databaseNow() }, withPrices: false });
    return events[0]?.slug;
  }
}
