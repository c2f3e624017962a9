import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** Arrivals by a key that stays the same for repetitions. */
export interface Arrivals {
  /** Number of arrivals by key. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of repeated arrivals. */
  duplicates(): number;
  close(): Promise<void>;
}

export interface WebhookReceiver extends Arrivals {
  readonly url: string;
}

export interface MailReceiver extends Arrivals {
  readonly url: string;
}

/** Receives webhooks on loopback and counts them by `webhook-id`. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count(counts, String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    counts,
    duplicates: () => duplicatesIn(counts),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Receives mails on loopback and counts them by recipient: each booking of the run has its own address and gets one mail. */
export async function openMailReceiver(): Promise<MailReceiver> {
  const counts = new Map<string, number>();
  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, session, done) => {
      stream.resume().on('end', () => {
        for (const { address } of session.envelope.rcptTo) count(counts, address);
        done();
      });
    },
  });
  // Some faults kill senders during a mail.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    counts,
    duplicates: () => duplicatesIn(counts),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function duplicatesIn(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, times) => sum + times - 1, 0);
}
