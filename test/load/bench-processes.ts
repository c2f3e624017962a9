import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Started {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a Node program and waits for the output line with its port. */
export async function startProgram(args: readonly string[], env: NodeJS.ProcessEnv, ready: RegExp): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.on('data', (part: Buffer) => {
      if (output.length < 100_000) output += part.toString();
      const match = ready.exec(output);
      if (match) resolve(Number(match[1]));
    });
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended:\n${output}`)));
  });
  return {
    pid: child.pid ?? 0,
    port,
    stop: async () => {
      child.removeAllListeners('exit');
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** User and system time of a process in milliseconds, NaN where the system does not tell. Linux counts in hundredths of a second. */
export function cpuOf(pid: number): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return NaN;
  }
}

/** @param ours processor time of our server for each request in milliseconds @param bare that of the bare one */
export function cpuLine(ours: number, bare: number, request: string): string {
  const [mine, theirs] = [ours, bare].map((time) => `${(time * 1000).toFixed(0)} µs`);
  return `Processor time a ${request} (median): ${mine}, bare ${theirs}: ${(ours / bare).toFixed(1)} times`;
}

/** The path of pgbench, if a PostgreSQL client package is installed; no npm package contains it. */
export function findPgbench(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':');
  const debian = '/usr/lib/postgresql';
  if (existsSync(debian)) folders.push(...readdirSync(debian).map((version) => join(debian, version, 'bin')));
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file));
}

/** Runs pgbench with a script. @returns transactions per second */
export async function runPgbench(program: string, url: string, script: string, clients: number, seconds: number): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const child = spawn(
    program,
    [
      '-n',
      '-M',
      'prepared',
      '-f',
      script,
      '-c',
      String(clients),
      '-j',
      '1',
      '-T',
      String(seconds),
      '-h',
      hostname,
      '-p',
      port,
      '-U',
      username,
      pathname.slice(1),
    ],
    { env: { ...process.env, PGPASSWORD: decodeURIComponent(password) }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  const match = /tps = ([\d.]+)/.exec(output);
  if (code !== 0 || !match) throw new Error(`pgbench failed:\n${output}`);
  return Number(match[1]);
}
