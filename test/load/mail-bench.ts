import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createFixture, type BenchFixture } from './bench-fixture.js';
import { percentile } from './bench-figures.js';
import { startProgram, type Started } from './bench-processes.js';
import { scanAtDoor, scanRate } from './one-door.js';
import { rounds, seconds, startServer } from './scan-bench.js';

/** Mails that wait at the beginning of a phase. */
const waiting = Number(process.env['BENCH_MAILS'] ?? 5000);
/** Mails whose cost is measured without scans. */
const costed = 400;
/** Mails before the measurement, until the compiler has optimised what a mail executes. */
const warming = Number(process.env['BENCH_WARM_MAILS'] ?? 600);
/** Scans of one phase: the 99th percentile of a few hundred is one stall more or less. */
const perPhase = scanRate * seconds * 3;

/** Adds mails about paid reservations with two tickets each, and their jobs. */
async function addMails({ tenant, pool }: BenchFixture, count: number): Promise<void> {
  await pool.query(
    `begin; set local search_path to "${tenant.schemaName}";
     create temporary table chosen on commit drop as
       select gen_random_uuid() as reservation, gen_random_uuid() as mail, n from generate_series(1, ${count}) n;
     insert into reservation (id, event_id, email, status)
       select reservation, (select id from event limit 1), 'bench@example.org', 'P' from chosen;
     insert into ticket (reservation_id, event_id, price_id, amount, first_name, last_name, status, signing_key_id)
       select reservation, (select id from event limit 1), (select id from price limit 1), 10, 'Ada ' || n, 'Martin', 'K', 1
       from chosen cross join generate_series(1, 2);
     insert into mail (id, kind, reservation_id, recipient) select mail, 'tickets', reservation, 'bench@example.org' from chosen;
     insert into shared.job (tenant_id, kind, subject_id, due_at) select '${tenant.id}', 'mail', mail, now() from chosen;
     commit`,
  );
}

async function waitingMails({ tenant, pool }: BenchFixture): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from "${tenant.schemaName}".mail where status = 'waiting'`,
  );
  return rows[0]?.count ?? 0;
}

/** Removes the jobs that wait and lets the running ones end. */
async function removeMails(fixture: BenchFixture): Promise<void> {
  await fixture.pool.query(`delete from shared.job where kind = 'mail' and leased_until is null`);
  for (let look = 0; look < 300; look += 1) {
    const { rows } = await fixture.pool.query(`select 1 from shared.job where kind = 'mail' limit 1`);
    if (rows.length === 0) break;
    await delay(100);
  }
  await fixture.pool.query(`update "${fixture.tenant.schemaName}".mail set status = 'obsolete' where status = 'waiting'`);
}

/** Milliseconds of each scan of one phase. */
async function scanTimes(fixture: BenchFixture, server: Started, from: number): Promise<number[]> {
  return scanAtDoor(fixture, server, await fixture.codes(from, perPhase));
}

/** Milliseconds of processor time of a process, and of its main thread. Linux only. */
function processorTime(pid: number): { readonly all: number; readonly main: number } {
  const read = (path: string): number => {
    const fields = readFileSync(path, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    // User and system time in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  return { all: read(`/proc/${pid}/stat`), main: read(`/proc/${pid}/task/${pid}/stat`) };
}

/** Sends mails without other load. */
async function measureCost(fixture: BenchFixture, server: Started): Promise<void> {
  await addMails(fixture, costed);
  const begun = performance.now();
  const before = processorTime(server.pid);
  while ((await waitingMails(fixture)) > 0) await delay(50);
  const elapsed = performance.now() - begun;
  const after = processorTime(server.pid);
  const each = (name: 'all' | 'main'): string => ((after[name] - before[name]) / costed).toFixed(1);
  console.log(
    `${((costed * 1000) / elapsed).toFixed(0)} mails/s with two tickets each; ` +
      `processor time of the server per mail ${each('all')} ms (aim: at most 10), of that on the event loop ${each('main')} ms`,
  );
}

const times = (values: readonly number[]): string =>
  `p50 ${percentile(values, 50).toFixed(1)} ms, p95 ${percentile(values, 95).toFixed(1)} ms, p99 ${percentile(values, 99).toFixed(1)} ms`;

/**
 * What a mail with two tickets costs, and how long one device's scans take while mails wait, compared with the same scans without mails, in
 * alternating rounds. The mails go to an SMTP server on the same machine.
 */
export async function runMailBench(): Promise<void> {
  const fixture = await createFixture(perPhase * (2 * rounds + 1), 1);
  const programs: Started[] = [];
  try {
    const sink = await startProgram(['dist/test/load/mail-sink.js'], {}, /listening (\d+)/);
    programs.push(sink);
    const server = await startServer(fixture, { SMTP_URL: `smtp://127.0.0.1:${sink.port}` });
    programs.push(server);
    console.log(
      `${scanRate} scans a second of one device, ${rounds} rounds of ${seconds * 3} s; ${waiting} mails wait. ` +
        `${cpus().length} cores shared by the load generator, the mail server, the server and PostgreSQL; ` +
        `load average ${loadavg()[0]?.toFixed(1)} at the start.`,
    );
    let from = 0;
    const phase = (): number => (from += perPhase) - perPhase;
    // Warms up the process before measuring.
    await scanTimes(fixture, server, phase());
    await addMails(fixture, warming);
    while ((await waitingMails(fixture)) > 0) await delay(100);
    await measureCost(fixture, server);
    const quiet: number[] = [];
    const beside: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const alone = await scanTimes(fixture, server, phase());
      await addMails(fixture, waiting);
      const loaded = await scanTimes(fixture, server, phase());
      const left = await waitingMails(fixture);
      if (left === 0) throw new Error('All mails were sent before the phase ended: raise BENCH_MAILS.');
      await removeMails(fixture);
      quiet.push(...alone);
      beside.push(...loaded);
      console.log(
        `  round ${round}: without mails ${times(alone)} · with mails ${times(loaded)}, ${waiting - left} of them sent meanwhile`,
      );
    }
    console.log(`All rounds: without mails ${times(quiet)} · with mails ${times(beside)}`);
    console.log(`Ratio of p99: ${(percentile(beside, 99) / percentile(quiet, 99)).toFixed(2)}   aim: at most 1.5`);
  } finally {
    for (const program of programs.toReversed()) await program.stop();
    await fixture.close();
  }
}
