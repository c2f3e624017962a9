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
  /** What a polite end is; PostgreSQL wants SIGINT. */
  readonly stopSignal?: NodeJS.Signals;
}

export interface Running {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<void>;
  readonly alive: () => boolean;
  /** Ends it and resolves when it is gone; after 30 seconds with SIGKILL. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Everything that this run started: known by its id, and stopped by it. */
export class Processes {
  private readonly running = new Set<Running>();
  private readonly frozen = new Set<number>();
  private closing = false;

  constructor(private readonly logs: string) {}

  start({ name, program, args, env, account, stopSignal = 'SIGTERM' }: Launch): Running {
    if (this.closing) throw new Error('The run is being stopped.');
    // In a group of its own: Ctrl-C is for this program, which stops the others in order.
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

  /** Stops processes from running without ending them. */
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

  /** Ends everything, the newest first. Nothing can be started any more. */
  async stopAll(): Promise<void> {
    this.closing = true;
    this.thaw();
    for (const running of [...this.running].toReversed()) await running.stop();
  }
}

/** A process that is started again a second after it ended, as systemd does with `RestartSec=1`. */
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

  /** Ends it for good. */
  async stop(signal?: NodeJS.Signals): Promise<void> {
    this.wanted = false;
    await this.current?.stop(signal);
  }

  /** What a fault does: the process dies, and its supervisor notices. */
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
    // It has ended meanwhile.
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

/** Asks until the answer is yes. @throws after `seconds` */
export async function until(what: string, seconds: number, condition: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pass(100);
  }
}
