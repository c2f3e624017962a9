import 'reflect-metadata';
import type { AddressInfo, Server } from 'node:net';
import {
  InstallationService,
  Migrator,
  runInTenant,
  SpareSchemasService,
  TenantsService,
  type NewTenant,
  type TenantIdentity,
} from '#tenancy';
import { DemoService } from '#demo';
import { createLogger, readSettings, type Settings } from '#kernel';
import type { Type } from '@nestjs/common';
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
  /** A client for one host of the running server; it compares every response with the API document. */
  on(host: string | TenantIdentity): HostClient;
  /** Creates a tenant with a unique slug. */
  newTenant(input?: Partial<NewTenant>): Promise<TenantIdentity>;
  /** Runs work in the context of the tenant, like a request. */
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
/** The same for all applications of a process, because compiling the document's schemas takes long. */
let answers: DocumentedAnswers | undefined;

export interface TestAppOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** The database of another test application; default: a new one. */
  readonly database?: TestDatabase;
  /** Default: a shared test secret. Another one requires a new installation of the database. */
  readonly serverSecret?: string;
  /** Further modules of the program. */
  readonly modules?: readonly Type[];
  /**
   * What the database has in advance. `some` and `many`: for files that create more than 6 or 20 tenants; `demo`: with the demo, for files
   * that ensure it. Default: few.
   */
  readonly tenants?: TenantsInAdvance;
  /** Receives the log's lines; without it nothing is logged. */
  readonly log?: (line: string) => void;
}

type TenantsInAdvance = 'few' | 'some' | 'many' | 'demo';

interface Template {
  /** The template to begin with; default: an empty database. */
  readonly from?: TenantsInAdvance;
  readonly fill: (app: NestExpressApplication) => Promise<unknown>;
}

/** Schemas for new tenants: copying one takes a fortieth of the processor time of creating its tables. */
const spareSchemas =
  (count: number): Template['fill'] =>
  (app) =>
    app.get(SpareSchemasService).fill(count);

const templates: Readonly<Record<TenantsInAdvance, Template>> = {
  few: { fill: spareSchemas(6) },
  some: { from: 'few', fill: spareSchemas(20) },
  many: { from: 'some', fill: spareSchemas(40) },
  demo: { from: 'few', fill: (app) => app.get(DemoService).ensure() },
};

/** Settings that determine the content of an installed database. */
const installedBy = ['BASE_DOMAIN', 'META_SUBDOMAIN', 'ADMIN_EMAIL'];

/** The template database for these options; undefined when they require a different installation. */
async function templateFor({ environment = {}, serverSecret, tenants = 'few' }: TestAppOptions): Promise<string | undefined> {
  if (serverSecret || installedBy.some((name) => environment[name] !== undefined)) return undefined;
  const { from, fill } = templates[tenants];
  const install = async (url: string): Promise<void> => {
    const { app } = await openApp(url, {});
    await fill(app);
    await app.close();
  };
  return installedTemplate(tenants, install, from && (await templateFor({ tenants: from })));
}

/** A migrated and installed database, for applications that reach it through something else. */
export async function installedDatabase(tenants: TenantsInAdvance): Promise<TestDatabase> {
  return createTestDatabase(await templateFor({ tenants }));
}

/** Starts the real application on a free port with its own database. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase(await templateFor(options)));
  const { app, settings } = await openApp(database.url, options);
  const port = await listen(app);
  const base = `http://127.0.0.1:${port}`;
  const known = (answers ??= new DocumentedAnswers(app));
  const running = new RunningApp(app);
  return {
    get app() {
      return running.app;
    },
    database,
    settings,
    port,
    on: (host) => clientFor(base, typeof host === 'string' ? host : host.host, known),
    newTenant: (input = {}) => {
      tenantNumber += 1;
      const slug = `t${tenantNumber}-${Math.random().toString(36).slice(2, 8)}`;
      return running.app.get(TenantsService).create({ slug, name: `Tenant ${slug}`, category: 'S', ...input });
    },
    inside: (tenant, work) => runInTenant(tenant, work),
    close: async () => {
      await running.close();
      if (!options.database) await database.drop();
    },
  };
}

/** @returns the free port at which the application listens */
async function listen(app: NestExpressApplication): Promise<number> {
  const server = app.getHttpServer() as Server;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/**
 * An application until it is closed. Timers and promises that began in a test keep its variables for minutes, or until the process ends: a
 * closed application must not be among them, because a hundred of them fill the memory.
 */
class RunningApp {
  private running: NestExpressApplication | undefined;

  constructor(app: NestExpressApplication) {
    this.running = app;
  }

  get app(): NestExpressApplication {
    if (!this.running) throw new Error('This application is closed.');
    return this.running;
  }

  async close(): Promise<void> {
    await this.running?.close();
    this.running = undefined;
  }
}

/** Migrated and installed, but not listening. */
async function openApp(
  databaseUrl: string,
  { environment, log, modules = [], serverSecret = testSecret }: Omit<TestAppOptions, 'database'>,
) {
  const read = readSettings({
    NODE_ENV: 'test',
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    SERVER_SECRET: serverSecret,
    DATABASE_POOL_SIZE: '4',
    // Tolerates slow test machines; tests of database faults use other values.
    DATABASE_WAIT_MS: '20000',
    DATABASE_TIMEOUT_MS: '30000',
    // All tests share one client address.
    HELD_TICKETS_PER_EVENT: '1000',
    RATE_SIGN_IN: '100000/min',
    RATE_PAIRING: '100000/min',
    RATE_UNKNOWN_KEYS: '100000/min',
    RATE_UNKNOWN_HOSTS: '100000/min',
    SPARE_SCHEMAS: '0',
    TENANT_FORM: 'open',
    // Tests of quotas set them.
    QUOTA_MAILS: '0',
    QUOTA_MEGABYTES: '0',
    QUOTA_BOOKINGS: '0',
    PREPARED_STATEMENTS: process.env['PREPARED_STATEMENTS'] ?? 'on',
    ...environment,
  });
  // Tests open the links in the files of mails.
  const settings = { ...read, confirmsAddresses: true };
  const logger = log
    ? createLogger({ logLevel: 'debug' }, { write: log })
    : createLogger(process.env['SHOW_FAILURES'] ? { logLevel: 'error' } : settings, {
        write: (line: string) => process.stderr.write(line),
      });
  const app = await createHttpApp({ settings, serverSecret, databaseUrl, logger, modules });
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
