import { Injectable } from '@nestjs/common';
import type { TenantIdentity } from '../context/tenant-context.js';
import type { Tx } from '../database/tx.js';

type Foundation = (tx: Tx, tenant: TenantIdentity) => Promise<void>;

/** What other libs lay into every new tenant, inside the transaction that creates it (the signing key of tickets, say). */
@Injectable()
export class TenantFoundations {
  private readonly foundations: Foundation[] = [];
  private readonly derived: Foundation[] = [];

  add(foundation: Foundation): void {
    this.foundations.push(foundation);
  }

  /** What is made from the tenant's own tables: also laid when a tenant arrives from another server. */
  addDerived(foundation: Foundation): void {
    this.foundations.push(foundation);
    this.derived.push(foundation);
  }

  async lay(tx: Tx, tenant: TenantIdentity): Promise<void> {
    for (const foundation of this.foundations) await foundation(tx, tenant);
  }
  /** Only what is derived: the tables are those of another server. */
  async restore(tx: Tx, tenant: TenantIdentity): Promise<void> {
    for (const foundation of this.derived) await foundation(tx, tenant);
  }
}
