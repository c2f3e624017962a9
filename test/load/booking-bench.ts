import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { ApiKeysService, runInTenant, TenantDb, TenantsService, type TenantIdentity } from '#tenancy';
import autocannon from 'autocannon';
import pg from 'pg';
import { createFixture, openBenchApp, type BenchApp } from './bench-fixture.js';
import { median } from './bench-figures.js';
import { findPgbench, runPgbench, type Started } from './bench-processes.js';
import { connections, pool, rounds, seconds, startServer } from './scan-bench.js';

interface Gauge {
  readonly tenant: TenantIdentity;
  readonly eventId: string;
  readonly priceId: string;
  readonly authorization: string;
}

async function keyOf({ app }: Pick<BenchApp, 'app'>, tenant: TenantIdentity): Promise<string> {
  const wanted = { name: 'Bench', scopes: ['reservation:read', 'reservation:write'] as const };
  const { key } = await runInTenant(tenant, () => app.get(ApiKeysService).createIntegrationKey(wanted));
  return `Api-Key ${key}`;
}

/** Creates a venue with one event that never sells out. @param maxPerUser limit per person */
async function gauge(bench: BenchApp, slug: string, maxPerUser: number | null): Promise<Gauge> {
  const { app } = bench;
  const tenant = await app.get(TenantsService).create({ slug, name: slug, category: 'S' });
  const startsAt = new Date(Date.now() + 3_600_000);
  const { eventId, priceId } = await runInTenant(tenant, async () => {
    const event = await app.get(EventsService).create({ name: 'Bench', startsAt, capacity: 1_000_000, maxPerUser });
    const product = await app.get(ProductsService).create({ name: 'Ticket', category: 'B' });
    const price = await app.get(PricesService).create({ productId: product.id, name: 'Full price', amount: '10' });
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

async function holdsPhase({ pool: sql }: BenchApp, { port }: Started, at: Gauge): Promise<{ perSecond: number; p99: number }> {
  const counted = async (): Promise<number> => {
    const text = `select booked from "${at.tenant.schemaName}".event where id = $1`;
    return (await sql.query<{ booked: number }>(text, [at.eventId])).rows[0]?.booked ?? 0;
  };
  const before = await settled(counted);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/api/v2/reservations/`,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({
            reservationFor: { identifier: at.eventId },
            underName: { '@type': 'Person', email: `${randomUUID()}@example.org` },
            reservedTicket: [{ identifier: at.priceId }],
          }),
          headers: { host: at.tenant.host, 'content-type': 'application/json', authorization: at.authorization },
        }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  const made = (await settled(counted)) - before;
  if (made < result['2xx'] || made > result['2xx'] + connections) throw new Error(`${result['2xx']} answers, ${made} holds`);
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99 };
}

/** The baseline: only the update of the counter, with pgbench or, without it, from this process. */
async function counterPhase({ url, dataDir }: BenchApp, { tenant, eventId }: Gauge): Promise<number> {
  const statement = `update "${tenant.schemaName}".event set booked = booked + 1 where id = '${eventId}' and booked + 1 <= capacity`;
  const program = findPgbench();
  if (program) {
    const script = join(dataDir, 'holds.pgbench.sql');
    await writeFile(script, `${statement};\n`);
    try {
      return await runPgbench(program, url, script, Math.min(connections, pool), seconds);
    } finally {
      await rm(script);
    }
  }
  const clients = new pg.Pool({ connectionString: url, max: Math.min(connections, pool) });
  let done = 0;
  const until = performance.now() + seconds * 1000;
  const loop = async (): Promise<void> => {
    for (; performance.now() < until; done += 1) await clients.query({ name: 'count', text: statement });
  };
  await Promise.all(Array.from({ length: Math.min(connections, pool) }, loop));
  await clients.end();
  return done / seconds;
}

/**
 * Holds per second for one event over HTTP, with everything a hold includes, compared with the bare counter update; without and with a
 * limit per person.
 */
export async function runHoldsBench(): Promise<void> {
  const bench = await openBenchApp();
  const server = await startServer(bench);
  try {
    const gauges = {
      free: await gauge(bench, 'free', null),
      limited: await gauge(bench, 'limited', 4),
      counter: await gauge(bench, 'counter', null),
    };
    console.log(
      `Holds per second of one event, ${rounds} rounds of ${seconds} s each, ${connections} connections, pool of ${pool}, durable commits; ` +
        `beside it ${findPgbench() ? 'pgbench' : 'a loop of node-postgres'} that does nothing but count.`,
    );
    await holdsPhase(bench, server, gauges.free);
    const free: number[] = [];
    const limited: number[] = [];
    const counter: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const one = await holdsPhase(bench, server, gauges.free);
      const other = await holdsPhase(bench, server, gauges.limited);
      const bare = await counterPhase(bench, gauges.counter);
      free.push(one.perSecond);
      limited.push(other.perSecond);
      counter.push(bare);
      console.log(
        `  round ${round}: ${one.perSecond.toFixed(0)}/s (p99 ${one.p99} ms) · with a maximum per person ${other.perSecond.toFixed(0)}/s · counter alone ${bare.toFixed(0)}/s`,
      );
    }
    console.log(`Ratio to the counter alone (median): ${(median(free) / median(counter)).toFixed(3)}`);
    console.log(`With a maximum per person, to without: ${(median(limited) / median(free)).toFixed(2)}`);
  } finally {
    await server.stop();
    await bench.close();
  }
}

const reservations = 20_000;

/** The response of the list, built by PostgreSQL. */
const bareList = (schema: string): string => `select json_agg(row) as body from (
  select r.id as uuid, r.created_at as datetime, r.email as user_mail, r.event_id as event, r.status,
    coalesce(o.ids, '{}') as options, coalesce(t.ids, '{}') as tickets, coalesce(p.ids, '{}') as paiements
  from "${schema}".reservation r
  left join (select reservation_id, array_agg(option_id) as ids from "${schema}".reservation_option group by 1) o on o.reservation_id = r.id
  left join (select reservation_id, array_agg(id order by position, id) as ids from "${schema}".ticket group by 1) t on t.reservation_id = r.id
  left join (select reservation_id, array_agg(id order by created_at) as ids from "${schema}".payment group by 1) p on p.reservation_id = r.id
  order by r.created_at desc, r.id desc) row`;

/**
 * The lists of all reservations compared with a plain statement that builds the same JSON, in alternating rounds; and the latency of
 * another request meanwhile.
 */
export async function runReservationsBench(): Promise<void> {
  const fixture = await createFixture(3 * (reservations - 1), 0);
  const server = await startServer(fixture);
  try {
    const { tenant, pool: sql } = fixture;
    await sql.query(`analyze "${tenant.schemaName}".reservation`);
    const headers = { host: tenant.host, authorization: await keyOf(fixture, tenant) };
    const ask = async (path: string): Promise<unknown> => {
      const asked = get({ host: '127.0.0.1', port: server.port, path, headers });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
      return json(answer);
    };
    const figures: Record<string, { ours: number[]; waited: number[] }> = {};
    const bare: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      for (const path of ['/api/reservations/', '/api/v2/reservations/']) {
        const { ours, waited } = (figures[path] ??= { ours: [], waited: [] });
        const started = performance.now();
        const over = new AbortController();
        const listing = ask(path).finally(() => over.abort());
        let longest = 0;
        const others = (async () => {
          while (!over.signal.aborted) {
            const asked = performance.now();
            await ask('/live');
            longest = Math.max(longest, performance.now() - asked);
          }
        })();
        const listed = (await listing) as unknown[] | { results: unknown[] };
        ours.push(performance.now() - started);
        await others;
        waited.push(longest);
        const { length } = Array.isArray(listed) ? listed : listed.results;
        if (length !== reservations) throw new Error(`${path}: ${length} reservations`);
      }
      const started = performance.now();
      const { rows } = await sql.query<{ body: unknown[] }>(bareList(tenant.schemaName));
      bare.push(performance.now() - started);
      if (rows[0]?.body.length !== reservations) throw new Error('The bare statement lists something else.');
    }
    console.log(`${reservations} reservations with three tickets each; bare select json_agg: ${median(bare).toFixed(0)} ms.`);
    for (const [path, { ours, waited }] of Object.entries(figures))
      console.log(
        `${path}: median ${median(ours).toFixed(0)} ms. Ratio: ${(median(ours) / median(bare)).toFixed(2)}. ` +
          `Another request waited ${median(waited).toFixed(0)} ms at most.`,
      );
  } finally {
    await server.stop();
    await fixture.close();
  }
}
