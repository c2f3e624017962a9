import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedWebhook {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
  readonly at: number;
}

type Behaviour = (request: IncomingMessage, response: ServerResponse, received: ReceivedWebhook) => void;

const accept: Behaviour = (_request, response) => {
  response.writeHead(204).end();
};

/** A webhook receiver on loopback. It stores every request, verifies it with the public library, and has configurable responses. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Requests that failed the verification. */
  readonly refused: string[] = [];
  behaviour: Behaviour = accept;
  secret: string | undefined;
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => undefined);
    request.on('end', () => this.take(request, response, Buffer.concat(parts).toString()));
  });

  /** @param port 0: a free port */
  static async start(port = 0): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server.listen(port, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  get ids(): Set<string> {
    return new Set(this.received.map(({ id }) => id));
  }

  accept(): void {
    this.behaviour = accept;
  }

  /** Waits until the received requests satisfy the condition. */
  async until(satisfied: (received: readonly ReceivedWebhook[]) => boolean, milliseconds = 30_000): Promise<void> {
    for (const end = Date.now() + milliseconds; !satisfied(this.received);) {
      if (Date.now() > end) throw new Error(`Waited in vain; received ${this.received.map(({ type }) => type).join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private take(request: IncomingMessage, response: ServerResponse, body: string): void {
    if (this.secret) {
      try {
        new Webhook(this.secret).verify(body, request.headers as Record<string, string>);
      } catch (error) {
        this.refused.push((error as Error).message);
      }
    }
    const parsed = JSON.parse(body) as Pick<ReceivedWebhook, 'type' | 'timestamp' | 'data'>;
    const id = String(request.headers['webhook-id']);
    const received = { ...parsed, id, headers: request.headers, body, at: Date.now() };
    this.received.push(received);
    this.behaviour(request, response, received);
  }
}
