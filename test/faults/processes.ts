import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface Launch {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** The signal for a clean stop; PostgreSQL uses SIGINT. */
  readonly stopSignal?: NodeJS.Signals;
}

export interface Running {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<void>;
  readonly alive: () => boolean;
  /** Stops it, with SIGKILL after 30 seconds, and resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** All processes that this run started; they are stopped by their pid. */
export class Processes {
  private readonly running = new Set<Running>();
  private readonly frozen = new Set<number>();
  private closing = false;

  constructor(private readonly logs: string) {}

  start({ name, program, args, env, account, stopSignal = 'SIGTERM' }: Launch): Running {
    if (this.closing) throw new Error('The run is being stopped.');
    // In its own process group, so that Ctrl-C reaches only this program, which stops the others in order.
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...account,
    });
    const log = createWriteStream(join(this.logs, `${name}.log`), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    let alive = true;
    const exited = new Promise<void>((resolve) => {
      child.once('error', (error) => log.write(`${error.message}\n`));
      child.once('close', () => {
        alive = false;
        log.end();
        this.running.delete(running);
        resolve();
      });
    });
    const running: Running = {
      name,
      pid: child.pid ?? 0,
      exited,
      alive: () => alive,
      stop: async (signal = stopSignal) => {
        if (!alive) return;
        child.kill(signal);
        const late = new AbortController();
        const killed = pass(30_000, undefined, { signal: late.signal }).then(
          () => void child.kill('SIGKILL'),
          () => undefined,
        );
        await exited;
        late.abort();
        await killed;
      },
    };
    this.running.add(running);
    return running;
  }

  /** Suspends processes (SIGSTOP). */
  freeze(pids: readonly number[]): void {
    for (const pid of pids) {
      this.frozen.add(pid);
      signal(pid, 'SIGSTOP');
    }
  }

  thaw(): void {
    for (const pid of this.frozen) signal(pid, 'SIGCONT');
    this.frozen.clear();
  }

  /** Stops all processes, newest first. Afterwards no process can be started. */
  async stopAll(): Promise<void> {
    this.closing = true;
    this.thaw();
    for (const running of [...this.running].toReversed()) await running.stop();
  }
}

/** A process that is restarted a second after it ended, like systemd with `RestartSec=1`. */
export class Supervised {
  private current: Running | undefined;
  private wanted = false;

  constructor(
    private readonly launch: () => Running,
    private readonly delayMs = 1000,
  ) {}

  start(): void {
    this.wanted = true;
    const running = this.launch();
    this.current = running;
    void running.exited.then(() => this.again(running));
  }

  get pid(): number {
    return this.current?.pid ?? 0;
  }

  get alive(): boolean {
    return this.current?.alive() ?? false;
  }

  /** Stops it without restart. */
  async stop(signal?: NodeJS.Signals): Promise<void> {
    this.wanted = false;
    await this.current?.stop(signal);
  }

  /** Kills the process; the supervisor restarts it. */
  kill(): void {
    signal(this.pid, 'SIGKILL');
  }

  private async again(ended: Running): Promise<void> {
    await pass(this.delayMs);
    if (!this.wanted || this.current !== ended) return;
    try {
      this.start();
    } catch {
      // The run is being stopped.
    }
  }
}

/** Processes whose parent is `pid`. */
export async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').map(Number).filter(Boolean);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  if (pid <= 0) return;
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

/** Runs a program to its end. @throws with its output when it fails */
export async function runToEnd({ name, program, args, env, account }: Launch): Promise<string> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${name} failed (${code}):\n${output}${errors}`);
  return output;
}

/** Waits until a condition holds. @throws after `seconds` */
export async function until(what: string, seconds: number, condition: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pass(100);
  }
}
