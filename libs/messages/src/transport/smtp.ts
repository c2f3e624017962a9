import { isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';

/** Timeouts in milliseconds. */
export interface MailTimeouts {
  readonly connection: number;
  readonly greeting: number;
  /** Maximum time without data from the server. */
  readonly socket: number;
  /** Maximum time for one whole mail, because a server that sends byte by byte never exceeds `socket`. */
  readonly whole: number;
}

export const usualTimeouts: MailTimeouts = { connection: 10_000, greeting: 10_000, socket: 30_000, whole: 120_000 };

/** The connection pool for SMTP_URL. It is small, because providers limit connections. */
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
    // One retry when the server had closed an idle connection before the mail was sent; callers do all other retries.
    maxRequeues: 1,
    idleTimeout: 60_000,
    host,
    ...(port ? { port: Number(port) } : {}),
    secure,
    ...(user ? { auth: { user, pass: decodeURIComponent(password) } } : {}),
    // Never sends a password unencrypted, also when an attacker removes STARTTLS from the server's greeting.
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
