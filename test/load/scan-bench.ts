import { readSettings } from '#kernel';
import { rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { attemptStatement } from '#scan';
import autocannon from 'autocannon';
import { createFixture, type BenchDevice, type BenchFixture } from './bench-fixture.js';
import { median } from './bench-figures.js';
import { cpuLine, cpuOf, findPgbench, runPgbench, startProgram, type Started } from './bench-processes.js';

export const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);
export const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Rounds of the scan bench: other programs on a shared machine change single rounds by a third. */
const scanRounds = Number(process.env['BENCH_ROUNDS'] ?? 9);
export const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 16);
export const pool = Number(process.env['BENCH_POOL'] ?? 10);
/** Tickets per phase, because each scan needs a new ticket. A phase ends early when all are scanned. */
export const perPhase = seconds * 4500;

export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server process per scan, in milliseconds; NaN where the system does not tell. */
  readonly cpu: number;
}

/** Scans new tickets for the duration of a phase, or until all of its tickets are scanned. */
export async function scanPhase(fixture: BenchFixture, target: Started, from: number): Promise<Measured> {
  const codes = await fixture.codes(from, perPhase);
  let next = 0;
  const used = cpuOf(target.pid);
  const begun = performance.now();
  let last = begun;
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${target.port}/scan/ticket/`,
    connections,
    duration: seconds,
    // The load generator prepares one more request per connection than it sends.
    maxOverallRequests: codes.length - 2 * connections,
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => {
          const device = fixture.devices[next % fixture.devices.length] as BenchDevice;
          const body = JSON.stringify({ qrcode_data: codes[Math.min(next, codes.length - 1)] });
          next += 1;
          return {
            ...request,
            body,
            headers: {
              host: fixture.tenant.host,
              'content-type': 'application/json',
              authorization: device.authorization,
            },
          };
        },
      },
    ],
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(options, (error: Error | null, done) => (error ? reject(error) : resolve(done)));
    load.on('response', () => (last = performance.now()));
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  const cpu = (cpuOf(target.pid) - used) / result['2xx'];
  if (next > codes.length) throw new Error('More scans than tickets: raise perPhase.');
  const scanned = await fixture.scanned(from, perPhase);
  // Every acknowledged scan is in the database; scans in flight at the end of the phase may be, too.
  if (scanned < result['2xx'] || scanned > result['2xx'] + connections)
    throw new Error(`${result['2xx']} answers, ${scanned} tickets scanned`);
  return { perSecond: (result['2xx'] * 1000) / (last - begun), p50: result.latency.p50, p99: result.latency.p99, cpu };
}

/**
 * Scans tickets of a phase again until the compiler of the process under test has optimised what a scan executes, as at a door after some
 * minutes: a program of this size needs ten thousand requests for that.
 */
async function warmUp(fixture: BenchFixture, target: Started, from: number): Promise<void> {
  const codes = await fixture.codes(from, 1000);
  const { authorization } = fixture.devices[0] as BenchDevice;
  let next = 0;
  await autocannon({
    url: `http://127.0.0.1:${target.port}/scan/ticket/`,
    connections,
    amount: Number(process.env['BENCH_WARM_REQUESTS'] ?? 15_000),
    requests: [
      {
        method: 'POST',
        headers: { host: fixture.tenant.host, 'content-type': 'application/json', authorization },
        setupRequest: (request) => {
          next += 1;
          return { ...request, body: JSON.stringify({ qrcode_data: codes[next % codes.length] }) };
        },
      },
    ],
  });
}

/** Disables the rate limits, because the bench scans much faster than a device. */
export const withoutRateLimits = Object.fromEntries(
  ['SCANS', 'KEY_READS', 'KEY_WRITES', 'BOOKINGS', 'PAGES', 'TENANT'].map((name) => [`RATE_${name}`, 'off']),
);

/** Starts the compiled server on the fixture's database. @param limited with the default rate limits */
export function startServer(
  fixture: Pick<BenchFixture, 'url' | 'secret' | 'dataDir'>,
  environment: NodeJS.ProcessEnv = {},
  limited = false,
): Promise<Started> {
  return startProgram(
    ['scripts/start.js'],
    {
      NODE_ENV: 'production',
      DATABASE_URL: fixture.url,
      SERVER_SECRET: fixture.secret,
      DEMO: 'off',
      PORT: '0',
      // A new venue has a tenth of these quotas, which the warming uses up.
      QUOTA_BOOKINGS: '0',
      QUOTA_MAILS: '0',
      ...(limited ? {} : withoutRateLimits),
      DATABASE_POOL_SIZE: String(pool),
      DATA_DIR: fixture.dataDir,
      ...environment,
    },
    /http:\/\/localhost:(\d+)\/admin/,
  );
}

