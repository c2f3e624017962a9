import { isUuid, RefusedInput, retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { Inject, Injectable } from '@nestjs/common';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { texts } from '../../locales/tenancy.texts.js';
import { TenantHistoryService } from '../../tenants/tenants/tenant-history.service.js';
import { isWithin, levelsOf, type PermissionLevels } from '../roles/permissions.js';
import { isPreset, presets } from '../roles/presets.js';
import { FactorRule } from './factor-rule.entity.js';
import { hasFactorSql } from '../second-factor/recovery-codes.service.js';
import { heldRightToGive } from './present-rights.js';

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

  /**
   * Names the roles of the current tenant that need one. People who have none set it up at their next click.
   * @param by who does it, and may lift the requirement for roles alone that allow no more than the own right
   * @throws RefusedInput on `roles`
   */
  setRoles(roles: readonly string[], by: string): Promise<void> {
    return retryOnDeadlock(() => this.db.shared((tx) => this.setRolesIn(tx, roles, by)));
  }

  private async setRolesIn(tx: Tx, roles: readonly string[], by: string): Promise<void> {
    const { id: tenantId, slug } = currentTenant();
    // One at a time, so that each change is judged and recorded against the one before.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`factor rules ${tenantId}`]);
    const before = (await tx.findBy(FactorRule, { tenantId })).map(({ role }) => role).toSorted();
    const lifted = before.filter((role) => !roles.includes(role));
    const added = roles.filter((role) => !before.includes(role));
    await refuseLifting(tx, tenantId, lifted, by);
    await tx.query('delete from shared.factor_rule where tenant_id = $1 and role = any($2)', [tenantId, lifted]);
    await tx.query('insert into shared.factor_rule (tenant_id, role) select $1, unnest($2::text[])', [tenantId, added]);
    const details = { roles: { from: before.join(', '), to: roles.toSorted().join(', ') } };
    await this.history.record(tx, { tenantId, slug, action: 'factor_roles', details });
  }
}

/** A role that was deleted allows nothing. */
async function refuseLifting(tx: Tx, tenantId: string, roles: readonly string[], by: string): Promise<void> {
  const giver = await heldRightToGive(tx, tenantId, by);
  const own = await tx.query<{ id: string; levels: unknown }[]>(
    'select id, levels from shared.venue_role where tenant_id = $1 and id = any($2)',
    [tenantId, roles.filter(isUuid)],
  );
  const levelsIn = (role: string): PermissionLevels =>
    isPreset(role) ? presets[role] : levelsOf(own.find(({ id }) => id === role)?.levels);
  const isCovered = giver?.scope.kind === 'all' && roles.every((role) => isWithin(levelsIn(role), giver.levels));
  if (!isCovered) throw new RefusedInput('roles', texts.localized('roles.refused.beyondOwn'));
}
