import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PictureFiles } from './picture-files.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-pictures-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Files have different times of change. */
async function write(files: PictureFiles, tenant: string, name: string, bytes = 100): Promise<void> {
  await setTimeout(5);
  expect(await files.write(tenant, name, Buffer.alloc(bytes, name))).toBe(true);
}

describe('files of pictures', () => {
  it('keep the newest of each tenant, up to a number of bytes', async () => {
    const files = new PictureFiles(folder, { bytes: 250, tenants: 9 });
    for (const name of ['a', 'b', 'c']) await write(files, 'one', name);
    await write(files, 'two', 'a');
    expect(await files.read('one', 'a')).toBeUndefined();
    expect(await files.read('one', 'c')).toEqual(Buffer.alloc(100, 'c'));
    expect(await readdir(join(folder, 'share-pictures', 'one'))).toEqual(['b.png', 'c.png']);
    expect(await readdir(join(folder, 'share-pictures', 'two'))).toEqual(['a.png']);
    await write(files, 'one', 'large', 300);
    expect(await readdir(join(folder, 'share-pictures', 'one'))).toEqual([]);
  });

  it('belong to a limited number of tenants', async () => {
    const files = new PictureFiles(folder, { bytes: 1000, tenants: 2 });
    for (const tenant of ['one', 'two', 'three']) await write(files, tenant, 'a');
    expect((await readdir(join(folder, 'share-pictures'))).toSorted()).toEqual(['three', 'two']);
  });

  it('are whole when several write the same one', async () => {
    const files = new PictureFiles(folder, { bytes: 1_000_000, tenants: 2 });
    await Promise.all(Array.from({ length: 20 }, () => files.write('one', 'same', Buffer.alloc(9000, 'x'))));
    expect(await readdir(join(folder, 'share-pictures', 'one'))).toEqual(['same.png']);
    expect(await files.read('one', 'same')).toEqual(Buffer.alloc(9000, 'x'));
  });
});
