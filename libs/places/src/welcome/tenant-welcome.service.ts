import { currentTenant, TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';

/** What the first steps of the current tenant keep. */
interface WelcomeState {
  /** Whether the start page shows them. */
  readonly isShown: boolean;
  /** Whether staff said that everything is free. */
  readonly isFree: boolean;
}

/** The first steps of the current tenant. */
@Injectable()
export class TenantWelcomeService {
  constructor(private readonly db: TenantDb) {}

  /** Tenants that no form created do not show them by themselves. */
  async read(): Promise<WelcomeState> {
    const [row] = await this.db.sharedStatement<WelcomeState & Record<string, unknown>>(readStatement, [currentTenant().id]);
    return row ?? { isShown: false, isFree: false };
  }

  /** The start page does not show the first steps any more. */
  async dismiss(): Promise<void> {
    await this.db.sharedStatement(dismissStatement, [currentTenant().id]);
  }

  /** Stores whether everything is free. */
  async setFree(isFree: boolean): Promise<void> {
    await this.db.sharedStatement(freeStatement, [currentTenant().id, isFree]);
  }
}

const readStatement = {
  name: 'tenant-welcome',
  text: 'select dismissed_at is null as "isShown", is_free as "isFree" from shared.tenant_welcome where tenant_id = $1',
};
const dismissStatement = {
  name: 'tenant-welcome-dismiss',
  text: `insert into shared.tenant_welcome (tenant_id, dismissed_at) values ($1, (select now()))
    on conflict (tenant_id) do update set dismissed_at = excluded.dismissed_at`,
};
const freeStatement = {
  name: 'tenant-welcome-free',
  text: `insert into shared.tenant_welcome (tenant_id, dismissed_at, is_free) values ($1, (select now()), $2)
    on conflict (tenant_id) do update set is_free = excluded.is_free`,
};
