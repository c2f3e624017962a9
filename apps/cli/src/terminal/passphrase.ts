import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Refusal } from './failure.js';

const variable = 'GUICHET_PASSPHRASE';

/**
 * The passphrase of an export or a backup: the first line of a file, else the environment variable GUICHET_PASSPHRASE, else a known one,
 * else typed on the terminal without echo. Never an argument, because every user of the machine can see those.
 * @param options.known from the settings of this server
 * @param options.twice a new one is typed twice
 * @throws Refusal when there is none
 */
export async function readPassphrase(options: {
  readonly file?: string | undefined;
  readonly known?: string | undefined;
  readonly twice?: boolean;
}): Promise<string> {
  const { file, known, twice } = options;
  const given = file === undefined ? process.env[variable] || known : firstLine(file);
  if (given) return given;
  if (!process.stdin.isTTY) throw new Refusal(`Give the passphrase with --passphrase-file <path> or ${variable}.`);
  const typed = await ask('Passphrase: ');
  if (twice && (await ask('Repeat the passphrase: ')) !== typed) throw new Refusal('The two are not the same.');
  return typed;
}

/** @throws Refusal when it cannot be read or is empty */
function firstLine(file: string): string {
  let line: string | undefined;
  try {
    line = readFileSync(file, 'utf8').split(/\r?\n/)[0];
  } catch (error) {
    throw new Refusal(`The passphrase cannot be read from ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (!line) throw new Refusal(`The first line of ${file} is empty: write the passphrase there.`);
  return line;
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  const interrupted = new AbortController();
  terminal.on('SIGINT', () => interrupted.abort());
  try {
    return await terminal.question('', { signal: interrupted.signal });
  } catch (error) {
    throw new Refusal('No passphrase was typed.', { cause: error });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
