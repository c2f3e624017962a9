import { setTimeout as pass } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { homeNode, Nodes } from '../../database/connections/nodes.js';
import { onNode } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { limits } from '../../limits.js';

/** A database server, and how it is. */
interface DatabaseServer {
  /** 0: the one that `DATABASE_URL` leads to. */
  readonly number: number;
  readonly host: string;
  readonly port: number;
  /** Whether new tenants may be placed on it. */
  readonly takesTenants: boolean;
  readonly tenants: number;
  /** Size of its database in bytes; null: it did not answer. */
  readonly bytes: number | null;
  /** Schemas that it has for new tenants; null: it did not answer. */
  readonly spares: number | null;
  /** How long its answer took, in milliseconds; null: it did not answer in time. */
  readonly tookMs: number | null;
}

const tenantsStatement = { name: 'tenants-by-node', text: 'select node, count(*)::int as tenants from shared.tenant group by node' };
const serverStatement = {
  name: 'database-server',
  text: `select pg_database_size(current_database())::float8 as bytes, (select count(*)::int from shared.spare_schema) as spares`,
};

/** Lists the database servers, for operators. */
@Injectable()
export class DatabaseServersService {
  constructor(
    private readonly db: TenantDb,
    private readonly nodes: Nodes,
  ) {}

  /** Whether there are several. */
  get areSeveral(): boolean {
    return this.nodes.areSeveral;
  }

  /** All servers by number. One that is down delays the answer by the time in `limits`, and does not fail it. */
  async list(): Promise<DatabaseServer[]> {
    const counted = await onNode(homeNode, () => this.db.sharedStatement<{ node: number; tenants: number }>(tenantsStatement, []));
    return Promise.all(
      this.nodes.all.map(async ({ id, ...server }) => ({
        number: id,
        ...server,
        tenants: counted.find(({ node }) => node === id)?.tenants ?? 0,
        ...(await this.look(id)),
      })),
    );
  }

  private async look(id: number): Promise<Pick<DatabaseServer, 'bytes' | 'spares' | 'tookMs'>> {
    const begun = performance.now();
    const asked = onNode(id, () => this.db.sharedStatement<{ bytes: number; spares: number }>(serverStatement, []));
    const [row] = await Promise.race([asked, pass(limits.serverLook.ms, [], { ref: false })]).catch(() => []);
    return row ? { ...row, tookMs: Math.round(performance.now() - begun) } : { bytes: null, spares: null, tookMs: null };
  }
}
