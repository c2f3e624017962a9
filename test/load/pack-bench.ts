import type { AddressInfo } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { GatesService } from '#scan';
import { runInTenant, TenantDb } from '#tenancy';
import { call } from '../faults/calls.js';
import { blockedBy } from '../support/event-loop.js';
import { addTickets, hashOf, sentBytes, ticketsOf, type Pack } from '../support/packs.js';
import { createFixture, ticketId, type BenchDevice, type BenchFixture } from './bench-fixture.js';
import { median, percentile } from './bench-figures.js';
import type { Started } from './bench-processes.js';
import { printFigures, type Figure } from './figure-table.js';
import { startServer } from './scan-bench.js';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Scans per second beside the waiting devices. */
const rate = 40;
const waiting = 8;
const listed = 10_000;
const changes = 500;

/** The statement that a list needs at least. */
const bareList = (schema: string): string => `select json_agg(row) as body from (
  select t.id, t.price_id, t.status, t.left_at, t.gate_id, t.scanned_by, t.scanned_at, t.reservation_id, r.status as booked
  from "${schema}".ticket t join "${schema}".reservation r on r.id = t.reservation_id where t.event_id = $1 order by t.id) row`;

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** The fixture with its lists at several servers. */
class PackStage {
  private constructor(
    readonly fixture: BenchFixture,
    /** Port of a server in this process, whose event loop is watched. */
    readonly port: number,
    readonly servers: readonly [Started, Started],
    /** The event of the fixture's tickets. */
    readonly eventId: string,
  ) {}

  static async open(): Promise<PackStage> {
    const fixture = await createFixture(listed, waiting);
    const servers = await Promise.all([startServer(fixture), startServer(fixture)]);
    const server = fixture.app.getHttpServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { rows } = await fixture.pool.query<{ id: string }>(`select id from "${fixture.tenant.schemaName}".event`);
    return new PackStage(fixture, (server.address() as AddressInfo).port, servers, rows[0]!.id);
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.stop();
    await this.fixture.close();
  }

  headers(device = this.fixture.devices[0] as BenchDevice, encoding = 'gzip'): Record<string, string> {
    return { host: this.fixture.tenant.host, authorization: device.authorization, 'accept-encoding': encoding };
  }

  async ask(
    port: number,
    path: string,
    device = this.fixture.devices[0] as BenchDevice,
  ): Promise<{ status: number; pack: Pack | undefined }> {
    const { authorization } = device;
    const answer = await call({ port, host: this.fixture.tenant.host, method: 'GET', path, headers: { authorization }, timeoutMs: 40_000 });
    const { payload } = answer.body;
    if (answer.status !== 200 && answer.status !== 204) throw new Error(`${path}: ${answer.status}`);
    return { status: answer.status, pack: typeof payload === 'string' ? (JSON.parse(payload) as Pack) : undefined };
  }

  /** An event with so many tickets, of which some are inside, and two gates. */
  async newEvent(count: number, scanned: number): Promise<string> {
    const { app, tenant, devices, pool } = this.fixture;
    const { event, price, gates } = await runInTenant(tenant, async () => {
      const made = await app
        .get(EventsService)
        .create({ name: `${count}`, startsAt: new Date(Date.now() + 3_600_000), capacity: 1_000_000 });
      const product = await app.get(ProductsService).create({ name: `Ticket ${made.id}`, category: 'B' });
      const offer = await app.get(PricesService).create({ productId: product.id, name: 'Full price', amount: '10' });
      await app.get(TenantDb).transaction((tx) => app.get(EventsService).linkProducts(tx, made.id, [product.id]));
      const doors = await Promise.all(['North', 'South'].map((name) => app.get(GatesService).create({ name, eventId: made.id })));
      return { event: made, price: offer, gates: doors.map(({ id }) => id) };
    });
    const database = { query: async (text: string, values?: unknown[]) => (await pool.query(text, values)).rows } as never;
    const some = { count, scanned, gates, devices: devices.map(({ id }) => id) };
    await addTickets({ database }, tenant, { id: event.id, priceId: price.id }, some);
    return event.id;
  }

  scan(port: number, code: string, device: BenchDevice): Promise<{ status: number; body: Readonly<Record<string, unknown>> }> {
    const { authorization } = device;
    return call({
      port,
      host: this.fixture.tenant.host,
      method: 'POST',
      path: '/scan/ticket/',
      headers: { authorization },
      body: { qrcode_data: code },
    });
  }
}

