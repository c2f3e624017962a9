import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { DoorApp } from './door-app.js';

const folder = mkdtempSync(join(tmpdir(), 'guichet-door-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, compressed: boolean): object => {
  for (const suffix of compressed ? ['', '.br', '.gz'] : ['']) writeFileSync(join(folder, name + suffix), `${name}${suffix}`);
  return { file: name, type: 'text/javascript', immutable: true, compressed };
};

it('serves the files of the build and those of the build before, in the best form that is accepted', () => {
  const list = { version: 'v2', files: [file('app.2.js', true), file('icon.png', false)], previous: [file('app.1.js', true)] };
  writeFileSync(join(folder, 'assets.json'), JSON.stringify(list));
  const app = DoorApp.read(folder);
  expect(app.version).toBe('v2');
  const read = (name: string, ...accepted: readonly string[]): string | undefined =>
    app.file(name, (encoding) => accepted.includes(encoding))?.bytes.toString();
  expect(read('app.1.js', 'gzip', 'br')).toBe('app.1.js.br');
  expect(read('app.2.js', 'gzip')).toBe('app.2.js.gz');
  expect(read('app.2.js')).toBe('app.2.js');
  expect(read('icon.png', 'br')).toBe('icon.png');
  expect(read('app.2.js.br', 'br')).toBeUndefined();
});

it('says how to build the app when it is missing', () => {
  expect(() => DoorApp.read(join(folder, 'missing'))).toThrow('node scripts/build-door.js');
});
