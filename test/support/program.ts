import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The compiled program in its own process, with its own data folder and embedded PostgreSQL. */
export interface Program {
  readonly process: ChildProcess;
  /** Available once it is ready. */
  port(): number;
  readonly output: () => string;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
}

const started: Program[] = [];

/** Starts the server, or the worker, without a database of the tests; end it with `stopPrograms`. */
export function startFromScript(environment: NodeJS.ProcessEnv, application: 'server' | 'worker' = 'server'): Program {
  return startProcess(['scripts/start.js', application], environment);
}

/** Starts any Node program in the same way. */
export function startProcess(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Program {
  const { DATABASE_URL: _none, NODE_OPTIONS: _options, ...inherited } = process.env;
  const child = spawn(process.execPath, args, {
    env: { ...inherited, NODE_ENV: 'production', HOST: '127.0.0.1', DEMO: 'off', SPARE_SCHEMAS: '0', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  const port = (): number => Number(/http:\/\/localhost:(\d+)\/admin/.exec(output)?.[1]);
  const program: Program = { process: child, port, output: () => output, exited };
  started.push(program);
  return program;
}

/** Stops what `startFromScript` started, as an operator does. */
export async function stopPrograms(): Promise<void> {
  for (const program of started.splice(0)) {
    if (program.process.exitCode === null && program.process.signalCode === null) {
      program.process.kill('SIGTERM');
      await program.exited;
    }
  }
}

/** Waits until the output of a program contains a text, for up to two minutes: a start compiles when a source is newer than the build. */
export async function untilOutput(program: Program, text: string): Promise<void> {
  for (let round = 0; round < 1200; round += 1) {
    if (program.output().includes(text)) return;
    if (program.process.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`"${text}" was not said:\n${program.output()}`);
}

export function untilReady(program: Program): Promise<void> {
  return untilOutput(program, 'Guichet is ready');
}

/** The pid of the running postmaster of a data folder; undefined when there is none. */
export function postmasterOf(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? pid : undefined;
  }
}