/** Bytes of whole lists as they are sent. */
async function sizes(stage: PackStage): Promise<void> {
  console.log('Whole lists as they are sent (aim: 3,000 tickets 64 kB, 10,000 tickets 128 kB)');
  for (const [count, aim] of [
    [3000, 64_000],
    [10_000, 128_000],
  ] as const) {
    for (const scanned of [0, count / 2, count]) {
      const event = await stage.newEvent(count, scanned);
      const bytes: string[] = [];
      for (const encoding of ['gzip', 'br']) {
        const sent = await sentBytes(stage.port, `/scan/pack/?event=${event}`, stage.headers(undefined, encoding));
        bytes.push(`${encoding} ${kilobytes(sent)}${sent <= aim ? '' : ' MISSED'}`);
      }
      const named = await sentBytes(stage.port, `/scan/pack/?event=${event}&names=sealed`, stage.headers());
      console.log(`  ${count} tickets, ${scanned} inside: ${bytes.join(', ')}; with sealed names gzip ${kilobytes(named)}`);
    }
  }
}

/** How long whole lists and changes take, beside the bare statement, and for how long they block the server. */
async function making(stage: PackStage): Promise<void> {
  const { fixture } = stage;
  const schema = fixture.tenant.schemaName;
  const event = await stage.newEvent(listed, listed / 2);
  const whole = `/scan/pack/?event=${event}`;
  /** Changes so many tickets, so that nothing that was drawn before serves. */
  const change = async (count: number): Promise<void> => {
    const sql = `update "${schema}".ticket set scanned_at = now() where id in
      (select id from "${schema}".ticket where event_id = $1 and status = 'S' order by random() limit $2)`;
    await fixture.pool.query(sql, [event, count]);
    // Processes look for changes at most every second.
    await pass(1100);
  };
  const times: Record<'bare' | 'whole' | 'named' | 'one' | 'many', number[]> = { bare: [], whole: [], named: [], one: [], many: [] };
  const timed = async (into: number[], work: () => Promise<unknown>): Promise<void> => {
    const began = performance.now();
    await work();
    into.push(performance.now() - began);
  };
  const { port } = stage.servers[0];
  for (let round = 0; round < rounds + 1; round += 1) {
    await change(1);
    await timed(times.bare, () => fixture.pool.query(bareList(schema), [event]));
    await timed(times.whole, () => stage.ask(port, whole));
    await change(1);
    await timed(times.named, () => stage.ask(port, `${whole}&names=sealed`));
    for (const [name, count] of [
      ['one', 1],
      ['many', changes],
    ] as const) {
      const { pack } = await stage.ask(port, whole);
      await change(count);
      await timed(times[name], () => stage.ask(port, `${whole}&after=${pack!.position}`));
    }
    // The first round warms up.
    if (round === 0) for (const list of Object.values(times)) list.length = 0;
  }
  const ratio = (name: keyof typeof times): string => (median(times[name]) / median(times.bare)).toFixed(1);
  console.log(`\nTime to make, ${listed} tickets, median of ${rounds}; the bare statement takes ${median(times.bare).toFixed(0)} ms`);
  console.log(`  whole list ${median(times.whole).toFixed(0)} ms, ${ratio('whole')} times the bare statement`);
  console.log(`  with sealed names ${median(times.named).toFixed(0)} ms, ${ratio('named')} times`);
  console.log(`  one change ${median(times.one).toFixed(1)} ms, ${ratio('one')} times`);
  console.log(`  ${changes} changes ${median(times.many).toFixed(1)} ms, ${ratio('many')} times`);
  const { pack } = await stage.ask(stage.port, whole);
  await change(changes);
  for (const [name, path] of [
    ['whole list', whole],
    ['with sealed names', `${whole}&names=sealed`],
    [`${changes} changes`, `${whole}&after=${pack!.position}`],
  ] as const) {
    const { status, delay } = await blockedBy({ method: 'GET', port: stage.port, path, headers: stage.headers() }, 20, 12);
    console.log(`  ${name} (${status}) blocks the event loop for ${delay.toFixed(1)} ms at most   aim: at most 20`);
  }
}

