import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount } from '#embedded-postgres';
import { Processes } from '../../faults/processes.js';
import { freePorts } from '../../faults/stack.js';
import { ClusterServer } from './cluster-server.js';

/** The name of an account without a password, which is the super-user of all servers of a proof. */
const user = 'guichet';

/** PostgreSQL with Citus on loopback: a coordinator and two nodes, and a server of the same build without the extension. */
export class Cluster {
  private constructor(
    /** For files of a proof; deleted at the end. */
    readonly folder: string,
    readonly processes: Processes,
    /** By number of the node: 0 is the coordinator, which is the home of shared tables. */
    readonly servers: readonly ClusterServer[],
    /** Beside the cluster, for comparisons. */
    readonly plain: ClusterServer,
  ) {}

  /** Starts the servers. @param bin the folder of initdb and postgres, with Citus installed @throws with the output of initdb */
  static async start(bin: string): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'guichet-citus-'));
    // PostgreSQL refuses root; its user needs access.
    await chmod(folder, 0o755);
    const processes = new Processes(folder);
    try {
      return await Cluster.open(bin, folder, processes);
    } catch (error) {
      await processes.stopAll();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private static async open(bin: string, folder: string, processes: Processes): Promise<Cluster> {
    const account = await findAccount();
    const ports = await freePorts(4);
    const servers = await Promise.all(
      ports.map(async (port, index) => {
        const name = index < 3 ? `server-${index}` : 'plain';
        const place = join(folder, name);
        await mkdir(place, { mode: 0o700 });
        if (account.drop) await chown(place, account.uid, account.gid);
        const server = new ClusterServer({ name, bin, port, folder: place, citus: index < 3, user, account }, processes);
        await server.create();
        return server;
      }),
    );
    const plain = servers.pop() as ClusterServer;
    return new Cluster(folder, processes, servers, plain);
  }

  get home(): ClusterServer {
    return this.servers[0] as ClusterServer;
  }

  /** Makes a database on all servers and joins the nodes. @returns its address at home */
  async createDatabase(name: string): Promise<string> {
    for (const server of this.servers) {
      await server.query(`create database ${name}`, [], 'postgres');
      await server.query('create extension citus', [], name);
    }
    await this.home.query(`select citus_set_coordinator_host('127.0.0.1', ${this.home.port})`, [], name);
    for (const { port } of this.servers.slice(1)) await this.home.query(`select citus_add_node('127.0.0.1', ${port})`, [], name);
    return this.home.url(name);
  }

  /** Stops all processes of the proof and deletes its files. */
  async stop(): Promise<void> {
    await this.processes.stopAll();
    await rm(this.folder, { recursive: true, force: true });
  }
}
