import { isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';

/** Milliseconds. */
export interface MailTimeouts {
  readonly connection: number;
  readonly greeting: number;
  /** Without a word from the server. */
  readonly socket: number;
  /** For all of one mail, so that a server that answers by drips cannot hold it for ever. */
  readonly whole: number;
}

export const usualTimeouts: MailTimeouts = { connection: 10_000, greeting: 10_000, socket: 30_000, whole: 120_000 };

/** Connections of SMTP_URL: kept, and few, as providers count them. */
export function smtpPool(smtpUrl: string, timeouts: MailTimeouts): SMTPPoolOptions & { pool: true } {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const name = decodeURIComponent(hostname.replace(/^\[|\]$/g, ''));
  const host = domainToASCII(name) || name;
  const own = isThisMachine(host);
  const secure = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  return {
    pool: true,
    maxConnections: 3,
    maxMessages: 100,
    // Once more when a kept connection was closed meanwhile and nothing of the mail had left; the rest is the caller's.
    maxRequeues: 1,
    idleTimeout: 60_000,
    host,
    ...(port ? { port: Number(port) } : {}),
    secure,
    ...(user ? { auth: { user, pass: decodeURIComponent(password) } } : {}),
    // A password travels encrypted, also when somebody on the way leaves STARTTLS out of the server's greeting.
    requireTLS: user !== '' && !secure && !own,
    tls: { rejectUnauthorized: !own },
    connectionTimeout: timeouts.connection,
    dnsTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.socket,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
