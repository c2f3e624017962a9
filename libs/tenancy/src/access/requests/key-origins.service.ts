import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { keyIsUsable } from '../../database/context/key-state.js';
import { type TenantIdentity } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';

/** Maximum number of origins per tenant that preflights are answered for; a key may list 20. */
const mostOrigins = 1000;

const originsStatement = {
  name: 'api-key-origins',
  text: `select distinct unnest(k.allowed_origins) as origin from shared.api_key k
    where k.tenant_id = $1 and k.kind = 'gkey' and ${keyIsUsable} limit ${mostOrigins}`,
};

/** The origins that usable keys of a tenant list. Preflights carry no key, so they are answered from this list. */
@Injectable()
export class KeyOriginsService {
  /** By tenant; cached for a second, so that every process learns of changes. */
  private readonly listed = new LRUCache<string, ReadonlySet<string>>({
    max: 2000,
    ttl: 1000,
    fetchMethod: (tenantId) => this.read(tenantId),
  });

  constructor(private readonly db: TenantDb) {}

  /** Whether some usable key of the tenant lists the origin. */
  async isListed({ id }: Pick<TenantIdentity, 'id'>, origin: string): Promise<boolean> {
    return (await this.listed.fetch(id))?.has(origin) ?? false;
  }

  private async read(tenantId: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.sharedStatement<{ origin: string }>(originsStatement, [tenantId]);
    return new Set(rows.map(({ origin }) => origin));
  }
}
