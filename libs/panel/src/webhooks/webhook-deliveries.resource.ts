import { utcSql } from '#kernel';
import { TenantDb } from '#tenancy';
import { attemptFailures, webhookBody, WebhookDelivery, WebhookDeliveriesService } from '#webhooks';
import type { AttemptFailure, WebhookAttempt } from '#webhooks';
import type { PanelEntry, PanelRow, PanelSource, ResourceProvider, ViewOf } from '#panel-kit';
import { currentPanelRequest, entityReader, inEachLanguage, labels, PanelResource, declareProperties } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { words } from './webhook-deliveries.words.js';
import { deliveredTypes, deliveryStates, deliveryTones, outcomeOf, typeName } from './webhook-words.js';

// Sortable by time only, which has an index: a busy tenant creates 100,000 deliveries a month.

/** Columns that only the detail page shows. */
interface Details {
  type: string;
  data: string;
  /** As text from PostgreSQL, because a Date would lose the microseconds. */
  occurredAt: string;
  disabledAt: Date | null;
  pausedUntil: Date | null;
}

function detailsOf(db: TenantDb, id: string): Promise<Details | undefined> {
  return db.transaction((tx) =>
    tx
      .createQueryBuilder()
      .select('event.type', 'type')
      .addSelect('event.data::text', 'data')
      .addSelect(utcSql('event.occurred_at'), 'occurredAt')
      .addSelect('endpoint.disabledAt', 'disabledAt')
      .addSelect('endpoint.pausedUntil', 'pausedUntil')
      .from(WebhookDelivery, 'delivery')
      .innerJoin('delivery.event', 'event')
      .innerJoin('delivery.endpoint', 'endpoint')
      .where('delivery.id = :id', { id })
      .getRawOne<Details>(),
  );
}

/** The body as it is sent, but indented. */
function bodyOf(details: Details): string {
  return JSON.stringify(JSON.parse(webhookBody(details)), null, 2);
}

/** The view of the component `DeliveryProgress`: the state and every attempt. */
function progressOf(row: PanelRow, { disabledAt, pausedUntil }: Details, attempts: WebhookAttempt[]) {
  const { language } = currentPanelRequest();
  const waits = row['status'] === 'waiting';
  const next = [row['nextAttemptAt'], pausedUntil?.toISOString()].filter((moment) => typeof moment === 'string');
  return {
    status: row['status'] ?? null,
    held: waits && disabledAt !== null,
    nextAttemptAt: waits && disabledAt === null ? (next.toSorted().at(-1) ?? null) : null,
    attempts: attempts.map((attempt) => ({
      at: attempt.attemptedAt.toISOString(),
      milliseconds: attempt.milliseconds,
      delivered: attempt.failure === null,
      outcome: outcomeOf(attempt, language),
      answer: attempt.answer,
    })),
  };
}

/** The value of the component `DeliveryProgress`. */
export type ProgressView = ViewOf<typeof progressOf>;

/** Adds texts in the user's language. */
function withTexts(row: PanelRow): PanelRow {
  const { language } = currentPanelRequest();
  const last = { status: row['lastStatus'] as number | null, failure: row['lastFailure'] as AttemptFailure | null };
  return { ...row, title: typeName(String(row['type']), language), lastOutcome: outcomeOf(last, language) };
}

/** All deliveries to webhook endpoints, with the receivers' answers. Read-only, but a delivery can be sent again. */
@PanelResource({ panels: 'tenant', position: 190, modules: 'events' })
export class WebhookDeliveriesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  entry(): PanelEntry {
    const { db, deliveries } = this;
    const declared = declareProperties(
      {
        id: {},
        title: { isTitle: true, sort: false, filter: false, sql: 'event.type' },
        type: { availableValues: Object.keys(deliveredTypes), sort: false, list: true, filter: 3, sql: 'event.type' },
        progress: { type: 'mixed', components: { show: 'DeliveryProgress' }, show: true },
        endpointId: { reference: 'webhook-endpoints', sort: false, list: true, show: true, filter: true },
        status: {
          availableValues: Object.keys(deliveryStates),
          tones: deliveryTones,
          sort: false,
          list: 2,
          filter: true,
        },
        createdAt: { show: true, filter: true },
        attempts: { sort: false, list: true, filter: false },
        lastStatus: { sort: false },
        lastFailure: { availableValues: Object.keys(attemptFailures), sort: false, filter: 4 },
        lastOutcome: { sort: false, list: 4, filter: false },
        lastAttemptAt: { sort: false, list: true },
        nextAttemptAt: { sort: false },
        eventId: { sort: false, show: true },
        body: { type: 'textarea', components: { show: 'CodeBox' }, show: true },
      },
      { entity: WebhookDelivery, alias: 'delivery' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      joins: (query) => query.innerJoin('delivery.event', 'event'),
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: 'webhook-deliveries',
      properties: declared.properties,
      ...reader,
      find: async (query) => (await reader.find(query)).map(withTexts),
      findMany: async (ids) => (await reader.findMany(ids)).map(withTexts),
      findOne: async (id) => {
        const row = await reader.findOne(id);
        const details = row && (await detailsOf(db, id));
        if (!details) return null;
        const attempts = await deliveries.attempts(id);
        return { ...withTexts(row), progress: progressOf(row, details, attempts), body: bodyOf(details) };
      },
    };
    return {
      source,
      group: 'settings',
      icon: 'Activity',
      rare: true,
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      actions: {
        again: {
          icon: 'RotateCw',
          act: async (id) => {
            await refusable(() => deliveries.sendAgain(id));
            return { message: 'sentAgain' };
          },
        },
      },
      words: inEachLanguage((language) => ({
        ...words[language],
        values: {
          type: labels(deliveredTypes, language),
          status: labels(deliveryStates, language),
          lastFailure: labels(attemptFailures, language),
        },
      })),
    };
  }
}
