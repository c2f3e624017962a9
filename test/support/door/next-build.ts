import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DoorAppService } from '#scan';
import { DoorApp, type FileList } from '../../../libs/scan/src/app/door-app.js';
import { ContactService } from '../../../libs/scan/src/contact/contact.service.js';
import type { TestApp } from '../test-app.js';

/**
 * Makes the build of the scanner app that follows another one: another version, so other scripts, page and service worker, while the other
 * files stay; like a release that changed one line.
 * @param from folder of the build before @param to folder of the next one, which does not exist yet @param version 12 characters
 */
export async function makeNextBuild(from: string, to: string, version: string): Promise<void> {
  await cp(from, to, { recursive: true });
  const list = JSON.parse(await readFile(join(from, 'assets.json'), 'utf8')) as FileList;
  const texts = new Map<string, string>();
  for (const { file } of list.files.filter((one) => /\.(?:js|html)$/.test(one.file)))
    texts.set(file, await readFile(join(from, file), 'utf8'));
  const hashed = list.files.filter(({ file, immutable }) => immutable && texts.has(file)).map(({ file }) => file);
  // What names the version has another name, and so has what names such a file.
  const names = new Map<string, string>();
  for (let known = -1; known < names.size;) {
    known = names.size;
    for (const file of hashed) {
      const text = texts.get(file) as string;
      if (names.has(file) || ![list.version, ...names.keys()].some((word) => text.includes(word))) continue;
      names.set(file, file.replace(/\.\w+(?=\.\w+$)/, `.${createHash('sha256').update(`${file} ${version}`).digest('hex').slice(0, 12)}`));
    }
  }
  const renewed = (text: string): string => {
    let next = text.replaceAll(list.version, version);
    for (const [before, now] of names) next = next.replaceAll(before, now);
    return next;
  };
  for (const file of [...names.keys(), 'index.html', 'sw.js'])
    await writeFile(join(to, names.get(file) ?? file), renewed(texts.get(file) as string));
  const isWritten = (file: string): boolean => names.has(file) || file === 'index.html' || file === 'sw.js';
  const files = list.files.map((one) => (isWritten(one.file) ? { ...one, file: names.get(one.file) ?? one.file, compressed: false } : one));
  const previous = [...list.previous, ...list.files.filter(({ file }) => names.has(file))];
  await writeFile(join(to, 'assets.json'), JSON.stringify({ version, files, previous }));
}

/** The server hands out this build from now on, as after its restart with a new release. */
export function deploy(test: TestApp, folder: string): string {
  const app = DoorApp.read(folder);
  Object.assign(test.app.get(DoorAppService), { read: app });
  Object.assign(test.app.get(ContactService), { newest: Promise.resolve(app.version) });
  return app.version;
}
