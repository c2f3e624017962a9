import { Injectable } from '@nestjs/common';
import type { TenantIdentity } from '../../database/context/tenant-context.js';
import type { Tx } from '../../database/transactions/tx.js';

type Foundation = (tx: Tx, tenant: TenantIdentity) => Promise<void>;

/** Initial data that other libs write for every new tenant, in the transaction that creates it (for example the signing key of tickets). */
@Injectable()
export class TenantFoundations {
  private readonly foundations: Foundation[] = [];
  private readonly derived: Foundation[] = [];

  /** Registers data that is written for every new tenant, but not for an imported one. */
  add(foundation: Foundation): void {
    this.foundations.push(foundation);
  }

  /** Registers data that is derived from the tenant's own tables. It is also written when a tenant is imported. */
  addDerived(foundation: Foundation): void {
    this.foundations.push(foundation);
    this.derived.push(foundation);
  }

  /** Writes all registered data, in the transaction that creates the tenant. */
  async lay(tx: Tx, tenant: TenantIdentity): Promise<void> {
    for (const foundation of this.foundations) await foundation(tx, tenant);
  }
  /** Writes only derived data, because the tables come from another server. */
  async restore(tx: Tx, tenant: TenantIdentity): Promise<void> {
    for (const foundation of this.derived) await foundation(tx, tenant);
  }
}
