import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A load balancer: each connection goes to the next server that accepts it. */
export class Balancer {
  /** Ports of the servers on loopback. */
  targets: readonly number[] = [];
  private next = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async open(): Promise<Balancer> {
    const server = createServer({ pauseOnConnect: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const balancer = new Balancer(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => void balancer.accept(client));
    return balancer;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async accept(client: Socket): Promise<void> {
    this.keep(client);
    for (let attempt = 0; attempt < this.targets.length; attempt += 1) {
      const port = this.targets[(this.next += 1) % this.targets.length] as number;
      const server = await reach(port);
      if (!server) continue;
      this.keep(server);
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
      client.pipe(server).pipe(client);
      client.resume();
      return;
    }
    client.destroy();
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.setNoDelay();
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }
}

async function reach(port: number): Promise<Socket | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return undefined;
  }
}
