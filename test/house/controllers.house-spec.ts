import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const controllers = ['libs', 'apps']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.controller.ts'))
  .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }));

describe('controllers', () => {
  it('use neither request nor response objects: they return a Reply to set headers or status', () => {
    expect(controllers.length).toBeGreaterThan(30);
    expect(controllers.filter(({ text }) => /@(Req|Res|Request|Response|Next)\(/.test(text))).toEqual([]);
  });

  it('read UUIDs of the path with UuidParam', () => {
    expect(controllers.filter(({ text }) => /uuidPipe|ParseUUIDPipe/.test(text))).toEqual([]);
  });
});
