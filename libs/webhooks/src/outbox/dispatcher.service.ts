import { Injectable } from '@nestjs/common';
import { currentTenant, pausedTenantSql, TenantDb, type Tx } from '#tenancy';
import { everyType, type WebhookEventType } from '../webhook-events.js';
import { PayloadRenderers } from './payload-renderers.js';

interface WaitingMessage {
  readonly ordinal: string;
  readonly id: string;
  readonly type: WebhookEventType;
  readonly subject_id: string;
  readonly sequence: number;
  /** Text as PostgreSQL writes it, because a Date would lose the microseconds. */
  readonly occurred_at: string;
  readonly data: unknown;
}

/** Messages of one tenant per transaction: enough to be efficient, few enough not to delay other tenants. */
export const dispatchBatch = 200;

/** Moves messages from the outbox into their tenant's feed and creates the deliveries to subscribed endpoints. */
@Injectable()
export class DispatcherService {
  constructor(
    private readonly db: TenantDb,
    private readonly renderers: PayloadRenderers,
  ) {}

  /** Tenants with waiting messages, except those in `without`; the tenant with the oldest message first. */
  async waitingTenants(limit: number, without: readonly string[] = []): Promise<string[]> {
    const statement = {
      name: 'outbox-waiting',
      text: `select tenant_id as id from shared.outbox where tenant_id <> all($2::uuid[])
          and not ${pausedTenantSql('outbox.tenant_id')}
        group by tenant_id order by min(ordinal) limit $1`,
    };
    const rows = await this.db.collect(limit, (left) => this.db.sharedStatement<{ id: string }>(statement, [left, without]));
    return rows.map(({ id }) => id);
  }

  /** Age of the oldest waiting message in seconds; 0 when there is none. */
  async lagSeconds(): Promise<number> {
    const statement = {
      name: 'outbox-lag',
      text: `select extract(epoch from clock_timestamp() - min(occurred_at))::float8 as seconds
        from shared.outbox where not ${pausedTenantSql('outbox.tenant_id')}`,
    };
    const rows = await this.db.onEachNode(() => this.db.sharedStatement<{ seconds: number | null }>(statement, []));
    return Math.max(0, ...rows.flat().map(({ seconds }) => seconds ?? 0));
  }

  /** Deletes messages of tenants that no longer exist. */
  async forget(tenantIds: readonly string[]): Promise<void> {
    const statement = { name: 'outbox-forget', text: 'delete from shared.outbox where tenant_id = any($1)' };
    await this.db.onEachNode(() => this.db.sharedStatement(statement, [tenantIds]));
  }

  /**
   * Dispatches the oldest messages of the current tenant. Holds the lock of the feed's counter, so positions are assigned and become
   * visible in commit order and a reader of the feed misses none.
   *
   * @param wait false: give up when another process holds the lock
   * @returns the number of messages dispatched
   */
  dispatch({ limit = dispatchBatch, wait = false } = {}): Promise<number> {
    return this.db.transaction(async (tx) => {
      const [feed] = await tx.query<{ last: string }[]>(
        `select last_position as last from webhook_feed for update ${wait ? '' : 'skip locked'}`,
      );
      if (!feed) return 0;
      const messages = await takeMessages(tx, limit);
      if (messages.length === 0) return 0;
      await this.append(tx, messages, BigInt(feed.last));
      return messages.length;
    });
  }

  private async append(tx: Tx, messages: readonly WaitingMessage[], last: bigint): Promise<void> {
    const ids = messages.map(({ id }) => id);
    const types = messages.map(({ type }) => type);
    await tx.query(
      `insert into webhook_event (id, position, type, subject_id, sequence, occurred_at, data)
       select m.id, $1::bigint + m.place, m.type, m.subject_id, m.sequence, m.occurred_at, m.data
       from unnest($2::uuid[], $3::text[], $4::text[], $5::integer[], $6::timestamptz[], $7::json[])
         with ordinality as m(id, type, subject_id, sequence, occurred_at, data, place)`,
      [
        last.toString(),
        ids,
        types,
        messages.map(({ subject_id }) => subject_id),
        messages.map(({ sequence }) => sequence),
        messages.map(({ occurred_at }) => occurred_at),
        messages.map(({ type, data, sequence }) => JSON.stringify(this.renderers.render(type, data, sequence))),
      ],
    );
    await tx.query('update webhook_feed set last_position = last_position + $1', [messages.length]);
    const endpoints = await tx.query<{ id: string }[]>(
      `with fanned as (
         insert into webhook_delivery (endpoint_id, event_id, next_attempt_at)
         select e.id, m.id, now() from unnest($1::uuid[], $2::text[]) as m(id, type)
         join webhook_endpoint e on e.disabled_at is null and e.types && array[m.type, '${everyType}']
         returning endpoint_id)
       select distinct endpoint_id as id from fanned`,
      [ids, types],
    );
    if (endpoints.length === 0) return;
    // Updates every row, also one that is already due: the row lock serialises this with a worker that releases the endpoint and stores
    // its next due time, so that time includes these deliveries. A separate statement, because the queue is in the shared schema.
    await tx.query('update shared.webhook_queue set due_at = least(due_at, (select now())) where endpoint_id = any($1::uuid[])', [
      endpoints.map(({ id }) => id),
    ]);
  }
}

async function takeMessages(tx: Tx, limit: number): Promise<WaitingMessage[]> {
  // PostgreSQL does not guarantee the order of RETURNING.
  const messages = await tx.query<WaitingMessage[]>(
    `with taken as (
       delete from shared.outbox where tenant_id = $1 and ordinal in (
         select ordinal from shared.outbox where tenant_id = $1 order by ordinal limit $2)
       returning *)
     select ordinal, id, type, subject_id, sequence, occurred_at::text as occurred_at, data from taken order by ordinal`,
    [currentTenant().id, limit],
  );
  return messages;
}
