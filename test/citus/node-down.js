/**
 * A database server of a cluster stops under load and comes back. `NODE_STOP='…' NODE_START='…' DATABASE_URL=… node
 * test/citus/node-down.js` needs an empty database with Citus and nodes, see docs/operations.md. NODE (default: 1) is the group of the
 * server in pg_dist_node, NODE_STOP and NODE_START are commands of a shell, DOWN_SECONDS (default: 30) says how long it stays away. Exit
 * code 0 when only its tenants noticed; 2 when requests failed before it stopped, because the machine is too slow for the load.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { call, Load } from './load.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const { DATABASE_URL, NODE_STOP, NODE_START, NODE = '1', DOWN_SECONDS = '30', PORT = '3990' } = process.env;
const password = 'a long enough password of the test';
const email = 'admin@localhost';

if (!DATABASE_URL || !NODE_STOP || !NODE_START) throw new Error('DATABASE_URL, NODE_STOP and NODE_START are needed');
const folder = await mkdtemp(join(tmpdir(), 'node-down-'));
const environment = {
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  NODE_NO_WARNINGS: '1',
  DATABASE_URL,
  DATA_DIR: folder,
  SERVER_SECRET: 'a secret of at least thirty-two characters',
  BASE_DOMAIN: 'localhost',
  ADMIN_EMAIL: email,
  PORT,
  RATE_PAGES: 'off',
  RATE_SCANS: 'off',
  DEMO: 'off',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
};
const database = new pg.Pool({ connectionString: DATABASE_URL, max: 3 });

/** The command line. @returns its output and exit code, and how long it took */
async function guichet(...words) {
  const begun = performance.now();
  const end = await run(process.execPath, ['dist/apps/cli/src/main.js', ...words], { cwd: root, env: environment }).catch((error) => error);
  return { code: end.code ?? 0, out: end.stdout, err: end.stderr, ms: performance.now() - begun };
}

async function done(...words) {
  const { code, out, err } = await guichet(...words);
  if (code !== 0) throw new Error(`guichet ${words.join(' ')}: ${err}`);
  return out.trim();
}

/** A venue with an event, a ticket and two devices. */
async function venueOf({ slug, node }) {
  const host = `${slug}.localhost`;
  const key = await done('key', 'create', '--tenant', slug, '--name', 'Load', '--owner', email, '--scopes', 'all');
  const post = async (path, body) => {
    const answer = await call({ port: PORT, host, path, body, key });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const startDate = new Date(Date.now() + 3_600_000).toISOString();
  const { identifier: eventId } = await post('/api/v2/events/', { name: 'Night', startDate, maximumAttendeeCapacity: 100_000 });
  const { offers } = await post('/api/v2/products/', {
    name: 'Ticket',
    category: 'Ticket',
    offers: [{ name: 'Full price', price: '5.00' }],
    isRelatedTo: [eventId],
  });
  const { pairing_url: pairing } = JSON.parse(await done('device', 'create', '--tenant', slug, '--name', 'Door', '--json'));
  const paired = await call({ port: PORT, host, path: new URL(pairing).pathname });
  return { slug, node, host, key, eventId, offerId: offers[0].identifier, deviceKey: paired.body.api_key };
}

/** Makes tenants until one is on the node that stops and one on another node beside home. */
async function tenantsOfTwo() {
  for (let number = 1; number <= 8; number += 1) {
    const { rows } = await database.query(`select slug, node from shared.tenant where slug like 'load-%' order by created_at`);
    const stopped = rows.find(({ node }) => node === Number(NODE));
    const other = rows.find(({ node }) => node !== Number(NODE) && node !== 0);
    if (stopped && other) return [stopped, other];
    await done('tenant', 'create', '--slug', `load-${Date.now().toString(36)}`, '--owner', email);
  }
  throw new Error('No tenants on two nodes beside home');
}

function setPassword() {
  return new Promise((resolve) => {
    const words = ['dist/apps/cli/src/main.js', 'user', 'password', '--email', email, '--password-stdin'];
    const child = execFile(process.execPath, words, { cwd: root, env: environment }, resolve);
    child.stdin.end(`${password}\n`);
  });
}

async function startServer() {
  const server = spawn(process.execPath, ['dist/apps/server/src/main.js'], { cwd: root, env: environment, stdio: ['ignore', 2, 2] });
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const ready = await call({ port: PORT, host: 'localhost', path: '/ready' }).catch(() => undefined);
    if (ready?.status === 200) return server;
    await pass(500);
  }
  throw new Error('The server is not ready');
}

