import { currentTenant, TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';

/** Whether the panel of the current tenant shows the first steps to its administrators. */
@Injectable()
export class TenantWelcomeService {
  constructor(private readonly db: TenantDb) {}

  async isShown(): Promise<boolean> {
    const rows = await this.db.sharedStatement(shownStatement, [currentTenant().id]);
    return rows.length > 0;
  }

  /** Hides the first steps. */
  async dismiss(): Promise<void> {
    await this.db.sharedStatement(dismissStatement, [currentTenant().id]);
  }
}

const shownStatement = { name: 'tenant-welcome', text: 'select 1 from shared.tenant_welcome where tenant_id = $1' };
const dismissStatement = {
  name: 'tenant-welcome-dismiss',
  text: 'delete from shared.tenant_welcome where tenant_id = $1',
};
