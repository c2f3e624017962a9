import { join, resolve } from 'node:path';
import { bool, cleanEnv, num, str } from 'envalid';
import { backupsOf, backupSpecification, type BackupSettings } from './backup-settings.js';
import { isOwnDemo } from './own-demo.js';
import { providerSettings, providerSpecification, type ProviderSettings } from './provider-settings.js';
import { secretNames, withSecretFiles } from './secret-files.js';
import { quotasOf, quotaSpecification, type QuotaSettings } from './quota-settings.js';
import { rateLimitsOf, rateLimitSpecification, type RateLimitSettings } from './rate-limit-settings.js';
import {
  addressList,
  connections,
  count,
  days,
  drawingThreads,
  hostName,
  listeningPort,
  longSecret,
  milliseconds,
  minutes,
  months,
  onOff,
  nameServers,
  outboundList,
  poolSize,
  postgresUrl,
  sender,
  senderOf,
  smtpUrl,
  spareCount,
  usualDrawingThreads,
} from './setting-types.js';

/** A setting that is missing or invalid. The message is one line that says what to correct. */
export class SettingsError extends Error {}

/** Every setting with its default; docs/configuration.md lists the same. */
const specification = {
  NODE_ENV: str({ choices: ['production', 'development', 'test'], default: 'production' }),
  PORT: listeningPort({ default: 3000 }),
  HOST: str({ default: '' }),
  BASE_DOMAIN: hostName({ default: 'localhost' }),
  META_SUBDOMAIN: hostName({ default: 'meta' }),
  DEFAULT_TENANT: str({ default: '' }),
  PUBLIC_SCHEME: str({ choices: ['http', 'https', ''], default: '' }),
  PUBLIC_PORT: str({ default: '' }),
  TRUSTED_PROXIES: addressList({ default: [] }),
  DATA_DIR: str({ default: '.guichet' }),
  DATABASE_URL: postgresUrl({ default: '' }),
  DATABASE_POOL_SIZE: poolSize({ default: 10 }),
  DATABASE_TIMEOUT_MS: num({ default: 8000 }),
  DATABASE_WAIT_MS: num({ default: 2000 }),
  MIGRATION_LOCK_TIMEOUT_MS: milliseconds(10)({ default: 2000 }),
  MIGRATION_RETRY_MS: milliseconds(100)({ default: 5000 }),
  SPARE_SCHEMAS: spareCount({ default: 2 }),
  PREPARED_STATEMENTS: onOff({ default: true }),
  WORKER: str({ choices: ['inline', 'separate'], default: 'inline' }),
  DRAWING_THREADS: drawingThreads({ default: usualDrawingThreads() }),
  OUTBOUND_ALLOW: outboundList({ default: [] }),
  OUTBOUND_DNS: nameServers({ default: [] }),
  SMTP_URL: smtpUrl({ default: '' }),
  MAIL_FROM: sender({ default: '' }),
  MAIL_FOLDER: str({ default: '' }),
  ...providerSpecification,
  SERVER_SECRET: longSecret({ default: '' }),
  ADMIN_EMAIL: str({ default: '' }),
  DEMO: onOff({ default: true }),
  PAIRING_MINUTES: minutes({ default: 60 }),
  UNDO_MINUTES: minutes({ default: 15 }),
  HOLD_MINUTES: minutes({ default: 15 }),
  HELD_TICKETS_PER_NETWORK: count({ default: 200 }),
  HELD_TICKETS_PER_EVENT: count({ default: 10 }),
  BOOKING_QUEUE_PLACES: count({ default: 5000 }),
  OFFER_MINUTES: minutes({ default: 240 }),
  EVENT_MINUTES: minutes({ default: 360 }),
  DOMAINS_PER_TENANT: count({ default: 50 }),
  TENANT_DELETE_DAYS: count({ default: 30 }),
  TENANT_FORM: str({ choices: ['open', 'approval', 'invitation', 'off', ''], default: '' }),
  ...quotaSpecification,
  ...backupSpecification,
  TENANT_FORM_HOURS: count({ default: 24 }),
  TENANT_FORM_WAITING: count({ default: 500 }),
  SESSION_MINUTES: minutes({ default: 720 }),
  SESSION_IDLE_MINUTES: minutes({ default: 120 }),
  SUPPORT_MINUTES: minutes({ default: 60 }),
  SCAN_LOG_DAYS: days(1)({ default: 730 }),
  CHANGE_DAYS: days(1)({ default: 1096 }),
  MONEY_CHANGE_DAYS: days(1)({ default: 3653 }),
  MAIL_DAYS: days(1)({ default: 365 }),
  WEBHOOK_DAYS: days(1)({ default: 30 }),
  PAYMENT_EVENT_DAYS: days(30)({ default: 90 }),
  ERASE_BUYERS_MONTHS: months({ default: 0 }),
  ...rateLimitSpecification,
  METRICS_TOKEN: str({ default: '' }),
  LOG_LEVEL: str({ choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'], default: 'info' }),
  LOG_REQUESTS: bool({ default: true }),
  HEADERS_TIMEOUT_MS: milliseconds(100)({ default: 10_000 }),
  REQUEST_TIMEOUT_MS: milliseconds(100)({ default: 30_000 }),
  ANSWER_TIMEOUT_MS: milliseconds(100)({ default: 30_000 }),
  MAX_CONNECTIONS: connections(10)({ default: 10_000 }),
  MAX_CONNECTIONS_PER_NETWORK: connections(1)({ default: undefined }),
  SHUTDOWN_DELAY_MS: milliseconds(0)({ default: 0 }),
  SHUTDOWN_GRACE_MS: num({ default: 10_000 }),
} as const;

/** The names of all settings, as an environment has them. */
export const settingNames: ReadonlySet<string> = new Set([...Object.keys(specification), ...secretNames.map((name) => `${name}_FILE`)]);

export interface Settings extends ProviderSettings {
  readonly production: boolean;
  readonly port: number;
  readonly host: string | undefined;
  readonly baseDomain: string;
  readonly metaSubdomain: string;
  /** Slug of the tenant that is answered on an IP address or a single-label host; undefined: none. */
  readonly defaultTenant: string | undefined;
  readonly publicScheme: 'http' | 'https';
  /** `:3000` or empty. */
  readonly publicPortSuffix: string;
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  /** undefined: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly databaseTimeoutMs: number;
  /** How long work waits for a connection before it is refused with 503. */
  readonly databaseWaitMs: number;
  /** How long a migration waits for each lock on a tenant's tables before it gives up and is repeated later. */
  readonly migrationLockTimeoutMs: number;
  /** How often a running process checks for tenants that wait for their migration. */
  readonly migrationRetryMs: number;
  /** Number of schemas with a tenant's tables that are kept ready for new tenants. */
  readonly spareSchemas: number;
  readonly preparedStatements: boolean;
  /** `inline`: every server also does the background work; `separate`: only worker processes do. */
  readonly worker: 'inline' | 'separate';
  /** Maximum number of threads of this process that draw PDFs. */
  readonly drawingThreads: number;
  /** Host names, addresses and networks that outgoing requests may reach although they are not public. */
  readonly outboundAllow: readonly string[];
  /** Name servers for host names that tenants choose; empty: those of the system. */
  readonly outboundDns: readonly string[];
  /** undefined: mails are written as files to `mailFolder`. */
  readonly smtpUrl: string | undefined;
  /** Whether buyers can confirm their addresses: mails are sent, or a demo on one’s own computer shows their links. */
  readonly confirmsAddresses: boolean;
  /** Sender of mails; a tenant's name may replace the name, the address is the same for all. */
  readonly mailFrom: { readonly name: string; readonly address: string };
  readonly mailFolder: string;
  /** undefined: read from `dataDir`, where it is created if necessary. */
  readonly serverSecret: string | undefined;
  /** undefined: no daily backups. */
  readonly backups: BackupSettings | undefined;
  readonly adminEmail: string;
  readonly demo: boolean;
  readonly pairingMinutes: number;
  readonly undoMinutes: number;
  /** Minutes that an unpaid or unverified reservation holds its places. */
  readonly holdMinutes: number;
  /** Tickets that buyers of one network may hold at a time at one tenant before they write their address. */
  readonly heldTicketsPerNetwork: number;
  /** For one event, where a tenth of its capacity is less. */
  readonly heldTicketsPerEvent: number;
  /** People who may wait in the booking queues of one tenant at a time. */
  readonly bookingQueuePlaces: number;
  /** Minutes that places offered to a person on a waiting list are held. */
  readonly offerMinutes: number;
  /** Assumed duration of an event without an end, in minutes. */
  readonly eventMinutes: number;
  /** Maximum number of domains of one tenant. */
  readonly domainsPerTenant: number;
  /** Days between the deletion of a tenant and the deletion of its data. */
  readonly tenantDeleteDays: number;
  /** Who may create a tenant with the form at `/tenant/new/`: everybody, everybody whom operators approve, invited people, or nobody. */
  readonly tenantForm: 'open' | 'approval' | 'invitation' | 'off';
  readonly quotas: QuotaSettings;
  /** Hours for which the link of a submitted form is valid. */
  readonly tenantFormHours: number;
  /** Maximum number of forms on the whole server that wait to be completed, confirmed or approved. */
  readonly tenantFormWaiting: number;
  /** Longest time from sign-in to the end of a panel session. */
  readonly sessionMinutes: number;
  /** A panel session ends when it is not used for this long. */
  readonly sessionIdleMinutes: number;
  /** Longest time that an operator stays in a tenant's panel as support. */
  readonly supportMinutes: number;
  /** Days that rows are kept, by kind; 0: forever. */
  readonly scanLogDays: number;
  readonly changeDays: number;
  readonly moneyChangeDays: number;
  readonly mailDays: number;
  readonly webhookDays: number;
  readonly paymentEventDays: number;
  /** Months after their last event after which buyers are erased; 0: never. */
  readonly eraseBuyersMonths: number;
  readonly rateLimits: RateLimitSettings;
  readonly metricsToken: string | undefined;
  readonly logLevel: string;
  readonly logRequests: boolean;
  /** Time limits for the headers of a request and for the whole request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** A connection is closed when its client reads nothing of an answer for this time. */
  readonly answerTimeoutMs: number;
  /** Maximum open connections of the process; further ones are only used for health checks. */
  readonly maxConnections: number;
  /** Maximum open connections of one client network, unless it is a trusted proxy; default: a fifth of all. */
  readonly maxConnectionsPerNetwork: number;
  /** How long a stopping server still accepts requests while `/ready` answers 503. */
  readonly shutdownDelayMs: number;
  readonly shutdownGraceMs: number;
}

/** Token under which Nest injects the settings. */
export const SETTINGS = Symbol('settings');

/**
 * Reads the settings from an environment.
 * @throws SettingsError naming all invalid settings at once.
 */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const faults: string[] = [];
  const env = cleanEnv(withSecretFiles(environment, faults), specification, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) faults.push(`${name}: ${error?.message ?? 'unfit'}`);
    },
  });
  const backups = backupsOf(env, faults);
  if (faults.length > 0) throw new SettingsError(`Unfit settings. ${faults.join('; ')}`);
  const local = env.BASE_DOMAIN === 'localhost';
  const publicPort = env.PUBLIC_PORT || (local && env.PORT !== 0 ? String(env.PORT) : '');
  return {
    production: env.NODE_ENV === 'production',
    port: env.PORT,
    host: env.HOST || undefined,
    baseDomain: env.BASE_DOMAIN,
    metaSubdomain: env.META_SUBDOMAIN,
    defaultTenant: env.DEFAULT_TENANT || (env.DEMO ? 'demo' : undefined),
    publicScheme: env.PUBLIC_SCHEME === '' ? (local ? 'http' : 'https') : env.PUBLIC_SCHEME,
    publicPortSuffix: publicPort === '' ? '' : `:${publicPort}`,
    trustedProxies: env.TRUSTED_PROXIES,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL || undefined,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    databaseTimeoutMs: env.DATABASE_TIMEOUT_MS,
    databaseWaitMs: env.DATABASE_WAIT_MS,
    migrationLockTimeoutMs: env.MIGRATION_LOCK_TIMEOUT_MS,
    migrationRetryMs: env.MIGRATION_RETRY_MS,
    spareSchemas: env.SPARE_SCHEMAS,
    preparedStatements: env.PREPARED_STATEMENTS,
    worker: env.WORKER,
    drawingThreads: env.DRAWING_THREADS,
    outboundAllow: env.OUTBOUND_ALLOW,
    outboundDns: env.OUTBOUND_DNS,
    smtpUrl: env.SMTP_URL || undefined,
    confirmsAddresses: env.SMTP_URL !== '' || isOwnDemo({ demo: env.DEMO, baseDomain: env.BASE_DOMAIN }),
    mailFrom: senderOf(env.MAIL_FROM, env.BASE_DOMAIN),
    mailFolder: resolve(env.MAIL_FOLDER || join(env.DATA_DIR, 'mail')),
    ...providerSettings(env),
    serverSecret: env.SERVER_SECRET || undefined,
    backups,
    adminEmail: env.ADMIN_EMAIL || `admin@${env.BASE_DOMAIN}`,
    demo: env.DEMO,
    pairingMinutes: env.PAIRING_MINUTES,
    undoMinutes: env.UNDO_MINUTES,
    holdMinutes: env.HOLD_MINUTES,
    heldTicketsPerNetwork: env.HELD_TICKETS_PER_NETWORK,
    heldTicketsPerEvent: env.HELD_TICKETS_PER_EVENT,
    bookingQueuePlaces: env.BOOKING_QUEUE_PLACES,
    offerMinutes: env.OFFER_MINUTES,
    eventMinutes: env.EVENT_MINUTES,
    domainsPerTenant: env.DOMAINS_PER_TENANT,
    tenantDeleteDays: env.TENANT_DELETE_DAYS,
    tenantForm: env.TENANT_FORM || (isOwnDemo({ demo: env.DEMO, baseDomain: env.BASE_DOMAIN }) ? 'open' : 'invitation'),
    quotas: quotasOf(env),
    tenantFormHours: env.TENANT_FORM_HOURS,
    tenantFormWaiting: env.TENANT_FORM_WAITING,
    sessionMinutes: env.SESSION_MINUTES,
    sessionIdleMinutes: env.SESSION_IDLE_MINUTES,
    supportMinutes: env.SUPPORT_MINUTES,
    scanLogDays: env.SCAN_LOG_DAYS,
    changeDays: env.CHANGE_DAYS,
    moneyChangeDays: env.MONEY_CHANGE_DAYS,
    mailDays: env.MAIL_DAYS,
    webhookDays: env.WEBHOOK_DAYS,
    paymentEventDays: env.PAYMENT_EVENT_DAYS,
    eraseBuyersMonths: env.ERASE_BUYERS_MONTHS,
    rateLimits: rateLimitsOf(env),
    metricsToken: env.METRICS_TOKEN || undefined,
    logLevel: env.LOG_LEVEL,
    logRequests: env.LOG_REQUESTS,
    headersTimeoutMs: env.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    answerTimeoutMs: env.ANSWER_TIMEOUT_MS,
    maxConnections: env.MAX_CONNECTIONS,
    maxConnectionsPerNetwork: env.MAX_CONNECTIONS_PER_NETWORK ?? Math.ceil(env.MAX_CONNECTIONS / 5),
    shutdownDelayMs: env.SHUTDOWN_DELAY_MS,
    shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
  };
}
