import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What the network does. `refuse`: no connection. `hang`: connections stand and nothing passes. `deaf`: requests arrive, answers do not.
 * `delay`: answers arrive late.
 */
export type Network = 'pass' | 'refuse' | 'hang' | 'deaf' | { readonly delay: number };

/** A network before a server, for everything that a browser sends, also from its service worker. */
export class FaultyProxy {
  private network: Network = 'pass';
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param target port of the server on loopback */
  static async open(target: number): Promise<FaultyProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FaultyProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => proxy.accept(socket, target));
    return proxy;
  }

  /** Changes the network, also for open connections. What hung continues when it passes again. */
  set(network: Network): void {
    this.network = network;
    if (network === 'refuse') for (const socket of this.sockets) socket.resetAndDestroy();
    this.changes.emit('change');
  }

  async close(): Promise<void> {
    this.set('refuse');
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket, target: number): void {
    if (this.network === 'refuse') {
      client.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const server = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    this.carry(client, server, ['hang']);
    this.carry(server, client, ['hang', 'deaf']);
  }

  /** Carries bytes in their order. @param stopped networks in which they wait */
  private carry(from: Socket, to: Socket, stopped: readonly Network[]): void {
    let last = Promise.resolve();
    const then = (step: () => void): void => {
      const arrived = Date.now();
      last = last
        .then(() => this.passes(stopped, arrived))
        .then(() => {
          if (!to.destroyed) step();
        });
    };
    from.on('data', (bytes) => then(() => to.write(bytes)));
    from.on('end', () => then(() => to.end()));
  }

  private async passes(stopped: readonly Network[], arrived: number): Promise<void> {
    while (stopped.includes(this.network)) await once(this.changes, 'change');
    // Answers only: a late request and a late answer are the same to the phone.
    if (typeof this.network === 'object' && stopped.includes('deaf')) {
      const rest = arrived + this.network.delay - Date.now();
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }
}
