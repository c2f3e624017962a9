import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, retryOnDeadlock, type Settings } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { FederatedEventsService, receiversOf } from './federated-events.service.js';
import { lockRows } from './federation-locks.js';
import {
  beforeAllIds,
  instantColumns,
  publicEventRows,
  rowColumns,
  sentRows,
  stepSize,
  withZones,
  type SentRow,
} from './public-event-rows.js';

/** A row of a network's agenda that differs from the tenant's event. */
export interface AgendaDrift {
  readonly networkId: string;
  readonly eventId: string;
  readonly name: string;
  /** `missing`: the event is sent but has no row. `extra`: the row belongs to no event that is sent. `stale`: they differ. */
  readonly kind: 'missing' | 'extra' | 'stale';
}

const columns = Object.keys(rowColumns);

/** Compares the rows of the networks' agendas with the events of the current tenant. */
@Injectable()
export class FederationAuditService {
  constructor(
    private readonly db: TenantDb,
    private readonly federated: FederatedEventsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns all differences; events are not copied while they are compared. */
  async drifts(): Promise<AgendaDrift[]> {
    const found: AgendaDrift[] = [];
    for (let after: string | undefined = beforeAllIds; after !== undefined;) {
      const from: string = after;
      const step = await this.db.transaction((tx) => this.compare(tx, from));
      found.push(...step.drifts);
      after = step.last;
    }
    return found;
  }

  /** Rewrites all rows of the current tenant. @returns the differences before */
  async repair(): Promise<AgendaDrift[]> {
    const before = await this.drifts();
    const tenantId = currentTenant().id;
    await retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const receivers = await receiversOf(tx, tenantId);
        const networks = receivers.map(({ networkId }) => networkId);
        await tx.query('delete from shared.federated_event where tenant_id = $1 and not (network_id = any($2))', [tenantId, networks]);
        const gone = [...new Set(before.filter(({ kind }) => kind === 'extra').map(({ eventId }) => eventId))];
        for (let from = 0; from < gone.length; from += stepSize) await this.federated.copy(tx, gone.slice(from, from + stepSize));
      }),
    );
    await this.federated.copyAll();
    return before;
  }

  private async compare(tx: Tx, after: string): Promise<{ drifts: AgendaDrift[]; last: string | undefined }> {
    const tenantId = currentTenant().id;
    const receivers = await receiversOf(tx, tenantId);
    await lockRows(tx, tenantId);
    const ids = await nextIds(tx, tenantId, after);
    const rows = await publicEventRows(tx, ids, this.settings);
    const drifts = differences(sentRows(receivers, rows), await storedRows(tx, tenantId, ids));
    return { drifts, last: ids.length < stepSize ? undefined : ids.at(-1) };
  }
}

/** The next ids of events that exist or have a row, in their order. */
async function nextIds(tx: Tx, tenantId: string, after: string): Promise<string[]> {
  const own = await tx.query<{ id: string }[]>('select id from event where id > $1 order by id limit $2', [after, stepSize]);
  const copied = await tx.query<{ id: string }[]>(
    'select distinct event_id as id from shared.federated_event where tenant_id = $1 and event_id > $2 order by event_id limit $3',
    [tenantId, after, stepSize],
  );
  return [...new Set([...own, ...copied].map(({ id }) => id))].toSorted().slice(0, stepSize);
}

async function storedRows(tx: Tx, tenantId: string, ids: readonly string[]): Promise<SentRow[]> {
  const list = columns.map((name) => (instantColumns.includes(name) ? `${name} at time zone 'UTC' as ${name}` : name));
  const rows = await tx.query<{ row: SentRow }[]>(
    `select to_jsonb(found) as row from (select network_id, ${list.join(', ')} from shared.federated_event
       where tenant_id = $1 and event_id = any($2)) found`,
    [tenantId, ids],
  );
  return rows.map(({ row }) => withZones(row));
}

function differences(sent: readonly SentRow[], stored: readonly SentRow[]): AgendaDrift[] {
  const key = (row: SentRow): string => `${row.network_id} ${row.event_id}`;
  const text = (row: SentRow): string => JSON.stringify(columns.map((name) => row[name]));
  const byKey = new Map(stored.map((row) => [key(row), row]));
  const drift = (row: SentRow, kind: AgendaDrift['kind']): AgendaDrift => ({
    networkId: row.network_id,
    eventId: row.event_id,
    name: row.name,
    kind,
  });
  const wrong = sent.flatMap((row) => {
    const found = byKey.get(key(row));
    byKey.delete(key(row));
    if (!found) return [drift(row, 'missing')];
    return text(found) === text(row) ? [] : [drift(row, 'stale')];
  });
  return [...wrong, ...[...byKey.values()].map((row) => drift(row, 'extra'))];
}
