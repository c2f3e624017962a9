import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderCode, SigningKeysService } from '#tickets';
import { openEmbeddedPostgres } from '#embedded-postgres';
import { readSettings } from '#kernel';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { ScanningDevicesService } from '#scan';
import { InstallationService, Migrator, runInTenant, TenantsService, type TenantIdentity } from '#tenancy';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import supertest from 'supertest';
import { createHttpApp } from '../../apps/server/src/http-app.js';

/** The id of the n-th ticket, computed in the same way in SQL and JavaScript. */
export function ticketId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

export interface BenchDevice {
  readonly id: string;
  readonly keyId: string;
  readonly authorization: string;
}

export interface BenchFixture {
  readonly url: string;
  readonly dataDir: string;
  readonly secret: string;
  readonly tenant: TenantIdentity;
  readonly devices: readonly BenchDevice[];
  readonly pool: pg.Pool;
  readonly app: NestExpressApplication;
  /** Codes of tickets `from` … `from + count - 1`. */
  codes(from: number, count: number): Promise<string[]>;
  scanned(from: number, count: number): Promise<number>;
  close(): Promise<void>;
}

export interface BenchApp {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly dataDir: string;
  readonly secret: string;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Starts an installed application on its own durable PostgreSQL (fsync on, as in production). @param environment more settings */
export async function openBenchApp(environment: NodeJS.ProcessEnv = {}): Promise<BenchApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'guichet-bench-'));
  // Started by root, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o755);
  const database = await openEmbeddedPostgres({ dataDir });
  const secret = randomUUID() + randomUUID();
  const settings = readSettings({
    DATABASE_URL: database.url,
    SERVER_SECRET: secret,
    DEMO: 'off',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    NODE_ENV: 'production',
    // A new tenant books more than its quota in a bench.
    QUOTA_BOOKINGS: '0',
    QUOTA_MAILS: '0',
    QUOTA_MEGABYTES: '0',
    ...environment,
  });
  const app = await createHttpApp({ settings, serverSecret: secret, databaseUrl: database.url });
  await app.get(Migrator).run();
  await app.get(InstallationService).ensure();
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  return {
    app,
    url: database.url,
    dataDir,
    secret,
    pool,
    close: async () => {
      await app.close();
      await pool.end();
      await database.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates one venue with paired devices and valid tickets. */
export async function createFixture(tickets: number, deviceCount: number): Promise<BenchFixture> {
  const bench = await openBenchApp();
  try {
    return await fill(bench, tickets, deviceCount);
  } catch (error) {
    await bench.close();
    throw error;
  }
}

async function fill({ app, url, dataDir, secret, pool, close }: BenchApp, tickets: number, deviceCount: number): Promise<BenchFixture> {
  const tenant = await app.get(TenantsService).create({ slug: 'bench', name: 'Bench', category: 'S' });
  const inside = <Result>(work: () => Promise<Result>): Promise<Result> => runInTenant(tenant, work);
  await inside(async () => {
    const event = await app.get(EventsService).create({ name: 'Bench', startsAt: new Date(Date.now() + 3_600_000), capacity: 1_000_000 });
    const product = await app.get(ProductsService).create({ name: 'Ticket', category: 'B' });
    const price = await app.get(PricesService).create({ productId: product.id, name: 'Full price', amount: '10' });
    // On a plain connection, because the pool's statement timeout is meant for requests.
    await pool.query(
      `begin; set local search_path to "${tenant.schemaName}";
       insert into reservation (id, event_id, email, status)
       select ('10000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '${event.id}', 'bench@example.org', 'V'
       from generate_series(0, ${Math.ceil(tickets / 3)}) n;
       insert into ticket (id, reservation_id, event_id, price_id, amount, first_name, last_name, status, signing_key_id)
       select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
       ('10000000-0000-4000-8000-' || lpad(to_hex(n / 3), 12, '0'))::uuid,
         '${event.id}', '${price.id}', 10, 'Ada', 'Martin', 'K', 1 from generate_series(0, ${tickets - 1}) n; commit`,
    );
  });
  const devices: BenchDevice[] = [];
  for (let number = 0; number < deviceCount; number += 1) {
    const code = await inside(() => app.get(ScanningDevicesService).create(`Door ${number}`));
    const { body } = await supertest(app.getHttpServer()).get(code.path).set('Host', tenant.host).expect(200);
    devices.push({
      id: code.deviceId,
      keyId: String(body.api_key).split('_')[1] as string,
      authorization: `Api-Key ${body.api_key}`,
    });
  }
  const privateKey = await inside(() => app.get(SigningKeysService).privateKey(1));
  await pool.query(`vacuum analyze "${tenant.schemaName}".ticket`);
  return {
    url,
    dataDir,
    secret,
    tenant,
    devices,
    pool,
    app,
    codes: async (from, count) => Array.from({ length: count }, (_, index) => renderCode(1, ticketId(from + index), privateKey)),
    scanned: async (from, count) => {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::int as count from "${tenant.schemaName}".ticket where status = 'S' and id between $1 and $2`,
        [ticketId(from), ticketId(from + count - 1)],
      );
      return rows[0]?.count ?? 0;
    },
    close,
  };
}
