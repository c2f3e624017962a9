import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { nouns } from '../../apps/cli/src/nouns.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const documents = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The full names of all executable commands: `tenant domain add`. */
function wordsOf(command: Command, before: readonly string[] = []): string[] {
  const words = [...before, command.name()];
  return command.commands.length === 0 ? [words.join(' ')] : command.commands.flatMap((below) => wordsOf(below, words));
}

/** The commands of a table's first column; `tenant suspend`, `resume` means `tenant resume`. */
function listed(column: string): string[] {
  let group: string[] = [];
  return [...column.matchAll(/`([a-z][a-z -]*)`/g)].map(([, text]) => {
    const words = (text as string).split(' ');
    if ((words[0] as string) in nouns) group = words.slice(0, -1);
    return [...((words[0] as string) in nouns ? [] : group), ...words].join(' ');
  });
}

let commands: string[];
beforeAll(async () => {
  const loaded = Object.entries(nouns).map(async ([name, noun]) => {
    const command = new Command(name);
    (await noun.load())(command);
    return wordsOf(command);
  });
  commands = (await Promise.all(loaded)).flat();
});

describe('the documentation of the command line', () => {
  it('lists every command and no other', () => {
    const table = readFileSync(join(root, 'docs/command-line.md'), 'utf8').matchAll(/^\| (`.*?) \|/gm);
    const rows = [...table].flatMap(([, column]) => listed(column as string));
    expect(commands.length).toBeGreaterThan(30);
    expect(rows.toSorted()).toEqual(commands.toSorted());
  });

  it('names only existing commands', () => {
    const named = documents.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/\bguichet (?:-- )?([a-z]+(?: [a-z][a-z-]*)*)/g)]
        .map(([, words]) => words as string)
        // `runuser -u guichet -- node dist/…` runs Node.js.
        .filter((words) => (words.split(' ')[0] as string) in nouns && words !== 'node dist')
        .map((words) => ({ name, words })),
    );
    expect(named.length).toBeGreaterThan(10);
    const unknown = named.filter(({ words }) => !commands.some((command) => `${words} `.startsWith(`${command} `)));
    expect(unknown).toEqual([]);
  });
});
