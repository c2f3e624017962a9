import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { currentTenant, tenantUrl, type Tx } from '#tenancy';
import { describeData, OutboxService, type WebhookEventType } from '#webhooks';
import { EventProjections } from '../event-queries/event-projections.js';
import { toSchemaOrgEvent } from './event.dto.js';
import { EventAnswer } from './schema-org-answers.dto.js';
import type { Event } from '../entities/event.entity.js';
import { loadWhole, type WholeEvent } from './whole-event.js';

describeData(['event.created', 'event.updated', 'event.deleted'], 'EventData', EventAnswer);

/** Publishes changes of events to webhooks and projections. */
@Injectable()
export class EventPublisherService {
  constructor(
    private readonly outbox: OutboxService,
    private readonly projections: EventProjections,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Publishes events as they are in this transaction, and updates the projections, which contain their `sequence`. A deletion is published
   * before it happens: its caller updates the projections.
   * @returns the events
   */
  async publish(tx: Tx, type: WebhookEventType, ids: readonly string[]): Promise<WholeEvent[]> {
    const events = await loadWhole(tx, ids);
    for (const event of events) {
      const data = toSchemaOrgEvent(event, currentTenant(), this.pageOf(event));
      await this.outbox.add(tx, { type, subjectId: event.id, sequence: event.sequence, data });
    }
    if (type !== 'event.deleted') await this.projections.changed(tx, ids);
    return events;
  }

  /** Publishes events of which rows in other tables changed: their products, options or parent. @returns them */
  async publishAgain(tx: Tx, ids: readonly string[]): Promise<WholeEvent[]> {
    if (ids.length === 0) return [];
    await tx.query('update event set sequence = sequence + 1, updated_at = now() where id = any($1)', [ids]);
    return this.publish(tx, 'event.updated', ids);
  }

  /** URL of the tenant's own page of an event. */
  pageOf(event: Pick<Event, 'slug'>): string {
    return tenantUrl(this.settings, currentTenant(), `/event/${event.slug}`);
  }
}
