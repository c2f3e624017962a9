import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const longest = 140;
const mostLines = 300;

/** All source files with their lines. */
const files = ['apps', 'libs', 'test', 'scripts'].flatMap((folder) =>
  (readdirSync(join(root, folder), { recursive: true }) as string[])
    .filter((name) => /\.[jt]sx?$/.test(name))
    .map((name) => ({
      path: `${folder}/${name}`,
      lines: readFileSync(join(root, folder, name), 'utf8')
        .replace(/\n$/, '')
        .split('\n'),
    })),
);

/** All source lines, with `file:line`. */
const lines = files.flatMap(({ path, lines: texts }) => texts.map((text, index) => ({ at: `${path}:${index + 1}`, text })));

describe('the style of the sources', () => {
  it('reads real sources', () => {
    expect(lines.length).toBeGreaterThan(50_000);
  });

  it(`has lines of at most ${longest} characters`, () => {
    // An address or a key that is nearly as long as a line cannot be wrapped.
    const long = lines.filter(({ text }) => text.length > longest && !/https?:\/\/\S{100}|[\w+/=-]{100}/.test(text)).map(({ at }) => at);
    expect(long).toEqual([]);
  });

  it(`has files of at most ${mostLines} lines`, () => {
    // Split a longer file by subject; helpers of tests belong in test/support.
    const long = files.filter((file) => file.lines.length > mostLines).map((file) => `${file.path}: ${file.lines.length}`);
    expect(long).toEqual([]);
  });

  it(`has style sheets of at most ${mostLines} lines`, () => {
    const sheets = ['apps', 'libs'].flatMap((folder) =>
      (readdirSync(join(root, folder), { recursive: true }) as string[])
        .filter((name) => name.endsWith('.css'))
        .map((name) => `${folder}/${name}`),
    );
    expect(sheets.length).toBeGreaterThan(20);
    const linesOf = (path: string) => readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;
    expect(sheets.filter((path) => linesOf(path) > mostLines)).toEqual([]);
  });

  it('never disables the formatter', () => {
    // It obeys the comments of both.
    const comments = ['oxfmt', 'prettier'].map((name) => [name, 'ignore'].join('-'));
    expect(lines.filter(({ text }) => comments.some((comment) => text.includes(comment))).map(({ at }) => at)).toEqual([]);
  });

  it('is formatted for that width, so that only texts and statements are wrapped by hand', () => {
    const { printWidth } = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as { printWidth: number };
    expect(printWidth).toBe(longest);
  });
});
