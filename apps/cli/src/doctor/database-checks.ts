import { PlaceRecordsService } from '#places';
import { JobQueueService } from '#jobs';
import {
  BackupService,
  DatabaseServersService,
  InstallationService,
  LeftoversService,
  Migrator,
  TenantDb,
  TenantMovesService,
} from '#tenancy';
import { check, fail, ok, warn, type Check } from './check.js';
import { guichet } from '../terminal/output.js';
import type { Session } from '../terminal/session.js';

const clockToleranceMilliseconds = 2000;
/** A day and the time that a backup may take or be tried again. */
const hoursBetweenBackups = 28;

/** All checks of a reachable database. @param options.repair removes leftovers and writes missing records */
export async function databaseChecks(session: Session, { repair = false } = {}): Promise<Check[]> {
  const checks = [
    await check('clock', () => clocks(session)),
    ...(await servers(session)),
    await check('connections', () => connections(session)),
    await check('migrations', () => migrations(session)),
  ];
  // Without the shared tables no other check is possible; "migrations" has reported that.
  const { shared } = await session.service(Migrator).status();
  if (shared.current === 0) return checks;
  if (await session.isInstalled()) checks.push(await check('sealed secrets', () => sealedSecrets(session)));
  checks.push(
    await check('root', () => root(session)),
    await check('super-user', () => superUser(session)),
    await check('tenants', () => tenants(session, repair)),
  );
  if (shared.current < shared.latest) return checks;
  checks.push(
    await check('places', () => places(session, repair)),
    await check('background work', () => backgroundWork(session)),
    await check('backup', () => backup(session)),
  );
  return checks;
}

async function clocks(session: Session) {
  const db = session.service(TenantDb);
  const found = await db.onEachNode(async () => {
    const before = Date.now();
    const now = await db.clock();
    // The database read its clock at an unknown moment of the round trip: the middle is wrong by half of it at most.
    return now - (before + Date.now()) / 2;
  });
  // This machine is one of them.
  const difference = Math.max(0, ...found) - Math.min(0, ...found);
  const servers = found.length > 1 ? `${found.length} database servers` : 'the database';
  const detail = `this machine and ${servers} are ${(difference / 1000).toFixed(1)} s apart`;
  return difference > clockToleranceMilliseconds
    ? warn(detail, 'synchronise them with NTP: the database decides what has ended, this machine writes the log and the ends of cookies')
    : ok(detail);
}

/** Nothing for an installation with one database server. */
async function servers(session: Session): Promise<Check[]> {
  if (!session.service(DatabaseServersService).areSeveral) return [];
  const db = session.service(TenantDb);
  return [
    await check('servers', async () => {
      const left = await db.onEachNode(() => db.sharedStatement<{ count: number }>(leftPrepared, []));
      const { silentNodes } = db;
      if (silentNodes.length > 0) return fail(`${silentNodes.join(', ')} does not answer`, 'start it: its tenants answer 503 until then');
      const count = left.flat().reduce((sum, row) => sum + row.count, 0);
      return count > 0
        ? warn(`${count} transactions are prepared for ${oldMinutes} minutes`, 'look into the log of PostgreSQL: Citus ends them by itself')
        : ok(`${left.length} database servers answer, and no transaction is left prepared`);
    }),
  ];
}

const oldMinutes = 5;
const leftPrepared = {
  name: 'prepared-left',
  text: `select count(*)::int as count from pg_catalog.pg_prepared_xacts
    where database = current_database() and prepared < now() - interval '${oldMinutes} minutes'`,
};