/** The number of transactions that are prepared on the nodes that answer. */
async function prepared() {
  const { rows } = await database.query(`select nodename, nodeport from pg_dist_node where noderole = 'primary'`);
  const counts = rows.map(async ({ nodename, nodeport }) => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(DATABASE_URL), { hostname: nodename, port: nodeport }).href });
    await client.connect();
    const found = await client.query('select count(*)::int as count from pg_prepared_xacts where database = current_database()');
    await client.end();
    return found.rows[0].count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function signIn(host) {
  const begun = performance.now();
  const body = new URLSearchParams({ email, password }).toString();
  const { status } = await call({ port: PORT, host, path: '/admin/login', body, form: true, headers: { 'sec-fetch-site': 'same-origin' } });
  return { status, ms: performance.now() - begun };
}

/** What goes on while the server is away, beside the load. */
async function lookAround([stopped, other]) {
  const figures = {};
  await pass(2000);
  figures['sign-in at the other node (303)'] = await signIn(other.host);
  figures['sign-in at home (303)'] = await signIn('localhost');
  figures['sign-in at the stopped node (503)'] = await signIn(stopped.host);
  const begun = performance.now();
  const event = { name: 'Told to the network', startDate: new Date(Date.now() + 9e6).toISOString() };
  const write = await call({ port: PORT, host: other.host, path: '/api/v2/events/', body: event, key: other.key });
  figures['event for a network, which all nodes store (503 server.unavailable)'] = {
    status: write.status,
    code: write.body.code,
    retryAfter: write.headers['retry-after'],
    ms: performance.now() - begun,
  };
  const user = await guichet('user', 'create', '--email', `u${Date.now()}@example.org`);
  figures['guichet user create (1)'] = { code: user.code, says: user.err.trim().split('\n')[0], ms: user.ms };
  const audit = await guichet('audit');
  figures['guichet audit names it (1)'] = { code: audit.code, says: audit.err.trim().split('\n')[0], ms: audit.ms };
  const doctor = await guichet('doctor');
  const says = doctor.out.split('\n').find((line) => line.includes('does not answer'));
  figures['guichet doctor names it (1)'] = { code: doctor.code, says, ms: doctor.ms };
  const ready = await call({ port: PORT, host: 'localhost', path: '/ready' });
  figures['/ready (200)'] = { ...ready.body, status: ready.status };
  return figures;
}

