import 'reflect-metadata';
import type { AddressInfo, Server } from 'node:net';
import { InstallationService, Migrator, runInTenant, TenantsService, type NewTenant, type TenantIdentity } from '#tenancy';
import { createLogger, readSettings, type Settings } from '#kernel';
import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { createHttpApp } from '../../apps/server/src/http-app.js';
import { DocumentedAnswers } from './api-answers.js';
import { createTestDatabase, installedTemplate, type TestDatabase } from './test-database.js';

export const testSecret = 'a server secret that only the tests know, long enough';

export interface TestApp {
  readonly app: NestExpressApplication;
  readonly database: TestDatabase;
  readonly settings: Settings;
  readonly port: number;
  /** A client that speaks to one host of the running server; every answer is compared with the API document. */
  on(host: string | TenantIdentity): HostClient;
  /** Creates a tenant with a slug nobody else uses. */
  newTenant(input?: Partial<NewTenant>): Promise<TenantIdentity>;
  /** Runs work as the tenant, the way a request would. */
  inside<Result>(tenant: TenantIdentity, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface HostClient {
  get(path: string): supertest.Test;
  post(path: string): supertest.Test;
  head(path: string): supertest.Test;
  call(method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options', path: string): supertest.Test;
}

let tenantNumber = 0;

export interface TestAppOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** A second process on the same data: give the first one's database. */
  readonly database?: TestDatabase;
  /** Another server's: its database is installed anew. */
  readonly serverSecret?: string;
  /** Receives the log's lines; without it nothing is logged. */
  readonly log?: (line: string) => void;
}

/** What an installation writes depends on these settings. */
const installedBy = ['BASE_DOMAIN', 'META_SUBDOMAIN', 'ADMIN_EMAIL'];

/** The template of an installed database; undefined when these settings install another one. */
async function templateFor({ environment = {}, serverSecret }: TestAppOptions): Promise<string | undefined> {
  if (serverSecret || installedBy.some((name) => environment[name] !== undefined)) return undefined;
  return installedTemplate(async (url) => {
    const { app } = await openApp(url, {});
    await app.close();
  });
}

/** The real application, listening on a free port, on a database of its own. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase(await templateFor(options)));
  const { app, settings } = await openApp(database.url, options);
  const server = app.getHttpServer() as Server;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  const answers = new DocumentedAnswers(app);
  return {
    app,
    database,
    settings,
    port,
    on: (host) => clientFor(base, typeof host === 'string' ? host : host.host, answers),
    newTenant: (input = {}) => {
      tenantNumber += 1;
      const slug = `t${tenantNumber}-${Math.random().toString(36).slice(2, 8)}`;
      return app.get(TenantsService).create({ slug, name: `Tenant ${slug}`, category: 'S', ...input });
    },
    inside: (tenant, work) => runInTenant(tenant, work),
    close: async () => {
      await app.close();
      if (!options.database) await database.drop();
    },
  };
}

/** Migrated and installed, but not listening. */
async function openApp(databaseUrl: string, { environment, log, serverSecret = testSecret }: Omit<TestAppOptions, 'database'>) {
  const settings = readSettings({
    NODE_ENV: 'test',
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    SERVER_SECRET: serverSecret,
    DATABASE_POOL_SIZE: '8',
    // A busy machine is not what tests are about; those of a broken database say otherwise.
    DATABASE_WAIT_MS: '20000',
    DATABASE_TIMEOUT_MS: '30000',
    // All tests come from one address.
    RATE_SIGN_IN: '100000/min',
    RATE_PAIRING: '100000/min',
    RATE_UNKNOWN_KEYS: '100000/min',
    SPARE_SCHEMAS: '0',
    PREPARED_STATEMENTS: process.env['PREPARED_STATEMENTS'] ?? 'on',
    ...environment,
  });
  const logger = log ? createLogger({ logLevel: 'debug' }, { write: log }) : createLogger(settings);
  const app = await createHttpApp({ settings, serverSecret, databaseUrl, logger });
  await app.get(Migrator).run();
  await app.get(InstallationService).ensure();
  return { app, settings };
}

function clientFor(base: string, host: string, answers: DocumentedAnswers): HostClient {
  const call: HostClient['call'] = (method, path) => {
    const sent = supertest(base)[method](path).set('Host', host);
    return sent.expect((answer) => answers.check(method, path, answer));
  };
  return {
    call,
    get: (path) => call('get', path),
    post: (path) => call('post', path),
    head: (path) => call('head', path),
  };
}
