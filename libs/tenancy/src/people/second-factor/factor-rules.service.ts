import { SETTINGS, type Settings } from '#kernel';
import { Inject, Injectable } from '@nestjs/common';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { TenantHistoryService } from '../../tenants/tenants/tenant-history.service.js';
import { FactorRule } from './factor-rule.entity.js';
import { hasFactorSql } from './recovery-codes.service.js';

/**
 * SQL: whether user `u` with the row `g` of `role_grant` must set up a second factor before anything else.
 * @param tenant and @param operators parameters such as `$2`; the second: whether super-users need one
 */
export const mustSetUpSql = (tenant: string, operators: string): string =>
  `((u.is_super_user and ${operators}::boolean or exists (select 1 from shared.factor_rule q where q.tenant_id = ${tenant}::uuid
      and (q.role = coalesce(g.role_id::text, g.role) or q.role = 'direction' and exists (
        select 1 from shared.tenant_administrator d where d.user_id = u.id and d.tenant_id = ${tenant}::uuid))))
    and not ${hasFactorSql('u.id')})`;

/** Who must have a second factor: roles that a venue names, and super-users, but not on a server that is tried out. */
@Injectable()
export class FactorRulesService {
  constructor(
    private readonly db: TenantDb,
    private readonly history: TenantHistoryService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'baseDomain'>,
  ) {}

  /** Whether super-users need one. Servers at `localhost` are tried out and reached from their machine alone. */
  get isForOperators(): boolean {
    return !/(^|\.)localhost$/.test(this.settings.baseDomain);
  }

  /** The roles of the current tenant that need one. */
  async roles(): Promise<string[]> {
    const { id } = currentTenant();
    return (await this.db.shared((tx) => tx.findBy(FactorRule, { tenantId: id }))).map(({ role }) => role);
  }

  /** Names the roles of the current tenant that need one. People who have none set it up at their next click. */
  async setRoles(roles: readonly string[]): Promise<void> {
    const { id: tenantId, slug } = currentTenant();
    await this.db.shared(async (tx) => {
      const before = (await tx.findBy(FactorRule, { tenantId })).map(({ role }) => role).toSorted();
      await tx.query('delete from shared.factor_rule where tenant_id = $1', [tenantId]);
      await tx.query('insert into shared.factor_rule (tenant_id, role) select $1, unnest($2::text[]) on conflict do nothing', [
        tenantId,
        roles,
      ]);
      const details = { roles: { from: before.join(', '), to: roles.toSorted().join(', ') } };
      await this.history.record(tx, { tenantId, slug, action: 'factor_roles', details });
    });
  }
}
