import { PricesService } from '#catalogue';
import { GatesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import supertest from 'supertest';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { Started } from '../load/bench-processes.js';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { blockedBy } from '../support/event-loop.js';
import { addTickets, packApi, readPack, sentBytes, ticketsOf } from '../support/packs.js';
import { scanApi } from '../support/scan-api.js';
import { startServers } from '../support/servers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** Maximum time that a list may block the event loop. */
const milliseconds = 60;

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
const figures: string[] = [];

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Door 1');
});
afterAll(async () => {
  console.log(figures.join('\n'));
  await test.close();
});

const { scan } = scanApi(() => ({ test, venue, device }));
const { full } = packApi(() => ({ test, venue, device }));

async function largeEvent(count: number, scanned = 0) {
  const event = await newEvent(test, venue);
  const gates = await test.inside(venue, () =>
    Promise.all(
      ['North', 'South', 'East', 'West'].map(async (name) => (await test.app.get(GatesService).create({ name, eventId: event.id })).id),
    ),
  );
  const devices = [device, ...(await Promise.all([2, 3, 4, 5, 6, 7, 8].map((number) => newDevice(test, venue, `Door ${number}`))))];
  const [sold] = await test.database.query<{ product_id: string }>(`select product_id from "${venue.schemaName}".price where id = $1`, [
    event.priceId,
  ]);
  const prices = await test.inside(venue, () =>
    Promise.all(
      ['Reduced', 'Balcony', 'Members'].map(
        async (name) => (await test.app.get(PricesService).create({ productId: sold!.product_id, name, amount: '9' })).id,
      ),
    ),
  );
  await addTickets(test, venue, event, { count, scanned, gates, prices, devices: devices.map(({ id }) => id) });
  await olderTransactionsEnd();
  return event;
}

/** Changes since a list have all tickets again while a transaction runs that is older than they are, of any database of the cluster. */
async function olderTransactionsEnd(): Promise<void> {
  const [added] = await test.database.query<{ id: string }>('select pg_current_xact_id()::text as id');
  const oldest = 'select pg_snapshot_xmin(pg_current_snapshot())::text as id';
  await until(
    () => test.database.query<{ id: string }>(oldest),
    ([running]) => BigInt(running!.id) >= BigInt(added!.id),
  );
}
const headersOf = (encoding: string) => ({ host: venue.host, authorization: device.authorization, 'accept-encoding': encoding });

it.each([
  [3000, 0, 64_000],
  [10_000, 0, 128_000],
  [10_000, 5000, 128_000],
  [10_000, 10_000, 128_000],
])(
  'a list of %i tickets, %i of them inside, has at most %i bytes',
  async (count, scanned, most) => {
    const event = await largeEvent(count, scanned);
    const list = await full(event.id);
    expect([list.count, ticketsOf(list).size]).toEqual([count, count]);
    for (const encoding of ['gzip', 'br']) {
      const bytes = await sentBytes(test.port, `/scan/pack/?event=${event.id}`, headersOf(encoding));
      figures.push(`${count} tickets, ${scanned} inside, ${encoding}: ${bytes} bytes`);
      expect(bytes).toBeLessThan(most);
    }
    const [ticket] = [await newTicket(test, venue, { event })];
    await scan({ qrcode_data: ticket.code }).expect(200);
    const changed = await sentBytes(test.port, `/scan/pack/?event=${event.id}&after=${list.position}`, headersOf('gzip'));
    figures.push(`one change of ${count}: ${changed} bytes`);
    expect(changed).toBeLessThan(2500);
  },
  60_000,
);

it('the times of cancellations add at most 1 % to a list of 10,000 tickets', async () => {
  const event = await largeEvent(10_000, 9000);
  const cancel = (at: string): Promise<unknown> =>
    test.database.query(
      `update "${venue.schemaName}".ticket set status = 'R', cancelled_at = ${at} where event_id = $1 and status in ('K', 'R')`,
      [event.id],
    );
  const bytes = async (at: string): Promise<number> => {
    await cancel(at);
    const { position } = await full(event.id);
    // The list that was made last may be a second old.
    await eventually(async () => expect((await full(event.id)).position).not.toBe(position), { timeout: 10_000 }).catch(() => {});
    const sent = await sentBytes(test.port, `/scan/pack/?event=${event.id}`, headersOf('gzip'));
    figures.push(`10000 tickets, 9000 inside, 1000 cancelled at ${at}: ${sent} bytes`);
    return sent;
  };
  const without = await bytes('null');
  expect(await bytes("now() - random() * interval '60 days'")).toBeLessThan(without * 1.01);
}, 60_000);

it('does not block the event loop while a list of 10,000 tickets is made, with and without names', async () => {
  const event = await largeEvent(10_000);
  for (const path of [`/scan/pack/?event=${event.id}`, `/scan/pack/?event=${event.id}&names=sealed`]) {
    const { status, delay } = await blockedBy({ method: 'GET', port: test.port, path, headers: headersOf('gzip') }, milliseconds, 8);
    figures.push(`${path.replace(event.id, '…')}: blocks ${delay.toFixed(1)} ms`);
    expect(status).toBe(200);
    expect(delay).toBeLessThan(milliseconds);
  }
}, 120_000);

it('tells a device of changes at another server process within two seconds', async () => {
  const servers: Started[] = await startServers(test, 1);
  try {
    const event = await newEvent(test, venue);
    const ticket = await newTicket(test, venue, { event });
    const { position } = await full(event.id);
    const at = (wait: number) =>
      supertest(`http://127.0.0.1:${servers[0]!.port}`)
        .get(`/scan/pack/?event=${event.id}&after=${position}&wait=${wait}`)
        .set({ Host: venue.host, Authorization: device.authorization });
    expect((await at(0)).status).toBe(204);
    const waiting = at(20)
      .expect(200)
      .then((answer) => answer);
    // The request has arrived when its process looked for it at least once.
    await at(0);
    const begun = performance.now();
    await scan({ qrcode_data: ticket.code }).expect(200);
    const answer = await waiting;
    const passed = performance.now() - begun;
    figures.push(`change at another process: ${passed.toFixed(0)} ms`);
    expect(passed).toBeLessThan(2000);
    expect([...ticketsOf(readPack(answer)).values()].map(({ state }) => state)).toEqual([1]);
  } finally {
    for (const server of servers) await server.stop();
  }
}, 120_000);