async function pgbenchPhase(fixture: BenchFixture, program: string, from: number): Promise<number> {
  const device = fixture.devices[0] as BenchDevice;
  const literals: Record<number, string> = {
    1: `('00000000-0000-4000-8000-' || lpad(to_hex(:n::bigint), 12, '0'))::uuid`,
    2: `'${device.id}'::uuid`,
    3: `'${device.keyId}'`,
    4: `'scan'`,
    5: 'null',
    6: 'null',
    7: `'\\x${'00'.repeat(32)}'`,
    8: 'null',
    9: 'null',
    10: `'{"language":"en","timeZone":"Europe/Paris","requestId":"bench"}'`,
    11: `'${fixture.tenant.id}'::uuid`,
    12: '0',
  };
  const statement = attemptStatement(readSettings({}))
    .text.replaceAll('{tenant}', `"${fixture.tenant.schemaName}"`)
    .replace(/\$(\d+)/g, (_whole, number: string) => literals[Number(number)] as string)
    // pgbench parses :MI and :SS as variables; another separator costs the same.
    .replaceAll('HH24:MI:SS', 'HH24-MI-SS')
    .replace(/\s+/g, ' ');
  const script = join(fixture.dataDir, 'scan.pgbench.sql');
  await writeFile(script, `\\set n random(${from}, ${from + perPhase - 1})\n${statement};\n`);
  try {
    return await runPgbench(program, fixture.url, script, Math.min(connections, pool), seconds);
  } finally {
    await rm(script);
  }
}

/**
 * Scans per second of the server, compared with (a) a plain `node:http` + `pg` server with the same statement and (b) pgbench with that
 * statement, on the same database. Each round measures all of them, and the next round measures the two servers in the other order. The
 * result is the median of the rounds' ratios, because both sides of a round see about the same speed of the machine.
 */
export async function runScanBench(): Promise<void> {
  const pgbench = findPgbench();
  const fixture = await createFixture(perPhase * (scanRounds * 3 + 2), 8);
  const device = fixture.devices[0] as BenchDevice;
  const programs: Started[] = [];
  try {
    const server = await startServer(fixture);
    programs.push(server);
    const bare = await startProgram(
      ['dist/test/load/bare-server.js'],
      {
        DATABASE_URL: fixture.url,
        TENANT: fixture.tenant.id,
        SCHEMA: fixture.tenant.schemaName,
        DEVICE: device.id,
        KEY_ID: device.keyId,
        POOL: String(pool),
      },
      /listening (\d+)/,
    );
    programs.push(bare);
    let from = 0;
    const phase = (): number => {
      const start = from;
      from += perPhase;
      return start;
    };
    console.log(
      `Scans per second, ${scanRounds} rounds of ${seconds} s each, ${connections} connections, pool of ${pool}, durable commits.`,
    );
    console.log(
      `${cpus().length} cores shared without pinning by: this load generator (1 process), the server under test (1 process), ` +
        `PostgreSQL (up to ${pool} backends); the other server idles.`,
    );
    for (const program of [server, bare]) {
      const first = phase();
      await scanPhase(fixture, program, first);
      await warmUp(fixture, program, first);
    }
    const ratios: number[] = [];
    const cpu: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
    const databaseRatios: number[] = [];
    for (let round = 1; round <= scanRounds; round += 1) {
      const measure = { server: () => scanPhase(fixture, server, phase()), bare: () => scanPhase(fixture, bare, phase()) };
      const bareFirst = round % 2 === 0 ? await measure.bare() : undefined;
      const ours = await measure.server();
      const theirs = bareFirst ?? (await measure.bare());
      const database = pgbench ? await pgbenchPhase(fixture, pgbench, phase()) : undefined;
      ratios.push(ours.perSecond / theirs.perSecond);
      cpu.ours.push(ours.cpu);
      cpu.theirs.push(theirs.cpu);
      if (database !== undefined) databaseRatios.push(ours.perSecond / database);
      console.log(
        `  round ${round}: Guichet ${ours.perSecond.toFixed(0)}/s (p50 ${ours.p50} ms, p99 ${ours.p99} ms) · bare ` +
          `${theirs.perSecond.toFixed(0)}/s (p99 ${theirs.p99} ms), ratio ${(ours.perSecond / theirs.perSecond).toFixed(2)}` +
          (database === undefined ? '' : ` · pgbench ${database.toFixed(0)}/s`),
      );
    }
    console.log(
      `Ratio to the bare server (median of the rounds; ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}):  ` +
        `${median(ratios).toFixed(2)}   aim: at least 0.65`,
    );
    console.log(cpuLine(median(cpu.ours), median(cpu.theirs), 'scan'));
    if (pgbench) console.log(`Ratio to pgbench (median):          ${median(databaseRatios).toFixed(2)}`);
    else console.log('pgbench was not found (it comes with a PostgreSQL server package), so its ratio was left out.');
  } finally {
    for (const program of programs) await program.stop();
    await fixture.close();
  }
}
