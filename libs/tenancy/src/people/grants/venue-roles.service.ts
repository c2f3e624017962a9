import { Injectable } from '@nestjs/common';
import { isUuid, isVisible, RefusedInput, refuseUnfitTexts, retryOnDeadlock, violatedConstraint } from '#kernel';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { texts } from '../../locales/tenancy.texts.js';
import { TenantHistoryService } from '../../tenants/tenants/tenant-history.service.js';
import { levelsOf, permissionNouns, type PermissionLevels } from '../roles/permissions.js';
import { UsersService } from '../users/users.service.js';
import { heldRightToGive, refuseRoleBeyond } from './present-rights.js';
import { VenueRole } from './venue-role.entity.js';

/** Maximum lengths of a role's texts. */
const roleTexts = { name: 80 };

/** The roles that the current tenant made itself. */
@Injectable()
export class VenueRolesService {
  constructor(
    private readonly db: TenantDb,
    private readonly users: UsersService,
    private readonly history: TenantHistoryService,
  ) {}

  list(): Promise<VenueRole[]> {
    return this.db.shared((tx) => tx.find(VenueRole, { where: { tenantId: currentTenant().id }, order: { name: 'ASC' } }));
  }

  /**
   * @param by who makes it, with no level above the own ones; undefined: the operator
   * @returns the id of the new role @throws RefusedInput on `name`
   */
  create(name: string, sent: PermissionLevels, by?: string): Promise<string> {
    const { id: tenantId } = currentTenant();
    const levels = levelsOf(sent);
    return this.write(name, (text) =>
      this.db.shared(async (tx) => {
        refuseRoleBeyond(await heldRightToGive(tx, tenantId, by), [levels]);
        const { identifiers } = await tx.insert(VenueRole, { tenantId, name: text, levels });
        await this.record(tx, 'own_role_made', { role: text, ...levels });
        return (identifiers[0] as { id: string }).id;
      }),
    );
  }

  /**
   * Changes a role, for everybody who has it. Keys of these people that go beyond it are suspended.
   * @param by who changes it: no level, before or after, is above the own ones, and it is not the own role
   * @returns false when the tenant has no such role @throws RefusedInput on `name`
   */
  async change(id: string, name: string, sent: PermissionLevels, by?: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { id: tenantId } = currentTenant();
    return this.write(name, (text) =>
      this.db.shared(async (tx) => {
        const levels = levelsOf(sent);
        const giver = await heldRightToGive(tx, tenantId, by, id);
        const before = await lockedRole(tx, tenantId, id);
        if (!before) return false;
        refuseRoleBeyond(giver, [before.levels, levels], id);
        await tx.update(VenueRole, { id, tenantId }, { name: text, levels });
        const changed = permissionNouns.filter((noun) => before.levels[noun] !== levels[noun]);
        await this.record(tx, 'own_role_changed', {
          role: before.name === text ? text : { from: before.name, to: text },
          ...Object.fromEntries(changed.map((noun) => [noun, { from: before.levels[noun] ?? 'none', to: levels[noun] ?? 'none' }])),
        });
        const holders = await tx.query<{ id: string }[]>(
          'select user_id as id from shared.role_grant where role_id = $1 and tenant_id = $2 order by user_id for update',
          [id, tenantId],
        );
        // Keys of the tenant are on its node, where this runs.
        for (const holder of holders) await this.users.suspendKeys(tx, holder.id);
        return true;
      }),
    );
  }

  /** @returns false when the tenant has no such role @throws RefusedInput on `name` when somebody has it */
  async remove(id: string, by?: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { id: tenantId } = currentTenant();
    try {
      return await retryOnDeadlock(() =>
        this.db.shared(async (tx) => {
          const giver = await heldRightToGive(tx, tenantId, by, id);
          const role = await lockedRole(tx, tenantId, id);
          if (!role) return false;
          refuseRoleBeyond(giver, [role.levels], id);
          await tx.delete(VenueRole, { id, tenantId });
          await this.record(tx, 'own_role_removed', { role: role.name });
          return true;
        }),
      );
    } catch (error) {
      if (violatedConstraint(error) !== 'role_grant_role_id_fkey') throw error;
      throw new RefusedInput('name', texts.localized('roles.refused.inUse'));
    }
  }

  private record(tx: Tx, action: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    const { id: tenantId, slug } = currentTenant();
    return this.history.record(tx, { tenantId, slug, action, details });
  }

  /** @param work is a whole transaction */
  private async write<Result>(name: string, work: (name: string) => Promise<Result>): Promise<Result> {
    refuseUnfitTexts({ name }, roleTexts);
    if (!isVisible(name)) throw new RefusedInput('name', texts.localized('roles.refused.nameMissing'));
    try {
      return await retryOnDeadlock(() => work(name.trim()));
    } catch (error) {
      if (violatedConstraint(error) !== 'venue_role_tenant_id_name_key') throw error;
      throw new RefusedInput('name', texts.localized('roles.refused.nameTaken'));
    }
  }
}

/** A role, which is locked; undefined: the tenant has no such role. */
async function lockedRole(tx: Tx, tenantId: string, id: string): Promise<{ name: string; levels: PermissionLevels } | undefined> {
  const [row] = await tx.query<{ name: string; levels: unknown }[]>(
    'select name, levels from shared.venue_role where id = $1 and tenant_id = $2 for update',
    [id, tenantId],
  );
  return row && { name: row.name, levels: levelsOf(row.levels) };
}
