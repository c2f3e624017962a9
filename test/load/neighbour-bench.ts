import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { ApiKeysService, runInTenant, TenantDb, TenantsService } from '#tenancy';
import autocannon from 'autocannon';
import pg from 'pg';
import sharp from 'sharp';
import { createFixture, type BenchDevice, type BenchFixture } from './bench-fixture.js';
import { median, percentile } from './bench-figures.js';
import type { Started } from './bench-processes.js';
import type { FloodOrder } from './flood-client.js';
import { pool, rounds, seconds, startServer } from './scan-bench.js';

/** Scans per second of the measured tenant. */
const rate = 60;
const perPhase = rate * seconds;
const reservations = 20_000;
const floodConnections = 16;

interface Flood {
  readonly name: string;
  readonly request: Omit<FloodOrder, 'port' | 'connections'>;
  /** Locks the row of the flooding tenant's event during the flood. */
  readonly locksEvent?: boolean;
}

interface Flooder {
  readonly floods: readonly Flood[];
  readonly host: string;
  readonly lockSql: string;
}

/** Creates the flooding tenant: many reservations, one event to book, one key. */
async function createFlooder({ app, pool: database, dataDir }: BenchFixture): Promise<Flooder> {
  const tenant = await app.get(TenantsService).create({ slug: 'flood', name: 'Flood', category: 'S' });
  const { event, price, key } = await runInTenant(tenant, async () => {
    const made = await app.get(EventsService).create({ name: 'Flood', startsAt: new Date(Date.now() + 3_600_000), capacity: 1_000_000 });
    const product = await app.get(ProductsService).create({ name: 'Ticket', category: 'B' });
    const offer = await app.get(PricesService).create({ productId: product.id, name: 'Free', amount: '0' });
    await app.get(TenantDb).transaction((tx) => app.get(EventsService).linkProducts(tx, made.id, [product.id]));
    const scopes = ['reservation:read', 'reservation:write', 'product:write'] as const;
    return { event: made, price: offer, key: await app.get(ApiKeysService).createIntegrationKey({ name: 'Flood', scopes }) };
  });
  await database.query(
    `begin; set local search_path to "${tenant.schemaName}";
     insert into reservation (id, event_id, email, status)
     select gen_random_uuid(), '${event.id}', 'bench@example.org', 'V' from generate_series(1, ${reservations}); commit`,
  );
  const headers = { host: tenant.host, authorization: `Api-Key ${key.key}` };
  const json = { ...headers, 'content-type': 'application/json' };
  const bookingFile = join(dataDir, 'booking.json');
  const booking = JSON.stringify({
    reservationFor: { identifier: event.id },
    underName: { email: 'flood@example.org', givenName: 'Ada', familyName: 'Martin' },
    reservedTicket: [{ identifier: price.id }],
    confirmed: true,
  });
  await writeFile(bookingFile, booking);
  const guessFile = join(dataDir, 'guess.form');
  await writeFile(guessFile, 'email=staff%40example.org&password=a+password+that+is+wrong');
  const form = {
    host: tenant.host,
    origin: `http://${tenant.host}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const book = { method: 'POST', path: '/api/v2/reservations/', headers: json, bodyFile: bookingFile };
  return {
    host: tenant.host,
    lockSql: `begin; select 1 from "${tenant.schemaName}".event where id = '${event.id}' for update`,
    floods: [
      { name: 'whole lists', request: { method: 'GET', path: '/api/reservations/', headers } },
      { name: 'uploads', request: await uploadOf(headers, join(dataDir, 'upload.form')) },
      { name: 'bookings', request: book },
      { name: 'sign-ins', request: { method: 'POST', path: '/admin/login', headers: form, bodyFile: guessFile } },
      { name: 'bookings of a locked event', request: book, locksEvent: true },
    ],
  };
}

/** An upload of a phone photo. All requests after the first are refused as duplicates, so that the flood stores only one product. */
async function uploadOf(headers: Record<string, string>, bodyFile: string): Promise<Flood['request']> {
  const raw = { width: 1600, height: 1200, channels: 3 as const };
  const picture = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .jpeg({ quality: 60 })
    .toBuffer();
  const part = (name: string, more = ''): string => `--bench\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('name')}Poster\r\n${part('categorie_article')}T\r\n${part('img', '; filename="a.jpg"')}`, 'latin1'),
    picture,
    Buffer.from('\r\n--bench--\r\n'),
  ]);
  await writeFile(bodyFile, body);
  const type = { 'content-type': 'multipart/form-data; boundary=bench' };
  return { method: 'POST', path: '/api/products/', headers: { ...headers, ...type }, bodyFile };
}

/** Milliseconds of each scan of a phase. */
async function scanTimes(fixture: BenchFixture, target: Started, from: number, paced = true): Promise<number[]> {
  const codes = await fixture.codes(from, perPhase + 50);
  let next = 0;
  const times: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(
      {
        url: `http://127.0.0.1:${target.port}/scan/ticket/`,
        connections: 4,
        ...(paced ? { overallRate: rate } : {}),
        duration: seconds,
        requests: [
          {
            method: 'POST',
            setupRequest: (request) => {
              const device = fixture.devices[next % fixture.devices.length] as BenchDevice;
              const body = JSON.stringify({ qrcode_data: codes[Math.min(next, codes.length - 1)] });
              next += 1;
              const headers = { host: fixture.tenant.host, 'content-type': 'application/json', authorization: device.authorization };
              return { ...request, body, headers };
            },
          },
        ],
      },
      (error: Error | null, done) => (error ? reject(error) : resolve(done)),
    );
    load.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} scans were not 2xx, ${result.errors} failed`);
  return times;
}

/** Scans during a flood of the other tenant. @returns scan times and the responses to the flood */
async function underFlood(
  fixture: BenchFixture,
  target: Started,
  { request, locksEvent }: Flood,
  lockSql: string,
  from: number,
): Promise<{ times: number[]; answers: string }> {
  const locker = new pg.Client({ connectionString: fixture.url });
  await locker.connect();
  if (locksEvent) await locker.query(lockSql);
  // In its own process, so that it does not delay the measurement.
  const order: FloodOrder = { ...request, port: target.port, connections: floodConnections };
  const flood = fork('dist/test/load/flood-client.js', [JSON.stringify(order)]);
  const begun = performance.now();
  try {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const times = await scanTimes(fixture, target, from);
    flood.send('end');
    const [counted] = (await once(flood, 'message')) as [Record<string, number>];
    const elapsed = (performance.now() - begun) / 1000;
    const answers = Object.entries(counted).map(([status, count]) => `${status} ${(count / elapsed).toFixed(1)}/s`);
    return { times, answers: answers.join(', ') || 'no answer' };
  } finally {
    flood.kill();
    await locker.end();
  }
}

/**
 * The 99th percentile of one tenant's scan times during a flood by another tenant, compared with the same scans without a flood, in
 * alternating rounds. Only the ratios are meaningful, because machines differ.
 */
export async function runNeighbourBench(): Promise<void> {
  const phases = rounds * 6 + 6;
  const fixture = await createFixture((perPhase + 50) * phases, 8);
  let server: Started | undefined;
  try {
    const { floods, lockSql } = await createFlooder(fixture);
    server = await startServer(fixture, {}, true);
    let from = 0;
    const phase = (): number => {
      from += perPhase + 50;
      return from - perPhase - 50;
    };
    console.log(
      `${rate} scans a second of one tenant, ${rounds} rounds of ${seconds} s, beside ${floodConnections} connections of another ` +
        `tenant that ask without pause; pool of ${pool}.`,
    );
    console.log(
      `${cpus().length} cores shared by both load generators, the server and PostgreSQL; load average ${loadavg()[0]?.toFixed(1)} ` +
        'at the start.',
    );
    // Warms up the process before measuring.
    await scanTimes(fixture, server, phase(), false);
    for (const flood of floods) await underFlood(fixture, server, flood, lockSql, phase());
    const quiet: number[] = [];
    const flooded = floods.map((): number[] => []);
    for (let round = 1; round <= rounds; round += 1) {
      const alone = await scanTimes(fixture, server, phase());
      quiet.push(percentile(alone, 99));
      console.log(`  round ${round}: quiet p50 ${percentile(alone, 50).toFixed(1)} ms, p99 ${percentile(alone, 99).toFixed(1)} ms`);
      for (const [index, flood] of floods.entries()) {
        const { times, answers } = await underFlood(fixture, server, flood, lockSql, phase());
        flooded[index]?.push(percentile(times, 99));
        console.log(
          `    ${flood.name}: p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(1)} ms (flood ` +
            `answered ${answers})`,
        );
      }
    }
    for (const [index, { name }] of floods.entries())
      console.log(`Ratio of p99, ${name} (median): ${(median(flooded[index] ?? []) / median(quiet)).toFixed(2)}   aim: at most 2`);
  } finally {
    await server?.stop();
    await fixture.close();
  }
}
