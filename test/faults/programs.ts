import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Programs of the machine that the run needs. */
export interface Programs {
  readonly haproxy: string;
  readonly pgbouncer: string;
  /** PgBouncer's version as major × 100 + minor: 118 for 1.18. */
  readonly pgbouncerVersion: number;
  /** Folder of initdb, postgres, pg_basebackup. */
  readonly postgres: string;
  readonly postgresVersion: string;
  /** Path of libfaketime, which shifts clocks; undefined: a Node preload is used instead. */
  readonly faketime: string | undefined;
  /** The account that runs PostgreSQL and PgBouncer, which refuse root; undefined: this one. */
  readonly account: { readonly uid: number; readonly gid: number } | undefined;
  readonly root: boolean;
}

/** A program is missing. The message is one line with the command that installs it. */
export class MissingProgramError extends Error {}

const install = 'apt-get install haproxy pgbouncer postgresql libfaketime';

const debianPostgres = '/usr/lib/postgresql';
const debianFolders = ['/usr/sbin', '/usr/local/sbin'];

/**
 * Looks for Debian's programs in the folders of `PATH` and in Debian's, and starts no service.
 * @throws MissingProgramError
 */
export function findPrograms(
  folders: readonly string[] = [...(process.env['PATH'] ?? '').split(':'), ...debianFolders],
  versions: string = debianPostgres,
): Programs {
  const which = (name: string): string | undefined => folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  const postgres = postgresFolder(versions);
  const haproxy = which('haproxy');
  const pgbouncer = which('pgbouncer');
  const missing = [haproxy ? '' : 'haproxy', pgbouncer ? '' : 'pgbouncer', postgres ? '' : 'postgresql'].filter(Boolean);
  if (!haproxy || !pgbouncer || !postgres) throw new MissingProgramError(`Missing: ${missing.join(', ')}. On Debian: ${install}`);
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(output(pgbouncer, '--version')) ?? [];
  return {
    haproxy,
    pgbouncer,
    pgbouncerVersion: Number(major) * 100 + Number(minor),
    postgres,
    postgresVersion: /([\d.]+)/.exec(output(join(postgres, 'postgres'), '--version'))?.[1] ?? 'unknown',
    faketime: faketimeLibrary(),
    account: process.getuid?.() === 0 ? accountOf('postgres') : undefined,
    root: process.getuid?.() === 0,
  };
}

/** The folder of the newest version. */
function postgresFolder(folder: string): string | undefined {
  const versions = existsSync(folder) ? readdirSync(folder).toSorted((one, other) => Number(other) - Number(one)) : [];
  return versions.map((version) => join(folder, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

function faketimeLibrary(): string | undefined {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime')) : [];
  return folders.map((folder) => join(folder, 'libfaketime.so.1')).find((file) => existsSync(file));
}

function accountOf(name: string): { uid: number; gid: number } {
  return { uid: Number(output('id', '-u', name)), gid: Number(output('id', '-g', name)) };
}

function output(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' }).trim();
}