/** Devices that wait at one server for what is scanned at the other one. */
class Waiters {
  readonly delays: number[] = [];
  private readonly scanned = new Map<string, number>();
  private over = false;
  private readonly loops: Promise<void>[] = [];

  constructor(
    private readonly stage: PackStage,
    private readonly salt: string,
    private readonly position: string,
  ) {
    for (const device of stage.fixture.devices) this.loops.push(this.follow(device));
  }

  note(id: string): void {
    this.scanned.set(hashOf(this.salt, id), performance.now());
  }

  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.loops);
  }

  private async follow(device: BenchDevice): Promise<void> {
    let { position } = this;
    const seen = new Set<string>();
    while (!this.over) {
      const path = `/scan/pack/?event=${this.stage.eventId}&after=${position}&wait=2`;
      const { pack } = await this.stage.ask(this.stage.servers[1].port, path, device);
      if (!pack) continue;
      ({ position } = pack);
      for (const hash of ticketsOf(pack).keys()) {
        const since = this.scanned.get(hash);
        if (since === undefined || seen.has(hash)) continue;
        seen.add(hash);
        this.delays.push(performance.now() - since);
      }
    }
  }
}

/** Scans at one server at an even pace. @param onScan is called when a scan is sent @returns milliseconds of each */
async function scans(stage: PackStage, from: number, onScan: (id: string) => void): Promise<number[]> {
  const { fixture, servers } = stage;
  const codes = await fixture.codes(from, rate * seconds);
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const began = performance.now();
  for (const [at, code] of codes.entries()) {
    const rest = began + (at * 1000) / rate - performance.now();
    if (rest > 0) await pass(rest);
    const sent = performance.now();
    // Devices may hear of it before the answer arrives.
    onScan(ticketId(from + at));
    const scanning = stage.scan(servers[0].port, code, fixture.devices[at % waiting] as BenchDevice).then(({ status, body }) => {
      if (status !== 200 || body['success'] !== true) throw new Error(`A scan was answered ${status} ${JSON.stringify(body)}`);
      times.push(performance.now() - sent);
    });
    running.push(scanning);
  }
  await Promise.all(running);
  return times;
}

/** How late devices hear of scans at another server process, and what their waiting costs the scans. */
async function changesSeen(stage: PackStage): Promise<void> {
  const alone: number[] = [];
  const beside: number[] = [];
  const delays: number[] = [];
  await scans(stage, 0, () => undefined);
  for (let round = 0; round < rounds; round += 1) {
    const from = (1 + 2 * round) * rate * seconds;
    alone.push(...(await scans(stage, from, () => undefined)));
    const { pack } = await stage.ask(stage.servers[1].port, `/scan/pack/?event=${stage.eventId}`);
    const waiters = new Waiters(stage, pack!.salt, pack!.position);
    beside.push(...(await scans(stage, from + rate * seconds, (id) => waiters.note(id))));
    await pass(3000);
    await waiters.end();
    const expected = rate * seconds * waiting;
    if (waiters.delays.length !== expected) throw new Error(`${waiters.delays.length} of ${expected} changes were seen`);
    delays.push(...waiters.delays);
  }
  console.log(`\n${rate} scans a second at one server, ${waiting} devices wait at another one, list of ${listed} tickets`);
  const figures: Figure[] = [
    { name: 'scan sent to change seen by a waiting device', values: delays, unit: 'ms', aim: 2000 },
    { name: 'scan, nobody waits', values: alone, unit: 'ms' },
    { name: `scan, ${waiting} devices wait`, values: beside, unit: 'ms' },
  ];
  printFigures(figures);
  console.log(`Ratio of p95 of scans with and without waiting devices: ${(percentile(beside, 95) / percentile(alone, 95)).toFixed(2)}`);
}

/**
 * Lists of the scanner app: their sizes, the time to make them beside the bare statement, how long they block the server, and how soon a
 * waiting device hears of a scan at another process while tickets are scanned.
 */
export async function runPackBench(): Promise<void> {
  if ((1 + 2 * rounds) * rate * seconds > listed) throw new Error('More scans than tickets: lower BENCH_SECONDS or BENCH_ROUNDS.');
  const stage = await PackStage.open();
  try {
    await sizes(stage);
    await making(stage);
    await changesSeen(stage);
  } finally {
    await stage.close();
  }
}
