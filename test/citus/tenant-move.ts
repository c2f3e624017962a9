/**
 * Moves a tenant between the nodes of Citus while it sells and scans, kills the move at each step, and repeats it. Run by itself:
 * `DATABASE_URL=<coordinator, empty database> node dist/test/citus/tenant-move.js`. TICKETS: their number, default 10,000.
 */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pass } from 'node:timers/promises';
import { Load, type Window } from '../faults/load.js';
import { openWebhookReceiver } from '../faults/receivers.js';
import { createVenue, type Venue } from '../faults/venue.js';
import { Cluster } from './cluster.js';

const url = process.env['DATABASE_URL'] ?? '';
const tickets = Number(process.env['TICKETS'] ?? 10_000);
const ports = [Number(process.env['PORT'] ?? 4610), Number(process.env['PORT'] ?? 4610) + 1] as const;
const longestClosedMs = 10_000;
/** The first words of the lines of progress, by step; and how long after it the process is killed at most. */
const steps = {
  prepare: 'making',
  close: 'closing',
  tables: 'copying and',
  shared: 'copying its',
  switch: 'opening',
  remove: 'it is open',
};

const faults: string[] = [];
const slug = `venue-${randomUUID().slice(0, 8)}`;

interface Placed {
  readonly id: string;
  readonly schema: string;
  readonly node: number;
  readonly closed: boolean;
}

function expect(holds: boolean, what: string): void {
  if (!holds) faults.push(what);
}

async function placeOf(cluster: Cluster): Promise<Placed> {
  const sql = `select id, schema_name as schema, node, moving_since is not null as closed from shared.tenant where slug = $1`;
  const [row] = await cluster.query<Placed & Record<string, unknown>>(0, sql, [slug]);
  return row as Placed;
}

/** Valid tickets of the event, beside those that are booked and scanned. */
async function fill(cluster: Cluster, { eventId, offerId }: Venue): Promise<void> {
  const { schema, node } = await placeOf(cluster);
  await cluster.query(
    node,
    `begin; set local search_path to "${schema}";
     insert into reservation (id, event_id, email, status)
     select ('10000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '${eventId}', 'old-' || n || '@example.org', 'V'
     from generate_series(0, ${Math.ceil(tickets / 3)}) n;
     insert into ticket (id, reservation_id, event_id, price_id, amount, first_name, last_name, status, signing_key_id)
     select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
       ('10000000-0000-4000-8000-' || lpad(to_hex(n / 3), 12, '0'))::uuid,
       '${eventId}', '${offerId}', 5, 'Ada', 'Martin', 'K', 1 from generate_series(0, ${tickets - 1}) n; commit`,
  );
  await cluster.cli('audit', '--tenant', slug, '--repair').catch(() => undefined);
}

/** What nothing may be left of after a move. */
async function compare(cluster: Cluster, loads: readonly Load[], node: number): Promise<void> {
  const place = await placeOf(cluster);
  const { id, schema } = place;
  expect(place.node === node && !place.closed, `the tenant is on node ${place.node}, closed: ${place.closed}`);
  const hex = id.replaceAll('-', '');
  for (const other of cluster.nodes) {
    const schemas = await cluster.query<{ name: string }>(other, 'select nspname as name from pg_namespace where nspname like $1', [
      `%${hex}`,
    ]);
    const names = schemas.map(({ name }) => name).join(' ');
    expect(names === (other === node ? schema : ''), `node ${other} has the schemas "${names}"`);
    // Those of other changes of shared tables live for milliseconds.
    const prepared = await cluster.query(
      other,
      `select 1 from pg_prepared_xacts where database = current_database() and prepared < now() - interval '5 seconds'`,
    );
    expect(prepared.length === 0, `node ${other} has ${prepared.length} prepared transactions`);
    if (other === node) continue;
    for (const table of ['api_key', 'job', 'outbox', 'webhook_queue', 'panel_session', 'tenant_usage']) {
      const left = await cluster.query(other, `select 1 from shared.${table} where tenant_id = $1`, [id]);
      expect(left.length === 0, `node ${other} has ${left.length} rows of shared.${table}`);
    }
  }
  const booked = loads.flatMap((load) => load.booked);
  const lost = await cluster.query(
    node,
    `select 1 from unnest($1::uuid[], $2::text[]) a (id, email) where not exists (
       select 1 from "${schema}".reservation r where r.id = a.id and r.email = a.email and r.status <> 'C')`,
    [booked.map((row) => row.id), booked.map(({ email }) => email)],
  );
  expect(lost.length === 0, `${lost.length} of ${booked.length} acknowledged bookings are lost`);
  const entered = loads.flatMap((load) => load.entered);
  const gone = await cluster.query(
    node,
    `select 1 from unnest($1::uuid[], $2::uuid[]) a (ticket_id, scan_id) where not exists (
       select 1 from "${schema}".scan_log l join "${schema}".ticket t on t.id = l.ticket_id
       where l.scan_id = a.scan_id and l.ticket_id = a.ticket_id and l.outcome = 'accepted' and t.status = 'S')`,
    [entered.map(({ ticketId }) => ticketId), entered.map(({ scanId }) => scanId)],
  );
  expect(gone.length === 0, `${gone.length} of ${entered.length} acknowledged entries are lost`);
  const twice = await cluster.query(
    node,
    `select 1 from "${schema}".scan_log where action = 'scan' and outcome = 'accepted' group by ticket_id having count(*) > 1`,
  );
  expect(twice.length === 0, `${twice.length} tickets entered twice`);
  await cluster.cli('audit', '--tenant', slug).catch((error: unknown) => faults.push(String(error)));
}

