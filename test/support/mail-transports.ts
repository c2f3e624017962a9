import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailTransportService, type MailMessage } from '#messages';
import type { SMTPServerOptions } from 'smtp-server';
import { openSmtpSink, type SmtpSink } from './smtp-sink.js';

export const mailFrom = { name: 'Guichet', address: 'tickets@example.org' };
export const message: MailMessage = {
  to: 'anna@example.net',
  toName: 'Anna Łęcka',
  fromName: 'Théâtre de l’Île',
  subject: 'Vos billets : « Zoë & Đorđe »',
  html: '<p>Bonjour Zoë, 12,50 €</p>',
  text: 'Bonjour Zoë, 12,50 €',
  attachments: [{ filename: 'billets-été.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7 é') }],
};

/** The error of a rejected promise; throws when the promise is fulfilled. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: Error) => error,
  );
  if (!outcome) throw new Error('it did not fail');
  return outcome;
}

/** Transports, servers and the mail folder of one test. */
export class MailTransports {
  /** Run in reverse order when the test ends. */
  readonly ends: (() => unknown)[] = [];

  private constructor(readonly folder: string) {}

  static async start(): Promise<MailTransports> {
    return new MailTransports(await mkdtemp(join(tmpdir(), 'guichet-mail-')));
  }

  /** A transport to a server, or to the folder when there is none. */
  transport(smtpUrl?: string, timeouts?: ConstructorParameters<typeof MailTransportService>[1]): MailTransportService {
    const made = new MailTransportService({ smtpUrl, mailFrom, mailFolder: this.folder }, timeouts);
    this.ends.push(() => made.onApplicationShutdown());
    return made;
  }

  async sink(options?: SMTPServerOptions): Promise<SmtpSink> {
    const opened = await openSmtpSink(options);
    this.ends.push(() => opened.close());
    return opened;
  }

  async close(): Promise<void> {
    for (const end of this.ends.toReversed()) await end();
    await rm(this.folder, { recursive: true, force: true });
  }
}
