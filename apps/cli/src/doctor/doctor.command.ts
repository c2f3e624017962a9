import type { Command } from 'commander';
import { readSettings, unknownSettings, type Settings } from '#kernel';
import { check, fail, ok, warn, type Check } from './check.js';
import { databaseChecks } from './database-checks.js';
import { mailCheck } from './mail-check.js';
import { machineChecks, nodeCheck } from './machine-checks.js';
import { documented, show } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

/** `doctor`: checks the whole installation; changes nothing without `--repair`. */
export function doctorCommand(noun: Command): void {
  noun.description(
    'Checks settings, Node.js, data folder, disk, server secret, mail, database, clock, migrations and tenants, and suggests repairs.\n' +
      'Exit code 0 when no check fails (warnings do not count), 1 otherwise.',
  );
  noun.option(
    '--repair',
    'drop schemas that belong to no tenant and unfinished imports, give tenants without a primary domain one, write public records ' +
      'that are missing or outdated',
  );
  documented(noun, {
    doctor: 'prints a line for each check: ok, warn or fail',
    'doctor --repair': 'removes leftovers, and reports it in the lines of tenants and places',
    'doctor --json': 'prints {"healthy": …, "checks": [{"name", "state", "detail", "advice"}]}',
  }).action(doctor);
}

async function doctor(options: { json?: boolean; repair?: boolean }): Promise<void> {
  const checks = await examine(options.repair === true);
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const warned = checks.filter(({ state }) => state === 'warn').length;
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, detail, advice }) => [
    `${state.padEnd(4)}  ${name.padEnd(width)}  ${detail}`,
    ...(advice ? [`${' '.repeat(8 + width)}→ ${advice}`] : []),
  ]);
  const summary = failed + warned === 0 ? 'All is well.' : `${failed} failed, ${warned} warned.`;
  show(options, { healthy: failed === 0, checks }, [...lines, '', summary]);
  if (failed > 0) process.exitCode = 1;
}

async function examine(repair: boolean): Promise<Check[]> {
  let settings: Settings | undefined;
  const checks = [
    await nodeCheck(),
    await check('settings', () => {
      settings = readSettings();
      const address = `${settings.publicScheme}://${settings.baseDomain}${settings.publicPortSuffix}`;
      const unknown = unknownSettings();
      return unknown.length === 0 ? ok(address) : warn(address, unknown.join(' '));
    }),
  ];
  if (!settings) return [...checks, notLooked('the settings')];
  const machine = await machineChecks(settings);
  // Opening a session would create what is missing: a folder, a secret, a database.
  const culprit = machine.find(({ name, state }) => state === 'fail' && name !== 'disk');
  checks.push(...machine, await mailCheck(settings));
  return [...checks, ...(culprit ? [notLooked(`the ${culprit.name}`)] : await lookIntoDatabase(repair))];
}

async function lookIntoDatabase(repair: boolean): Promise<Check[]> {
  const found: Check[] = [];
  const reached = await check('database', () =>
    withSession(
      async (session) => {
        const { version, embedded } = session.database;
        found.push(...(await databaseChecks(session, { repair })));
        return ok(`PostgreSQL ${version}, ${embedded ? 'the embedded one' : 'of DATABASE_URL'}`);
      },
      { bare: true },
    ),
  );
  return [reached, ...found];
}

function notLooked(what: string): Check {
  return { name: 'database', ...fail('not looked at', `first correct ${what}`) };
}
