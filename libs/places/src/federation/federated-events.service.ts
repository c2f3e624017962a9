import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { EventProjections } from '#catalogue';
import { SETTINGS, retryOnDeadlock, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { lockRows, shareMembership } from './federation-locks.js';
import { beforeAllIds, publicEventRows, rowColumns, sentRows, stepSize, type Receiver } from './public-event-rows.js';
import { NetworkMember } from './network-member.entity.js';

/** The job that copies all events of a tenant to a network that it joined or sends more events to. */
export const federationJob = 'federation';

const columns = Object.keys(rowColumns);
const columnList = columns.join(', ');

const upsertSql = `
  insert into shared.federated_event (network_id, tenant_id, ${columnList}, updated_at)
  select network_id, $1::uuid, ${columnList}, (select now())
  from jsonb_to_recordset($2::jsonb) as given (network_id uuid, ${columns.map((name) => `${name} ${rowColumns[name]}`).join(', ')})
  on conflict (network_id, tenant_id, event_id) do update set
    ${[...columns.slice(1), 'updated_at'].map((name) => `${name} = excluded.${name}`).join(', ')}`;

const deleteSql = `
  delete from shared.federated_event where tenant_id = $1 and event_id = any($2)
    and (network_id, event_id) not in (select * from unnest($3::uuid[], $4::uuid[]))`;

/** Keeps the rows of the networks' agendas equal to the events of the tenants that send to them. */
@Injectable()
export class FederatedEventsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly projections: EventProjections,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.projections.add((tx, ids) => this.copy(tx, ids));
    this.jobs.handle(federationJob, () => this.copyAll());
  }

  /** Updates the rows of these events of the current tenant to their state in this transaction. */
  async copy(tx: Tx, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const tenantId = currentTenant().id;
    const receivers = await receiversOf(tx, tenantId);
    // Rows of former memberships were deleted in the transaction that ended the membership.
    if (receivers.length === 0) return;
    await lockRows(tx, tenantId);
    const rows = await publicEventRows(tx, ids, this.settings);
    const sent = sentRows(receivers, rows);
    if (sent.length > 0) await tx.query(upsertSql, [tenantId, JSON.stringify(sent)]);
    await tx.query(deleteSql, [tenantId, ids, sent.map((row) => row.network_id), sent.map((row) => row.event_id)]);
  }

  /** Updates the rows of all events of the current tenant, in small transactions. */
  async copyAll(): Promise<void> {
    let last: string | undefined = beforeAllIds;
    while (last !== undefined) {
      const after: string = last;
      last = await retryOnDeadlock(() => this.db.transaction((tx) => this.step(tx, after)));
    }
  }

  /** @returns the last event that was copied; undefined when there is none after it */
  private async step(tx: Tx, after: string): Promise<string | undefined> {
    const rows = await tx.query<{ id: string }[]>('select id from event where id > $1 order by id limit $2', [after, stepSize]);
    const ids = rows.map(({ id }) => id);
    await this.copy(tx, ids);
    return ids.length < stepSize ? undefined : ids.at(-1);
  }
}

/** The networks to which a tenant sends its events. Locks them until the transaction ends. */
export async function receiversOf(tx: Tx, tenantId: string): Promise<Receiver[]> {
  await shareMembership(tx, tenantId);
  return tx.find(NetworkMember, {
    select: { id: true, networkId: true, sentTags: true },
    where: { tenantId, state: 'accepted' },
    order: { networkId: 'ASC' },
  });
}
