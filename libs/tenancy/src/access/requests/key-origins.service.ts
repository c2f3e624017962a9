import { Injectable } from '@nestjs/common';
import { RecentReadings } from '#kernel';
import { keyIsUsable } from '../../database/context/key-state.js';
import { onNode, type TenantIdentity } from '../../database/context/tenant-context.js';
import { limits } from '../../limits.js';
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
  /** By tenant. */
  private readonly listed = new RecentReadings<ReadonlySet<string>>(limits.origins.kept);

  constructor(private readonly db: TenantDb) {}

  /** Whether some usable key of the tenant lists the origin. */
  async isListed({ id, node }: Pick<TenantIdentity, 'id' | 'node'>, origin: string): Promise<boolean> {
    return (await this.listed.read(id, () => onNode(node, () => this.read(id)))).has(origin);
  }

  private async read(tenantId: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.sharedStatement<{ origin: string }>(originsStatement, [tenantId]);
    return new Set(rows.map(({ origin }) => origin));
  }
}
