import { Injectable } from '@nestjs/common';
import { actingPerson } from '../../database/context/acting-person.js';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { newestOf } from '../../tenants/tenants/tenant-history.service.js';
import { UserChange } from './user-change.entity.js';

/** A change of a user to be recorded. */
export interface RecordedUserChange {
  readonly userId: string;
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Told of a recorded change in its transaction. @param id of the row in the record */
export type UserChangeListener = (tx: Tx, change: { readonly id: string; readonly action: string }) => Promise<void>;

/** Records who granted or revoked which right of a user. */
@Injectable()
export class UserHistoryService {
  private readonly listeners: UserChangeListener[] = [];

  constructor(private readonly db: TenantDb) {}

  /** Registers who is told of each change. What fails there undoes the change. */
  onRecorded(listener: UserChangeListener): void {
    this.listeners.push(listener);
  }

  /** Records a change in the transaction that makes it. Does nothing when the user does not exist. */
  async record(tx: Tx, { userId, action, details = {} }: RecordedUserChange): Promise<void> {
    const by = actingPerson();
    const [row] = await tx.query<{ id: string }[]>(
      `insert into shared.user_change (user_id, email, actor_id, actor, action, details)
       select u.id, u.email, $2, coalesce((select a.email from shared.user_account a where a.id = $2), $3), $4, $5::jsonb
       from shared.user_account u where u.id = $1 returning id`,
      [userId, by.userId, by.label, action, JSON.stringify(details)],
    );
    if (row) for (const listener of this.listeners) await listener(tx, { id: row.id, action });
  }

  /**
   * Tells the people who direct the current tenant of a change of it, in its transaction, when a person made it: what was done with a
   * stolen session is seen by somebody else. The record of each says so.
   */
  async tellDirectors(tx: Tx, action: string): Promise<void> {
    if (actingPerson().userId === null) return;
    const { id: tenantId, slug } = currentTenant();
    const directors = await tx.query<{ id: string }[]>(
      `select user_id as id from shared.tenant_administrator where tenant_id = $1 order by user_id`,
      [tenantId],
    );
    for (const { id } of directors) await this.record(tx, { userId: id, action, details: { tenant: slug } });
  }

  /** The newest changes of a user. */
  async list(userId: string, limit = 100): Promise<UserChange[]> {
    const newest = { where: { userId }, order: { at: 'DESC', id: 'DESC' }, take: limit } as const;
    const found = await this.db.onEachNode(() => this.db.shared((tx) => tx.find(UserChange, newest)));
    return newestOf(found, limit);
  }
}