async function connections(session: Session) {
  const [row] = await query<{ limit: number }>(
    session,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as limit`,
  );
  const { databasePoolSize } = session.settings;
  const limit = row?.limit ?? 0;
  const detail = `a process uses up to ${databasePoolSize} of ${limit}`;
  const advice = "lower DATABASE_POOL_SIZE, or raise PostgreSQL's max_connections";
  if (databasePoolSize >= limit) return fail(detail, advice);
  // Two processes run at the same time: server and worker, or an old and a new server during a restart.
  return databasePoolSize * 2 >= limit ? warn(`${detail}: not enough for two processes`, advice) : ok(detail);
}

async function migrations(session: Session) {
  const { shared, tenants } = await session.service(Migrator).status();
  if (shared.current === 0) return fail('the database is not installed', `run ${guichet} install`);
  if (shared.current > shared.latest) {
    return fail(`the database is at version ${shared.current}, this program knows ${shared.latest}`, 'install the newer Guichet');
  }
  const detail = `shared tables at ${shared.current} of ${shared.latest}, ${tenants.behind} of ${tenants.total} tenants behind`;
  if (shared.current < shared.latest || tenants.behind > 0) return fail(detail, `run ${guichet} migrate run`);
  return tenants.newer > 0
    ? fail(`${tenants.newer} of ${tenants.total} tenants are newer than this program`, 'install the newer Guichet')
    : ok(detail);
}

async function sealedSecrets(session: Session) {
  await session.service(InstallationService).checkSecret();
  return ok('the server secret is the one they were sealed with');
}

async function root(session: Session) {
  const hosts = await query<{ host: string | null }>(
    session,
    `select d.host from tenant t left join domain d on d.tenant_id = t.id and d.is_primary where t.category = 'R'`,
  );
  const { baseDomain } = session.settings;
  if (hosts.length === 0) return fail('there is no Root', `run ${guichet} install`);
  if (hosts.length > 1) return fail(`there are ${hosts.length} Roots`, 'one only may have the category R');
  const host = hosts[0]?.host ?? 'no host';
  return host === baseDomain
    ? ok(`answers on ${host}`)
    : warn(`answers on ${host}, but BASE_DOMAIN is ${baseDomain}`, 'set BASE_DOMAIN back, or move the domains of all tenants');
}

async function superUser(session: Session) {
  const [row] = await query<{ count: number }>(session, 'select count(*)::int from user_account where is_super_user');
  const count = row?.count ?? 0;
  return count > 0 ? ok(`${count} there`) : warn("nobody can enter Root's panel", `${guichet} user create --email <email> --super-user`);
}

async function tenants(session: Session, repair: boolean) {
  const done = repair ? await session.service(LeftoversService).repair() : [];
  const found = await session.service(LeftoversService).find();
  const repaired = done.length === 0 ? '' : `${firstOf(done)}; `;
  if (found.length === 0) return ok(`${repaired}all have their tables and domains, and no schema is left over`);
  const detail = `${repaired}${firstOf(found.map(({ kind, name }) => `${kind}: ${name}`))}`;
  const unmoved = found.find(({ kind }) => kind === 'unfinished move');
  if (unmoved) {
    const move = (await session.service(TenantMovesService).wanted()).find(({ slug }) => slug === unmoved.name);
    const nodes = `--node ${move?.to}, or open it where it is with --node ${move?.from}`;
    return fail(detail, `go on with ${guichet} tenant move ${unmoved.name} ${nodes}; it answers 503 until then`);
  }
  const lost = found.some(({ kind }) => kind === 'tenant without tables');
  if (repair || lost) return fail(detail, 'restore tables from your backup, or delete such tenants');
  const unfinished = found.some(({ kind }) => kind === 'unfinished import');
  const goOn = unfinished ? `go on with ${guichet} tenant import <file> --resume, or ` : '';
  return fail(detail, `${goOn}run ${guichet} doctor --repair`);
}

async function places(session: Session, repair: boolean) {
  const records = session.service(PlaceRecordsService);
  const written = repair ? await records.repair() : [];
  const drifts = await records.drifts();
  const detail = written.length === 0 ? '' : `written for ${firstOf(written)}; `;
  if (drifts.length === 0) return ok(`${detail}the public record of each tenant says what its profile says`);
  return fail(`${detail}${firstOf(drifts.map(({ slug, state }) => `that of ${slug} is ${state}`))}`, `run ${guichet} doctor --repair`);
}

function firstOf(things: readonly string[]): string {
  const more = things.length > 5 ? ` and ${things.length - 5} more` : '';
  return `${things.slice(0, 5).join(', ')}${more}`;
}

async function backgroundWork(session: Session) {
  const seconds = Math.round(await session.service(JobQueueService).lagSeconds());
  return seconds > 60
    ? warn(`a job waits for ${seconds} s already`, 'start a server, or with WORKER=separate npm run worker')
    : ok('no job is overdue');
}

async function backup(session: Session) {
  const { backups, baseDomain } = session.settings;
  const last = await session.service(BackupService).last();
  if (!last) {
    return baseDomain === 'localhost'
      ? ok('none was made')
      : warn(`${guichet} backup was never run`, 'set BACKUP_FOLDER for one a day, unless PostgreSQL is backed up otherwise');
  }
  const hours = Math.round(last.ageSeconds / 3600);
  const detail = `the last one was complete ${hours} h ago and has ${sizeOf(last.bytes)}`;
  if (hours <= hoursBetweenBackups) return ok(detail);
  return warn(
    detail,
    backups ? `look for "back up the server" in the log of the server, or run ${guichet} backup` : `run ${guichet} backup`,
  );
}

function query<Row>(session: Session, sql: string): Promise<Row[]> {
  return session.service(TenantDb).shared((tx) => tx.query<Row[]>(sql));
}

const sizeOf = (bytes: number): string => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