interface Moved {
  readonly rows: number;
  readonly closedMs: number;
}

/** Moves under load. @param kill the step at which the first attempt is killed */
async function move(cluster: Cluster, venues: readonly Venue[], to: number, kill?: keyof typeof steps): Promise<void> {
  const loads = venues.map((venue, index) => new Load(ports[index] as number, venue, `${kill ?? 'plain'}-${to}-${index}`));
  for (const load of loads) load.start();
  await pass(3000);
  const args = ['tenant', 'move', slug, '--node', String(to)];
  let note = '';
  if (kill) {
    const delay = Math.random() * 150;
    const killed = await cluster.killed(args, (line) => line.startsWith(steps[kill]), delay);
    const { node, closed } = await placeOf(cluster);
    note = `${killed ? `killed ${Math.round(delay)} ms after "${kill}"` : 'NOT killed'}: node ${node}, ${closed ? 'closed' : 'open'}; `;
    await pass(500);
  }
  const { rows, closed_ms: closedMs } = JSON.parse(await cluster.cli(...args, '--json')) as { rows: number; closed_ms: number };
  await pass(3000);
  const windows: Window[] = await Promise.all(loads.map((load) => load.stop()));
  for (const load of loads) faults.push(...load.unexpected.map((what) => `${kill ?? 'plain'}: ${what}`));
  await compare(cluster, loads, to);
  const moved: Moved = { rows, closedMs };
  // After a kill, it is the time of the second attempt.
  expect(kill !== undefined || moved.closedMs < longestClosedMs, `closed for ${moved.closedMs} ms`);
  const sum = (of: (window: Window) => number): number => windows.reduce((total, window) => total + of(window), 0);
  const errors = Object.entries(Object.assign({}, ...windows.map((window) => window.errors)) as Record<string, number>);
  console.log(
    `→ ${to}  load ${loadavg()[0]?.toFixed(0)}; ${note}${moved.rows} rows, closed ${moved.closedMs} ms; clients without service for ` +
      `${Math.max(...windows.map(({ withoutService }) => withoutService)).toFixed(1)} s; ${sum(({ bookings }) => bookings)} bookings, ` +
      `${sum(({ entries }) => entries)} entries; ${errors.map(([kind, times]) => `${kind} ×${times}`).join(', ')}`,
  );
}

const cluster = await Cluster.open(url, process.env['SERVER_SECRET'] ?? 'proof-of-moves-0123456789-0123456789-abcdef');
const webhooks = await openWebhookReceiver();
try {
  for (const port of [...ports, 0]) await cluster.start(port);
  const installation = { port: ports[0], webhooks, cli: (...args: string[]) => cluster.cli(...args) };
  const venue = await createVenue(installation, 6, slug);
  await fill(cluster, venue);
  const [one = 1, two = 2] = cluster.nodes.filter((node) => node > 0);
  let at = (await placeOf(cluster)).node;
  console.log(`${tickets} tickets; each move: the rows of all tables, with those that the load adds`);
  const next = (): number => (at = at === one ? two : one);
  await move(cluster, [venue, venue], next());
  for (const step of Object.keys(steps) as (keyof typeof steps)[]) await move(cluster, [venue, venue], next(), step);
  await move(cluster, [venue, venue], next());
  const doctor = JSON.parse(
    await cluster.cli('doctor', '--json').catch((error: Error) => error.message.slice(error.message.indexOf('{')).split('\n}')[0] + '\n}'),
  ) as {
    checks: { name: string; state: string; detail: string }[];
  };
  const tenants = doctor.checks.find(({ name }) => name === 'tenants');
  expect(tenants?.state === 'ok', `doctor: ${tenants?.detail}`);
  console.log(`webhooks: ${webhooks.counts.size} delivered, ${webhooks.duplicates()} again`);
} finally {
  await webhooks.close();
  await cluster.close();
}
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'All held.' : `${faults.length} faults; logs in ${cluster.folder}`);
process.exitCode = faults.length === 0 ? 0 : 1;
