import { randomUUID } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { ApiKeysService, runInTenant, TenantDb, TenantsService, type TenantIdentity } from '#tenancy';
import autocannon from 'autocannon';
import { openBenchApp, type BenchApp } from './bench-fixture.js';
import { median } from './bench-figures.js';
import { cpuLine, cpuOf, startProgram, type Started } from './bench-processes.js';
import { connections, pool, rounds, seconds, startServer } from './scan-bench.js';

interface Gauge {
  readonly tenant: TenantIdentity;
  readonly eventId: string;
  readonly priceId: string;
  readonly authorization: string;
}

export async function keyOf({ app }: Pick<BenchApp, 'app'>, tenant: TenantIdentity): Promise<string> {
  const wanted = { name: 'Bench', scopes: ['reservation:read', 'reservation:write'] as const };
  const { key } = await runInTenant(tenant, () => app.get(ApiKeysService).createIntegrationKey(wanted));
  return `Api-Key ${key}`;
}

/** Creates a venue with one event that never sells out. @param maxPerUser limit per person */
async function gauge(bench: BenchApp, slug: string, amount: string, maxPerUser: number | null = null): Promise<Gauge> {
  const { app } = bench;
  const tenant = await app.get(TenantsService).create({ slug, name: slug, category: 'S' });
  const startsAt = new Date(Date.now() + 3_600_000);
  const { eventId, priceId } = await runInTenant(tenant, async () => {
    const event = await app.get(EventsService).create({ name: 'Bench', startsAt, capacity: 1_000_000, maxPerUser });
    const product = await app.get(ProductsService).create({ name: 'Ticket', category: 'B' });
    const price = await app.get(PricesService).create({ productId: product.id, name: 'Full price', amount });
    await app.get(TenantDb).transaction((tx) => app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    return { eventId: event.id, priceId: price.id };
  });
  return { tenant, eventId, priceId, authorization: await keyOf(bench, tenant) };
}

/**
 * Waits until the count no longer changes. At the end of a phase the load generator leaves one open request per connection, which would
 * otherwise count for the next phase.
 */
async function settled(counted: () => Promise<number>): Promise<number> {
  for (let before = await counted(); ;) {
    await setTimeout(500);
    const now = await counted();
    if (now === before) return now;
    before = now;
  }
}

interface Booked {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server process per booking, in milliseconds; NaN where the system does not tell. */
  readonly cpu: number;
}

/** Bookings before the measurement, after which the compiler of the processes under test has optimised what a booking executes. */
const warming = Number(process.env['BENCH_WARM_REQUESTS'] ?? 20_000);

/**
 * Sends the same bookings to one of the servers for the duration of a phase.
 * @param more members of each body
 * @param amount bookings instead of the duration
 */
async function phase({ pool: sql }: BenchApp, { port, pid }: Started, at: Gauge, more: object, amount?: number): Promise<Booked> {
  const counted = async (): Promise<number> => {
    const text = `select booked from "${at.tenant.schemaName}".event where id = $1`;
    return (await sql.query<{ booked: number }>(text, [at.eventId])).rows[0]?.booked ?? 0;
  };
  const before = await settled(counted);
  const used = cpuOf(pid);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/api/v2/reservations/`,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({
            reservationFor: { identifier: at.eventId },
            underName: { '@type': 'Person', email: `${randomUUID()}@example.org` },
            reservedTicket: [{ identifier: at.priceId }],
            ...more,
          }),
          headers: { host: at.tenant.host, 'content-type': 'application/json', authorization: at.authorization },
        }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  const made = (await settled(counted)) - before;
  if (made < result['2xx'] || made > result['2xx'] + connections) throw new Error(`${result['2xx']} answers, ${made} bookings`);
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99, cpu: (cpuOf(pid) - used) / made };
}

function startBare(bench: BenchApp, { tenant }: Gauge, kind: 'hold' | 'booking'): Promise<Started> {
  return startProgram(
    ['dist/test/load/bare-bookings.js'],
    { DATABASE_URL: bench.url, TENANT: tenant.id, SCHEMA: tenant.schemaName, KIND: kind, POOL: String(pool) },
    /listening (\d+)/,
  );
}

const say = ({ perSecond, p99, cpu }: Booked): string => `${perSecond.toFixed(0)}/s (p99 ${p99} ms, CPU ${cpu.toFixed(2)} ms)`;

/**
 * Bookings per second of one event over HTTP, compared with a bare `node:http` + `pg` server that writes the same rows in one statement, in
 * alternating rounds. Background work (webhooks, mails) is left to worker processes, of which none runs. With a limit per person, too.
 */
async function runBench(kind: 'hold' | 'booking', amount: string, more: object): Promise<void> {
  const bench = await openBenchApp();
  const programs: Started[] = [];
  try {
    const gauges = {
      plain: await gauge(bench, 'plain', amount),
      limited: await gauge(bench, 'limited', amount, 4),
      bare: await gauge(bench, 'bare', amount),
    };
    const server = await startServer(bench, { WORKER: 'separate' });
    programs.push(server);
    const bareServer = await startBare(bench, gauges.bare, kind);
    programs.push(bareServer);
    console.log(
      `${kind === 'hold' ? 'Holds' : 'Confirmed free bookings'} per second of one event, ${rounds} rounds of ${seconds} s each, ` +
        `${connections} connections, pool of ${pool}, durable commits, ${cpus().length} cores shared by everything; load before: ` +
        `${(loadavg()[0] ?? 0).toFixed(1)}.`,
    );
    const taken: Record<'plain' | 'limited' | 'bare', Booked[]> = { plain: [], limited: [], bare: [] };
    await phase(bench, server, gauges.plain, more, warming);
    await phase(bench, bareServer, gauges.bare, more, warming);
    for (let round = 1; round <= rounds; round += 1) {
      const plain = await phase(bench, server, gauges.plain, more);
      const bare = await phase(bench, bareServer, gauges.bare, more);
      const limited = await phase(bench, server, gauges.limited, more);
      taken.plain.push(plain);
      taken.bare.push(bare);
      taken.limited.push(limited);
      console.log(`  round ${round}: Guichet ${say(plain)} · bare ${say(bare)} · with a maximum per person ${say(limited)}`);
    }
    const rate = (which: keyof typeof taken): number => median(taken[which].map(({ perSecond }) => perSecond));
    const cpu = (which: keyof typeof taken): number => median(taken[which].map((one) => one.cpu));
    console.log(`Ratio to the bare server (median): ${(rate('plain') / rate('bare')).toFixed(2)}   aim: at least 0.45`);
    console.log(cpuLine(cpu('plain'), cpu('bare'), 'booking'));
    console.log(`With a maximum per person, to without: ${(rate('limited') / rate('plain')).toFixed(2)}`);
  } finally {
    for (const program of programs) await program.stop();
    await bench.close();
  }
}

/** Holds that wait for payment: reservation, ticket, webhook event, and the job that ends the hold. */
export const runHoldsBench = (): Promise<void> => runBench('hold', '10', {});

/** Confirmed free bookings: reservation, ticket, webhook event, mail, and the job that sends it. */
export const runBookingsBench = (): Promise<void> => runBench('booking', '0', { confirmed: true });
