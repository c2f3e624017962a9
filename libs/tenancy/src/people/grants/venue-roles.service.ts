import { Injectable } from '@nestjs/common';
import { isUuid, isVisible, RefusedInput, refuseUnfitTexts, violatedConstraint } from '#kernel';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { texts } from '../../locales/tenancy.texts.js';
import { levelsOf, type PermissionLevels } from '../roles/permissions.js';
import { UsersService } from '../users/users.service.js';
import { VenueRole } from './venue-role.entity.js';

/** Maximum lengths of a role's texts. */
const roleTexts = { name: 80 };

/** The roles that the current tenant made itself. */
@Injectable()
export class VenueRolesService {
  constructor(
    private readonly db: TenantDb,
    private readonly users: UsersService,
  ) {}

  list(): Promise<VenueRole[]> {
    return this.db.shared((tx) => tx.find(VenueRole, { where: { tenantId: currentTenant().id }, order: { name: 'ASC' } }));
  }

  /** @returns the id of the new role @throws RefusedInput on `name` */
  create(name: string, levels: PermissionLevels): Promise<string> {
    return this.write(name, (text) =>
      this.db.shared(async (tx) => {
        const { identifiers } = await tx.insert(VenueRole, { tenantId: currentTenant().id, name: text, levels: levelsOf(levels) });
        return (identifiers[0] as { id: string }).id;
      }),
    );
  }

  /**
   * Changes a role, for everybody who has it. Keys of these people that go beyond it are suspended.
   * @returns false when the tenant has no such role @throws RefusedInput on `name`
   */
  async change(id: string, name: string, levels: PermissionLevels): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { id: tenantId } = currentTenant();
    return this.write(name, (text) =>
      this.db.shared(async (tx) => {
        const { affected } = await tx.update(VenueRole, { id, tenantId }, { name: text, levels: levelsOf(levels) });
        if (!affected) return false;
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
  async remove(id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    try {
      const { affected } = await this.db.shared((tx) => tx.delete(VenueRole, { id, tenantId: currentTenant().id }));
      return affected === 1;
    } catch (error) {
      if (violatedConstraint(error) !== 'role_grant_role_id_fkey') throw error;
      throw new RefusedInput('name', texts.localized('roles.refused.inUse'));
    }
  }

  private async write<Result>(name: string, work: (name: string) => Promise<Result>): Promise<Result> {
    refuseUnfitTexts({ name }, roleTexts);
    if (!isVisible(name)) throw new RefusedInput('name', texts.localized('roles.refused.nameMissing'));
    try {
      return await work(name.trim());
    } catch (error) {
      if (violatedConstraint(error) !== 'venue_role_tenant_id_name_key') throw error;
      throw new RefusedInput('name', texts.localized('roles.refused.nameTaken'));
    }
  }
}
