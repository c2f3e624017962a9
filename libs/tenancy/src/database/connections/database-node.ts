import { FairLimit, ScopeSlot, type Settings } from '#kernel';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { connectionLimits } from './connection-limits.js';

/** A database server as this process uses it: its pool, and how tenants share it. */
export class DatabaseNode {
  /** Connections in use. Within a tenant, scans come first; between tenants, the one with the fewest connections. */
  private readonly share: FairLimit;
  /** Set while the current work uses a connection of this tenant's share. */
  private readonly shareSlot = new ScopeSlot<string>('connection share');

  constructor(
    readonly dataSource: DataSource,
    settings: Pick<Settings, 'databasePoolSize' | 'databaseWaitMs'>,
  ) {
    this.share = new FairLimit(connectionLimits(settings));
  }

  /** The process's pool of connections to this server. */
  get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }

  /** The rows of one statement. */
  async rows<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>(statement);
    return rows;
  }

  /**
   * Runs work with one of the tenant's connections. Nested work uses the same place, because waiting for a second one could deadlock.
   * @param tenantId undefined: the work of no tenant, which does not wait
   */
  async inShare<Result>(tenantId: string | undefined, work: () => Promise<Result>, urgent = false): Promise<Result> {
    if (tenantId === undefined || this.shareSlot.get() === tenantId) return work();
    const leave = this.share.enterNow(tenantId, urgent) ?? (await this.share.enter(undefined, tenantId, urgent));
    try {
      return await this.shareSlot.run(tenantId, work);
    } finally {
      leave();
    }
  }
}
