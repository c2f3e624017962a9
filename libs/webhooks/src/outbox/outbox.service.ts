import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { currentTenant, DatabaseSignals, queryPrepared, TenantDb, type PreparedStatement, type Tx } from '#tenancy';
import type { OutboxMessage, WebhookEventType } from '../webhook-events.js';

/** The channel on which processes without a worker signal that messages wait. */
export const outboxChannel = 'guichet_outbox';

const addStatement: PreparedStatement = { name: 'outbox-add', text: messageInsert(1) };

/**
 * Records events in the transaction of their change: an event is published if and only if the change is committed. The worker moves it to
 * the feed and to the endpoints.
 */
@Injectable()
export class OutboxService {
  private readonly emitter = new EventEmitter();

  constructor(
    private readonly db: TenantDb,
    private readonly signals: DatabaseSignals,
  ) {}

  /** Adds an event of the current tenant in the transaction of its change. It is published when that transaction commits. */
  async add(tx: Tx, message: OutboxMessage): Promise<void> {
    await queryPrepared(tx, addStatement, messageValues(message));
    this.notifyAfter(tx);
  }

  /** Signals after the commit that messages wait. Call it in a transaction that adds one with `messageInsert`. */
  notifyAfter(tx: Tx): void {
    this.db.afterCommit(tx, () => this.notify());
  }

  /** Signals that messages wait; call it after the commit. A worker in this process is notified at once, others over the channel. */
  notify(): void {
    if (!this.emitter.emit('message')) this.signals.send(outboxChannel);
  }

  /** @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void {
    this.emitter.on('message', listener);
    return () => void this.emitter.off('message', listener);
  }
}

/**
 * SQL that inserts one message of the current tenant, as a statement or a data-modifying CTE. Call `notifyAfter`.
 * @param first the number of its first parameter; `messageValues` returns the values
 * @param rule name of a CTE that has a row when it may be inserted; default: always
 */
export function messageInsert(first: number, rule?: string): string {
  const [tenant, type, subject, sequence, data] = [0, 1, 2, 3, 4].map((index) => `$${first + index}`);
  return `insert into shared.outbox (tenant_id, type, subject_id, sequence, data)
    select ${tenant}::uuid, ${type}::text, ${subject}::text, ${sequence}::int, ${data}::json
    ${rule ? `from ${rule}` : ''} where ${type}::text is not null`;
}

/** The values of the parameters of `messageInsert`. @param message undefined: none is inserted */
export function messageValues(message: OutboxMessage | undefined): unknown[] {
  if (!message) return [currentTenant().id, null, null, null, null];
  const { type, subjectId, sequence, data } = message;
  return [currentTenant().id, type, subjectId, sequence, JSON.stringify({ ...data, sequence })];
}

/**
 * SQL fragment for a data-modifying CTE of a prepared statement: inserts one message for each row of `source`, which has the columns
 * `subject_id`, `sequence` and `facts` (json). The renderer of the type turns the facts into the payload. Call `notify` after the
 * statement.
 */
export function outboxInsert(type: WebhookEventType, source: string, tenantIdParameter: string): string {
  return `insert into shared.outbox (tenant_id, type, subject_id, sequence, data)
    select ${tenantIdParameter}::uuid, '${type}', subject_id, sequence, facts from ${source}`;
}
