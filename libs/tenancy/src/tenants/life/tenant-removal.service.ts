import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LOGGER, type Logger } from '#kernel';
import { ScheduledTasks } from '../../database/scheduled/scheduled-tasks.js';
import { currentNode } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { nodeTables } from '../../migrations/shared-tables.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { TenantHistoryService } from '../tenants/tenant-history.service.js';
import { lockAlone } from '../../database/transactions/tenant-lock.js';
import { Tenant } from '../tenants/tenant.entity.js';

const tablesOfTenants = Object.keys(nodeTables).filter((table) => nodeTables[table]?.ofTenant);

/** Drops tenants whose grace period is over, about once an hour, in one process of the installation for each node. */
@Injectable()
export class TenantRemovalService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly history: TenantHistoryService,
    private readonly tasks: ScheduledTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.tasks.addForNode('drop deleted tenants', async () => {
      await this.removeDue();
    });
  }

  /**
   * Drops every tenant of the current node that is due, each in one transaction: when the process is killed, a tenant is complete or
   * gone, and the next run continues. When a tenant cannot be dropped, the error is logged and the run continues with the next one.
   * @returns the slugs of the dropped tenants
   */
  async removeDue(): Promise<string[]> {
    const due = await this.db.sharedStatement<{ id: string; slug: string }>(
      {
        name: 'tenants-to-drop',
        text: `select id, slug from shared.tenant where delete_after <= now() and node = $1 and moving_since is null
          order by delete_after, id`,
      },
      [currentNode()],
    );
    await this.removeOrphans();
    const gone: string[] = [];
    for (const { id, slug } of due) {
      try {
        if (await this.remove(id)) gone.push(slug);
      } catch (error) {
        this.logger.warn({ err: error, tenant: slug }, 'tenant not dropped');
      }
    }
    if (gone.length > 0) this.tenants.forget();
    return gone;
  }

  /** Deletes shared rows of tenants that older programs dropped: those relied on foreign keys. */
  private removeOrphans(): Promise<void> {
    return this.db.shared(async (tx) => {
      for (const table of tablesOfTenants) {
        // Two statements, because tenants are on all nodes and these rows on one.
        const rows = await tx.query<{ id: string }[]>(
          `select distinct o.tenant_id as id from shared.${table} o
           where o.tenant_id is not null and not exists (select 1 from shared.tenant t where t.id = o.tenant_id)`,
        );
        if (rows.length > 0) await tx.query(`delete from shared.${table} where tenant_id = any($1)`, [rows.map(({ id }) => id)]);
      }
    });
  }

  /** Deletes the schema and all shared rows of the tenant except its change log. False when the tenant was restored meanwhile. */
  private remove(id: string): Promise<boolean> {
    return this.db.shared(async (tx) => {
      await lockAlone(tx, id);
      const [tenant] = await tx.query<{ slug: string; schemaName: string; reason: string | null }[]>(
        `select slug, schema_name as "schemaName", state_reason as reason from shared.tenant
         where id = $1 and state = 'deleting' and delete_after <= now() and moving_since is null for update`,
        [id],
      );
      if (!tenant) return false;
      const { slug, schemaName, reason } = tenant;
      await tx.query(`drop schema if exists "${schemaName}" cascade`);
      for (const table of tablesOfTenants) await tx.query(`delete from shared.${table} where tenant_id = $1`, [id]);
      // Foreign keys delete domains, administrators, memberships of networks, quotas and the public record.
      await tx.delete(Tenant, { id });
      await this.history.record(tx, { tenantId: id, slug, action: 'dropped', reason, actor: 'background work' });
      return true;
    });
  }
}
