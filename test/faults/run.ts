/** `npm run faults [-- key …]`: puts the service under load, injects one fault after the other and prints a table of the results. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { Checks } from './checks.js';
import { SmallDisk } from './disks.js';
import { faults, type Fault, type Scene } from './faults.js';
import { Load } from './load.js';
import { Processes, until } from './processes.js';
import { findPrograms, MissingProgramError, type Programs } from './programs.js';
import { openMailReceiver, openWebhookReceiver } from './receivers.js';
import { report, violations, type Row } from './report.js';
import { Stack } from './stack.js';
import { createVenue } from './venue.js';

const deviceCount = 6;
const rows: Row[] = [];
let folder = '';
let processes: Processes | undefined;
let ending: Promise<void> | undefined;

const chosen = process.argv.slice(2);
const unknown = chosen.filter((key) => !(key in faults));
if (unknown.length > 0) fail(`There is no fault ${unknown.join(', ')}. The faults: ${Object.keys(faults).join(', ')}.`);
const programs = lookForPrograms();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void end().then(() => process.exit(130)));

try {
  await run(programs);
} catch (error) {
  if (!ending) console.error(error);
  process.exitCode = 1;
} finally {
  if (rows.length > 0) console.log(`\n${report(rows, programs)}`);
  const found = rows.flatMap(violations);
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
  await end();
}
process.exit();

async function run(programs: Programs): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'guichet-faults-'));
  // PostgreSQL and PgBouncer run as another user, who needs access.
  await chmod(folder, 0o755);
  processes = new Processes(folder);
  say(`Everything is in ${folder}.`);
  const databaseDisk = await SmallDisk.mount(join(folder, 'node_1'), 400);
  const mailDisk = await SmallDisk.mount(join(folder, 'mail'), 8);
  const webhooks = await openWebhookReceiver();
  const mails = await openMailReceiver();
  const stack = new Stack({ folder, programs, processes, webhooks, mails });
  await stack.start();
  const venue = await createVenue(stack, deviceCount);
  const load = new Load(stack.port, venue);
  const checks = await Checks.open(stack, venue, load, join(folder, 'mail'));
  const scene: Scene = { stack, processes, databaseDisk, mailDisk };
  say('Warming up.');
  load.start();
  await pass(20_000);
  await load.stop();
  for (const [key, fault] of Object.entries(faults))
    if (chosen.length === 0 || chosen.includes(key)) rows.push(await attempt(fault, scene, load, checks));
}

async function attempt(fault: Fault, scene: Scene, load: Load, checks: Checks): Promise<Row> {
  const skipped = fault.skip?.(scene);
  if (skipped !== undefined) {
    say(`${fault.name}: left out, ${skipped}`);
    return { fault: fault.name, skipped };
  }
  say(fault.name);
  await fault.prepare?.(scene);
  const before = load.unexpected.length;
  load.start();
  await pass(3000);
  const note = await fault.strike(scene);
  const { served } = load;
  await until('service is back', 60, () => load.served > served + 10);
  await pass(4000);
  const window = await load.stop();
  await fault.restore?.(scene);
  const verdict = await checks.verdict();
  const row = {
    fault: fault.name,
    window,
    verdict,
    note: note ?? undefined,
    unexpected: load.unexpected.slice(before),
  };
  say(`  without service ${window.withoutService.toFixed(1)} s, ${violations(row).length} violations`);
  return row;
}

function lookForPrograms(): Programs {
  try {
    return findPrograms();
  } catch (error) {
    if (error instanceof MissingProgramError) fail(error.message);
    throw error;
  }
}

/** Stops everything that was started; also on Ctrl-C. */
function end(): Promise<void> {
  ending ??= (async () => {
    say('Stopping everything.');
    await processes?.stopAll();
    SmallDisk.unmountAll();
    if (folder !== '' && process.env['FAULTS_KEEP'] === undefined) await rm(folder, { recursive: true, force: true });
  })();
  return ending;
}

function say(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)}  ${line}`);
}

function fail(line: string): never {
  console.error(line);
  process.exit(2);
}
