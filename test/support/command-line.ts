import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testSecret, type TestApp } from './test-app.js';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line for a running test application, with the same database and its own data folder. */
export interface CommandLine {
  /** Runs a command in its own process, as an operator does. */
  program(words: readonly string[], environment?: NodeJS.ProcessEnv, input?: string): Promise<Outcome>;
  /** Runs a command in a shared process, because loading the program takes longer than most commands. One at a time. */
  run(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Outcome>;
  close(): Promise<void>;
}

export async function openCommandLine(test: TestApp): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'guichet-cli-'));
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  const commands = fork('test/support/cli-commands.js', { execArgv: [], env: inherited });
  const environmentOf = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
    NODE_ENV: 'production',
    DATABASE_URL: test.database.url,
    SERVER_SECRET: testSecret,
    DATA_DIR: folder,
    DEMO: 'off',
    ...more,
  });
  return {
    program: async (words, environment = {}, input = '') => {
      const child = spawn(process.execPath, ['scripts/guichet.js', ...words], {
        env: { ...inherited, ...environmentOf(environment) },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
      child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
      child.stdin.end(input);
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, stdout, stderr };
    },
    run: async (words, environment = {}) => {
      commands.send({ words, environment: environmentOf(environment) });
      const [outcome] = (await once(commands, 'message')) as [Outcome];
      return outcome;
    },
    close: async () => {
      commands.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
