import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DoorAppService } from '#scan';
import { DoorApp } from '../../../libs/scan/src/app/door-app.js';
import { ContactService } from '../../../libs/scan/src/contact/contact.service.js';
import type { TestApp } from '../test-app.js';

interface Listed {
  readonly file: string;
  readonly type: string;
  readonly immutable: boolean;
  readonly compressed: boolean;
}

interface List {
  readonly version: string;
  readonly files: readonly Listed[];
  readonly previous: readonly Listed[];
}

/**
 * Makes the build of the scanner app that follows another one: another version, so another script, page and service worker, while the
 * other files stay; like a release that changed one line.
 * @param from folder of the build before @param to folder of the next one, which does not exist yet @param version 12 characters
 */
export async function makeNextBuild(from: string, to: string, version: string): Promise<void> {
  await cp(from, to, { recursive: true });
  const list = JSON.parse(await readFile(join(from, 'assets.json'), 'utf8')) as List;
  const text = (file: string): Promise<string> => readFile(join(from, file), 'utf8');
  const named = (pattern: RegExp): string => list.files.find(({ file }) => pattern.test(file))?.file as string;
  const fresh = (file: string, content: string): string =>
    file.replace(/\.\w{12}\./, `.${createHash('sha256').update(content).digest('hex').slice(0, 12)}.`);
  const [script, page] = [named(/^app\.\w+\.js$/), named(/^index\.\w+\.html$/)];
  const code = (await text(script)).replaceAll(list.version, version);
  const nextScript = fresh(script, code);
  const shell = (await text(page)).replaceAll(script, nextScript);
  const nextPage = fresh(page, shell);
  const worker = (await text('sw.js')).replaceAll(list.version, version).replaceAll(script, nextScript).replaceAll(page, nextPage);
  const written = { [nextScript]: code, [nextPage]: shell, 'index.html': shell, 'sw.js': worker };
  for (const [file, content] of Object.entries(written)) await writeFile(join(to, file), content);
  const files = list.files.map((one) => {
    const file = one.file === script ? nextScript : one.file === page ? nextPage : one.file;
    return file in written ? { ...one, file, compressed: false } : one;
  });
  const previous = [...list.previous, ...list.files.filter(({ file }) => file === script || file === page)];
  await writeFile(join(to, 'assets.json'), JSON.stringify({ version, files, previous }));
}

/** The server hands out this build from now on, as after its restart with a new release. */
export function deploy(test: TestApp, folder: string): string {
  const app = DoorApp.read(folder);
  Object.assign(test.app.get(DoorAppService), { read: app });
  Object.assign(test.app.get(ContactService), { newest: Promise.resolve(app.version) });
  return app.version;
}