let server;
let tooSlow = false;
const faults = [];
const expect = (what, holds) => {
  if (!holds) faults.push(what);
};
try {
  await done('install');
  await setPassword();
  server = await startServer();
  const tenants = await tenantsOfTwo();
  await database.query(
    `insert into shared.network_member (network_id, tenant_id, state, asked_at)
     select n.id, t.id, 'accepted', now() from shared.tenant n, shared.tenant t where n.slug = 'meta' and t.slug = $1
     on conflict do nothing`,
    [tenants[1].slug],
  );
  const both = [];
  for (const tenant of tenants) both.push(await venueOf(tenant));
  const [stopped] = both;
  const loads = both.map((venue) => new Load(PORT, venue));
  const home = new Load(PORT, { host: 'localhost' });
  for (const load of loads) await load.stock(60);
  for (const load of [...loads, home]) load.start();
  await pass(5000);
  for (const load of [...loads, home]) load.phase = 'down';
  await run('sh', ['-c', NODE_STOP]);
  const since = performance.now();
  const around = await lookAround(both);
  await pass(Math.max(0, Number(DOWN_SECONDS) * 1000 - (performance.now() - since)));
  await run('sh', ['-c', NODE_START]);
  const started = performance.now();
  while ((await call({ port: PORT, host: stopped.host, path: '/' })).status !== 200) await pass(50);
  const back = performance.now() - started;
  for (const load of [...loads, home]) load.phase = 'after';
  await pass(5000);
  for (const load of [...loads, home]) await load.stop();
  const settling = performance.now();
  let left = await prepared();
  for (; left > 0 && performance.now() - settling < 130_000; left = await prepared()) await pass(1000);
  const settled = performance.now() - settling;

  const lost = [];
  for (const load of loads) lost.push(await load.lost(await schemaClient(load.venue)));
  const audit = await guichet('audit');
  const doctor = await guichet('doctor', '--json');
  const failed = JSON.parse(doctor.out).checks.filter(({ state }) => state === 'fail');
  report({ loads, home, around, back, left, settled, lost, audit, failed });
  judge({ loads, home, around, lost, left, audit, failed });
} finally {
  if (server) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  await database.end();
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}
if (tooSlow) console.log('\nNO PROOF: requests failed before the server stopped.');
if (faults.length > 0) console.log(`\nFAULTS:\n${faults.join('\n')}`);
process.exit(tooSlow ? 2 : Math.min(faults.length, 1));

/** Queries in the schema of a venue, on its node. */
async function schemaClient({ slug, node }) {
  const { rows } = await database.query(
    `select t.schema_name as schema, n.nodename as host, n.nodeport as port from shared.tenant t, pg_dist_node n
     where t.slug = $1 and n.groupid = $2 and n.noderole = 'primary'`,
    [slug, node],
  );
  const [{ schema, host, port }] = rows;
  const client = new pg.Client({ connectionString: Object.assign(new URL(DATABASE_URL), { hostname: host, port }).href });
  await client.connect();
  await client.query(`set search_path to "${schema}"`);
  return client;
}

function report({ loads: [stopped, other], home, around, back, left, settled, lost, audit, failed }) {
  for (const [name, load] of [
    ['stopped node', stopped],
    ['other node', other],
    ['home', home],
  ])
    for (const line of load.lines()) console.log(`${name.padEnd(13)} ${line}`);
  for (const [what, figures] of Object.entries(around)) console.log(`${what}: ${JSON.stringify(figures)}`);
  console.log(`back ${Math.round(back)} ms after its start; ${left} transactions prepared ${Math.round(settled / 1000)} s after the load`);
  console.log(
    `acknowledged and lost: ${JSON.stringify(lost)}; doctor fails ${JSON.stringify(failed)}`,
    `audit ${audit.code} ${audit.code === 0 ? '' : `${audit.out}${audit.err}`}`,
  );
}

function judge({ loads: [stopped, other], home, around, lost, left, audit, failed }) {
  // Requests of the node that stops may be under way at that moment.
  tooSlow = [other, home].some((load) => load.failures('before') > 0);
  for (const load of [other, home]) expect('others lost requests', load.failures('down') + load.failures('after') === 0);
  expect('the stopped node answered otherwise than 503 with Retry-After', stopped.otherFailures() === 0);
  for (const [what, { status, code }] of Object.entries(around)) {
    const wanted = Number(/\((\d+)/.exec(what)?.[1]);
    expect(`${what}: ${status ?? code}`, (status ?? code) === wanted);
  }
  expect(
    'acknowledged work was lost',
    lost.every((count) => count === 0),
  );
  expect('transactions are left prepared', left === 0);
  expect('audit or doctor found something', audit.code === 0 && failed.length === 0);
}
