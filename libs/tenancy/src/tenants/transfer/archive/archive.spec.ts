import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArchiveReader } from './archive-reader.js';
import { ArchiveWriter } from './archive-writer.js';

const passphrase = 'correct horse battery';
/** Random, so that the compressed data fills several of age's chunks of 64 KiB. */
const bodies = [Buffer.from('first'), randomBytes(300_000), Buffer.alloc(0), randomBytes(70_000)];
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-archive-'));
  file = join(folder, 'a.guichet');
  await write(file);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(path: string): Promise<void> {
  const writer = await ArchiveWriter.create(path, passphrase, 2);
  for (const [index, body] of bodies.entries()) await writer.add(`tenant/table/${index}`, body);
  await writer.finish();
}

/** Hexadecimal texts, because Jest compares large buffers byte by byte. */
const hex = (buffers: readonly Buffer[]): string[] => buffers.map((buffer) => buffer.toString('hex'));

async function read(path: string, secret = passphrase): Promise<string[]> {
  const found: Buffer[] = [];
  const reader = await ArchiveReader.open(path);
  for await (const { body } of reader.entries(secret)) found.push(body);
  return hex(found);
}

/** Reads a changed copy of the file; returns its content or the error. */
async function readChanged(change: (bytes: Buffer) => Buffer): Promise<unknown> {
  const path = join(folder, 'changed');
  await writeFile(path, change(await readFile(file)));
  return read(path).catch((error: unknown) => error);
}

describe('an archive', () => {
  it('restores its content, from a file that only its owner can read', async () => {
    expect(await read(file)).toEqual(hex(bodies));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a.guichet']);
  });

  it('can be closed after its first entry', async () => {
    const reader = await ArchiveReader.open(file);
    for await (const { body } of reader.entries(passphrase)) {
      expect(body).toEqual(bodies[0]);
      break;
    }
  });

  it('refuses a wrong passphrase, other files and missing files', async () => {
    await expect(read(file, 'another passphrase')).rejects.toThrow('The passphrase is not the one');
    expect(await readChanged(() => Buffer.from('%PDF-1.7'))).toMatchObject({
      message: 'The file is neither an export of a tenant nor a backup of a server.',
    });
    await expect(read(join(folder, 'nowhere'))).rejects.toThrow('nowhere cannot be read: there is no such file');
  });

  it('refuses a changed byte anywhere', async () => {
    const { size } = await stat(file);
    for (const at of [60, 200, 70_000, 150_000, size - 20, size - 1]) {
      const found = await readChanged((bytes) => {
        bytes[at]! ^= 1;
        return bytes;
      });
      expect([at, found]).toEqual([at, expect.objectContaining({ message: expect.stringMatching(/damaged|passphrase/) })]);
    }
  });

  it('refuses a truncated, extended or reordered file, also at the borders of chunks', async () => {
    const chunk = 65_536 + 16;
    const payload = (bytes: Buffer): number => bytes.indexOf('\n---') + bytes.subarray(bytes.indexOf('\n---') + 1).indexOf('\n') + 2 + 16;
    const damaged = expect.objectContaining({ message: expect.stringContaining('The file is damaged') });
    for (const length of [100, 5000, 70_000]) expect(await readChanged((bytes) => bytes.subarray(0, length))).toEqual(damaged);
    for (const chunks of [1, 2, 5]) {
      expect(await readChanged((bytes) => bytes.subarray(0, payload(bytes) + chunks * chunk))).toEqual(damaged);
    }
    expect(await readChanged((bytes) => Buffer.concat([bytes, bytes.subarray(-chunk)]))).toEqual(damaged);
    const swapped = await readChanged((bytes) => {
      const at = payload(bytes);
      const [first, second] = [bytes.subarray(at, at + chunk), bytes.subarray(at + chunk, at + 2 * chunk)];
      return Buffer.concat([bytes.subarray(0, at), second, first, bytes.subarray(at + 2 * chunk)]);
    });
    expect(swapped).toEqual(damaged);
  });

  it('does not overwrite files, replaces the remains of a killed export and deletes an abandoned one', async () => {
    await expect(write(file)).rejects.toThrow('exists already');
    await expect(write(join(folder, 'no', 'folder'))).rejects.toThrow('cannot be written: there is no such file or folder');
    const path = join(folder, 'b.guichet');
    await writeFile(`${path}.part`, 'half');
    const writer = await ArchiveWriter.create(path, passphrase, 2);
    await writer.add('one', bodies[1]!);
    await writer.abandon();
    expect((await readdir(folder)).toSorted()).toEqual(['a.guichet', 'changed']);
    await write(path);
    expect(await read(path)).toEqual(hex(bodies));
  });
});
