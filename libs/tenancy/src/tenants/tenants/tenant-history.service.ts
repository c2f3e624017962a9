import { isUuid } from '#kernel';
import { Injectable } from '@nestjs/common';
import { actingPerson } from '../../database/context/acting-person.js';
import { currentNode } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { TenantChange } from './tenant-change.entity.js';

/** An act on a tenant to be recorded. */
export interface RecordedChange {
  readonly tenantId: string;
  readonly slug: string;
  /** `edited`, `suspended`, `domain_added` … */
  readonly action: string;
  readonly reason?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Default: the sender of the request; outside of requests the command line. */
  readonly actor?: string;
}

/** The newest of the changes that several nodes recorded, each once. */
export function newestOf<Change extends { readonly id: string; readonly at: Date }>(found: readonly Change[][], limit: number): Change[] {
  const [changes = [], ...others] = found;
  if (others.length === 0) return changes;
  const each = new Map(found.flat().map((change) => [change.id, change]));
  return [...each.values()].toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, limit);
}

const repeatedColumns = 'id, tenant_id, slug, at, actor_id, actor, action, reason, details';

const repeatSql = `insert into shared.tenant_change (${repeatedColumns})
    select ${repeatedColumns} from jsonb_populate_record(null::shared.tenant_change, $1::jsonb) on conflict (id) do nothing`;

/** Records who changed a tenant, when and why. */
@Injectable()
export class TenantHistoryService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Records a change in the transaction that makes it. The tenant's own record of changes is on the node of the tenant: when that is
   * another one, the change is repeated there after the commit, unless that node does not answer.
   */
  async record(tx: Tx, change: RecordedChange): Promise<void> {
    const { tenantId, slug, action, reason = null, details = {} } = change;
    const by = actingPerson();
    const [recorded] = await tx.query<{ row: string }[]>(
      `insert into shared.tenant_change (tenant_id, slug, actor_id, actor, action, reason, details)
       select $1, $2, $3, coalesce($4, (select email from shared.user_account where id = $3), $5), $6, $7, $8::jsonb
       returning to_jsonb(tenant_change)::text as row`,
      [tenantId, slug, by.userId, change.actor ?? null, by.label, action, reason, JSON.stringify(details)],
    );
    const here = currentNode();
    const repeat = async (): Promise<void> => {
      if (currentNode() !== here) await this.db.shared((there) => there.query(repeatSql, [recorded?.row]));
    };
    this.db.afterCommit(tx, () => this.db.onNodeOf(tenantId, repeat).catch(() => undefined));
  }

  /**
   * The newest changes of a tenant, also of a deleted one, with the people that they are about, see `peopleNames`. Changes stay on the node
   * that recorded them when the tenant moves, its invitations do not.
   */
  async list(tenantId: string, limit = 100): Promise<TenantChange[]> {
    const newest = { where: { tenantId }, order: { at: 'DESC', id: 'DESC' }, take: limit } as const;
    const changes = newestOf(await this.db.onEachNode(() => this.db.shared((tx) => tx.find(TenantChange, newest))), limit);
    const ids = changes.flatMap(({ details }) => [details['user'], details['invitation']]);
    const found = await this.db.onEachNode(() => this.db.shared((tx) => peopleNames(tx, tenantId, ids)));
    const names = new Map(found.flatMap((ofNode) => [...ofNode]));
    return changes.map((change) => named(change, names));
  }
}

/** The record has people and invitations as ids, so that an address that is erased is not in it. */
function named(change: TenantChange, names: ReadonlyMap<unknown, string>): TenantChange {
  const { user, invitation, ...details } = change.details;
  const id = user ?? invitation;
  return id === undefined ? change : { ...change, details: { ...details, host: names.get(id) ?? '…' } };
}

/**
 * What people and invitations of a tenant are called in its record, by id: the address of an invitation, and of a person who has a right
 * there; of others the name alone. An invitation is on the server of its tenant.
 */
export async function peopleNames(tx: Tx, tenantId: string, ids: readonly unknown[]): Promise<ReadonlyMap<unknown, string>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string' && isUuid(id)))];
  if (wanted.length === 0) return new Map();
  const rows = await tx.query<{ id: string; name: string }[]>(
    `select u.id, case when a.user_id is null and g.user_id is null then u.name else u.email end as name
       from shared.user_account u left join shared.tenant_administrator a on a.user_id = u.id and a.tenant_id = $2
         left join shared.role_grant g on g.user_id = u.id and g.tenant_id = $2 where u.id = any($1)
     union all select id, email from shared.invitation where id = any($1) and tenant_id = $2`,
    [wanted, tenantId],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
