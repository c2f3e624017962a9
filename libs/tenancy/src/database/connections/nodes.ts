import type { Settings } from '#kernel';
import type pg from 'pg';
import { limits } from '../../limits.js';
import { createDataSource } from './database.js';
import { DatabaseNode } from './database-node.js';
import { NodeWatch } from './node-watch.js';

type Entities = Parameters<typeof createDataSource>[2];

/** A database server, as the extension Citus lists it. */
interface ListedNode {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  /** Whether new tenants may be placed on it. */
  readonly takesTenants: boolean;
}

export interface PoolState {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The node that `DATABASE_URL` leads to. Its errors are those of the connection; nothing works without it. */
export const homeNode = 0;

const listSql = `select groupid as id, nodename as host, nodeport as port, shouldhaveshards as "takesTenants"
  from pg_catalog.pg_dist_node where noderole = 'primary' order by groupid`;

/**
 * The database servers: the one that `DATABASE_URL` leads to and, when it has the extension Citus, those that `pg_dist_node` lists. Their
 * pools are opened when they are first used.
 */
export class Nodes {
  private readonly opened = new Map<number, DatabaseNode>();
  private readonly opening = new Map<number, Promise<DatabaseNode>>();
  private readonly watches = new Map<number, NodeWatch>();
  private listed: readonly ListedNode[] = [];
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    readonly home: DatabaseNode,
    private readonly url: string,
    private readonly settings: Settings,
    private readonly entities: Entities,
  ) {
    this.opened.set(homeNode, home);
  }

  /** Opens the pool of the home node and reads which others there are. */
  static async open(url: string, settings: Settings, entities: Entities): Promise<Nodes> {
    const home = new DatabaseNode(await createDataSource(url, settings, entities).initialize(), settings);
    const nodes = new Nodes(home, url, settings, entities);
    const { rows } = await home.pool.query<{ found: boolean }>(`select to_regclass('pg_catalog.pg_dist_node') is not null as found`);
    if (rows[0]?.found) await nodes.list();
    return nodes;
  }

  /** Whether there are several nodes. */
  get areSeveral(): boolean {
    return this.listed.length > 1;
  }

  /** The ids of all nodes, of which the home node is the first. */
  get ids(): readonly number[] {
    return this.areSeveral ? this.listed.map(({ id }) => id) : [homeNode];
  }

  /** All nodes, of which the home node is the first. */
  get all(): readonly ListedNode[] {
    const { hostname, port } = new URL(this.url);
    return this.areSeveral ? this.listed : [{ id: homeNode, host: hostname, port: Number(port || 5432), takesTenants: true }];
  }

  /** The ids of nodes for new tenants. */
  get idsForTenants(): readonly number[] {
    return this.listed.filter(({ takesTenants }) => takesTenants).map(({ id }) => id);
  }

  /** False: the node did not answer when this process last asked it. */
  answers(id: number): boolean {
    return this.watches.get(id)?.isSilent !== true;
  }

  /** The addresses of other nodes than home that did not answer when this process last asked them. */
  get silent(): string[] {
    return [...this.watches.values()].filter(({ isSilent }) => isSilent).map(({ address }) => address);
  }

  /**
   * Runs work on a node.
   * @throws UnavailableError at once while the node is known not to answer; home is always asked
   */
  run<Result>(id: number, work: (node: DatabaseNode) => Promise<Result>): Promise<Result> {
    // Not a promise, so that work on one node waits for nothing.
    return id === homeNode ? work(this.home) : this.runElsewhere(id, work);
  }

  /** Opens the node's pool unless it is open. @throws the error of the connection; the next call tries again */
  async use(id: number): Promise<DatabaseNode> {
    const open = this.opened.get(id);
    if (open) return open;
    const opening = this.opening.get(id) ?? this.connect(id).finally(() => this.opening.delete(id));
    this.opening.set(id, opening);
    return opening;
  }

  /** Number of connections in the pools that are open, of idle ones, and of callers waiting for one. */
  poolState(): PoolState {
    const pools = [...this.opened.values()].map(({ pool }) => pool);
    const sum = (of: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + of(pool), 0);
    return { open: sum((pool) => pool.totalCount), idle: sum((pool) => pool.idleCount), waiting: sum((pool) => pool.waitingCount) };
  }

  /** Closes all pools. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const watch of this.watches.values()) watch.stop();
    await Promise.allSettled(this.opening.values());
    const open = [...this.opened.values()].filter(({ dataSource }) => dataSource.isInitialized);
    await Promise.all(open.map(({ dataSource }) => dataSource.destroy()));
  }

  private async runElsewhere<Result>(id: number, work: (node: DatabaseNode) => Promise<Result>): Promise<Result> {
    this.watches.get(id)?.refuseIfSilent();
    try {
      const result = await work(this.opened.get(id) ?? (await this.use(id)));
      this.watches.get(id)?.answer();
      return result;
    } catch (error) {
      this.watches.get(id)?.suspect(error);
      throw error;
    }
  }

  private async connect(id: number): Promise<DatabaseNode> {
    const known = this.listed.find((node) => node.id === id) ?? (await this.list()).find((node) => node.id === id);
    if (!known) throw new TypeError(`There is no node ${id} in pg_dist_node`);
    const address = new URL(this.url);
    address.hostname = known.host;
    address.port = String(known.port);
    const watch = this.watches.get(id) ?? new NodeWatch(id, address.href);
    this.watches.set(id, watch);
    // First, because the pool waits longer for a server that does not answer.
    await watch.look();
    watch.refuseIfSilent();
    const dataSource = await createDataSource(address.href, this.settings, this.entities).initialize();
    const node = new DatabaseNode(dataSource, this.settings);
    this.opened.set(id, node);
    return node;
  }

  private async list(): Promise<readonly ListedNode[]> {
    this.listed = (await this.home.pool.query<ListedNode & Record<string, unknown>>(listSql)).rows;
    // Nodes that are added later, and their properties.
    this.timer ??= setInterval(() => void this.list().catch(() => undefined), limits.nodeInterval.ms).unref();
    return this.listed;
  }
}
