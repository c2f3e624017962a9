import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What the network does. `refuse`: no connection. `hang`: connections stand and nothing passes. `deaf`: requests arrive, answers do not.
 * `cut`: requests arrive, and the connection ends in the middle of each answer. `delay`: answers arrive late. `answer`: somebody else
 * answers every request with these bytes, and the server hears nothing.
 */
export type Network = 'pass' | 'refuse' | 'hang' | 'deaf' | 'cut' | { readonly delay: number } | { readonly answer: string };

/** The bytes of an answer over HTTP. */
export function rawAnswer(status: string, type: string, body: string, headers: readonly string[] = []): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 ${status}`, `Content-Type: ${type}`, length, 'Connection: close', ...headers, '', body].join('\r\n');
}

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
    if (network === 'refuse' || answerOf(network) !== undefined) for (const socket of this.sockets) socket.resetAndDestroy();
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
    const answer = answerOf(this.network);
    if (answer !== undefined) {
      this.sockets.add(client);
      client.on('error', () => undefined).on('close', () => this.sockets.delete(client));
      client.once('data', () => client.end(answer));
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
    from.on('data', (bytes) =>
      then(() => {
        if (this.network !== 'cut' || !stopped.includes('deaf')) to.write(bytes);
        // The last bytes are of the body.
        else to.write(bytes.subarray(0, -5), () => to.destroy());
      }),
    );
    from.on('end', () => then(() => to.end()));
  }

  private async passes(stopped: readonly Network[], arrived: number): Promise<void> {
    while (stopped.includes(this.network)) await once(this.changes, 'change');
    // Answers only: a late request and a late answer are the same to the phone.
    if (typeof this.network === 'object' && 'delay' in this.network && stopped.includes('deaf')) {
      const rest = arrived + this.network.delay - Date.now();
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }
}

const answerOf = (network: Network): string | undefined =>
  typeof network === 'object' && 'answer' in network ? network.answer : undefined;
