import { cpus, loadavg } from 'node:os';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { runInTenant, TenantDb } from '#tenancy';
import { createFixture, type BenchFixture } from './bench-fixture.js';
import { percentile } from './bench-figures.js';
import type { Started } from './bench-processes.js';
import { scanAtDoor, scanRate } from './one-door.js';
import { rushBuyers, type RushVenue } from './rush-buyers.js';
import { pool, startServer } from './scan-bench.js';

/** People who want to book at the same second. Run the full size by hand with RUSH=full. */
const people = process.env['RUSH'] === 'full' ? 2000 : Number(process.env['BENCH_PEOPLE'] ?? 600);
/** Scans of the quiet phase: the rush takes at least as long. */
const quietScans = scanRate * 15;
/** Scans of the longest rush. */
const rushScans = scanRate * 300;

/** Creates an event with free tickets for everybody. */
async function freeEvent({ app, tenant }: BenchFixture, number: number): Promise<{ slug: string; priceId: string }> {
  return runInTenant(tenant, async () => {
    const startsAt = new Date(Date.now() + 86_400_000);
    const event = await app.get(EventsService).create({ name: `Rush ${number}`, startsAt, capacity: 100_000 });
    const product = await app.get(ProductsService).create({ name: `Ticket ${number}`, category: 'B' });
    const price = await app.get(PricesService).create({ productId: product.id, name: 'Full price', amount: '0' });
    await app.get(TenantDb).transaction((tx) => app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    return { slug: event.slug, priceId: price.id };
  });
}

const say = (values: readonly number[], unit: number): string =>
  [50, 95, 99].map((part) => `p${part} ${(percentile(values, part) / unit).toFixed(1)}`).join(', ');

async function measure(fixture: BenchFixture, server: Started): Promise<void> {
  const venue = async (number: number): Promise<RushVenue> => ({
    ports: [server.port],
    host: fixture.tenant.host,
    ...(await freeEvent(fixture, number)),
  });
  // Warms up the process before measuring.
  await rushBuyers(await venue(1), 50);
  const [quietCodes, rushCodes] = [await fixture.codes(0, quietScans), await fixture.codes(quietScans, rushScans)];
  const quiet = await scanAtDoor(fixture, server, quietCodes);
  let isOver = false;
  let refused = 0;
  const doors = scanAtDoor(fixture, server, rushCodes, { isOver: () => isOver, refused: () => (refused += 1) });
  const rush = await rushBuyers(await venue(2), people).finally(() => (isOver = true));
  const beside = await doors;
  console.log(
    `${rush.times.length} of ${people} people booked, ${(rush.times.length / rush.seconds).toFixed(1)} bookings/s through the pages; ` +
      `from the first click to the confirmation ${say(rush.times, 1000)} s; ` +
      `${rush.queued} saw their position, ${rush.refused} gave up`,
  );
  console.log(
    `Answers: ${Object.entries(rush.answers)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([answer, count]) => `${answer}: ${count}`)
      .join(', ')}`,
  );
  console.log(`Scans of one device: alone ${say(quiet, 1)} ms · during the rush ${say(beside, 1)} ms`);
  console.log(`Ratio of p99: ${(percentile(beside, 99) / percentile(quiet, 99)).toFixed(2)}; ${refused} scans were refused`);
}

/**
 * People who book a free ticket at the same second: each opens the page of the event, chooses, waits in the queue where there is one, and
 * sends the contact form. Every tenth has the same address. One device scans meanwhile. Mails are left to worker processes, of which none
 * runs.
 */
export async function runRushBench(): Promise<void> {
  const fixture = await createFixture(quietScans + rushScans, 1);
  let server: Started | undefined;
  try {
    // With the limits of a server in use.
    server = await startServer(fixture, { WORKER: 'separate', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'silent' }, true);
    console.log(
      `${people} people within 2 s, pool of ${pool}, durable commits, ${cpus().length} cores shared by everything; ` +
        `load before: ${(loadavg()[0] ?? 0).toFixed(1)}.`,
    );
    await measure(fixture, server);
  } finally {
    await server?.stop();
    await fixture.close();
  }
}
