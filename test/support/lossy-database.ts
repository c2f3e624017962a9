import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * The fault of a connection:
 * - `lose commit`: the COMMIT of a transaction with a matching statement is executed, its response is lost and the connection closed
 * - `lose answer`: the same for the response to the matching statement itself
 * - `cut after`: the response to the matching statement arrives, then the connection is closed
 * - `hang`: after the matching statement no data arrives, and the connection stays open
 */
export type Fault = 'lose commit' | 'lose answer' | 'cut after' | 'hang';

/** A proxy in front of PostgreSQL that injects faults of poolers, networks and servers. */
export interface LossyDatabase {
  readonly url: string;
  /** Injects a fault for the next `count` statements whose text, or name if prepared, matches. */
  fail(fault: Fault, statement: RegExp, count?: number): void;
  /** Number of faults since the start. */
  readonly faults: number;
  close(): Promise<void>;
}

export async function openLossyDatabase(databaseUrl: string): Promise<LossyDatabase> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let wanted: { fault: Fault; statement: RegExp; left: number } = { fault: 'hang', statement: /$^/, left: 0 };
  let faults = 0;
  const server = createServer((client) => {
    const upstream = connect({ port: Number(target.port || 5432), host: target.hostname });
    let matched = false;
    let failing: Fault | undefined;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      if (/begin[;\0]/.test(text)) matched = false;
      if (wanted.left > 0 && !failing) {
        if (wanted.statement.test(text)) matched = true;
        if (matched && (wanted.fault !== 'lose commit' || text.includes('commit\0'))) {
          wanted.left -= 1;
          faults += 1;
          failing = wanted.fault;
        }
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (failing === 'hang') return;
      if (failing === 'lose commit' || failing === 'lose answer') client.destroy();
      else if (failing === 'cut after') client.end(bytes);
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    fail: (fault, statement, count = 1) => (wanted = { fault, statement, left: count }),
    get faults() {
      return faults;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
