import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that the SMTP server received. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly parsed: Email;
}

export interface SmtpSink {
  readonly port: number;
  readonly url: string;
  readonly mails: TakenMail[];
  /** Number of open connections. */
  readonly open: () => number;
  readonly opened: () => number;
  close(): Promise<void>;
}

/** A real SMTP server on loopback that stores received mails; `options` configure refusals and authentication. */
export async function openSmtpSink(options: SMTPServerOptions = {}): Promise<SmtpSink> {
  const mails: TakenMail[] = [];
  let opened = 0;
  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_session, done) => {
      opened += 1;
      done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        void PostalMime.parse(raw).then((parsed) => {
          mails.push({ from, to: rcptTo.map(({ address }) => address), raw, parsed });
          done();
        }, done);
      });
    },
    ...options,
  });
  // Some tests disconnect clients during a mail.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    open: () => server.connections.size,
    opened: () => opened,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
