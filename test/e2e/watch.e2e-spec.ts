import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const copied = ['apps', 'libs', 'locales', 'scripts', 'dist/door', 'dist/panel', 'package.json', 'tsconfig.json', 'nest-cli.json'];

let folder: string;
let port: number;
let database: TestDatabase;
let watcher: ChildProcess;
let output = '';

/** Copies the sources to a folder inside the checkout, so that packages are found in its node_modules and the checkout is not changed. */
beforeAll(async () => {
  if (byHand) return;
  folder = await mkdtemp(join(root, '.guichet-watch-'));
  for (const name of copied) await cp(join(root, name), join(folder, name), { recursive: true });
  writeFileSync(
    join(folder, 'tsconfig.build.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['apps/server', 'libs'], exclude: ['**/*.spec.ts'] }),
  );
  database = await createTestDatabase();
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  ({ port } = free.address() as AddressInfo);
  free.close();
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  watcher = spawn('npm', ['run', 'dev'], {
    cwd: folder,
    env: {
      ...inherited,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DEMO: 'off',
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      SERVER_SECRET: 'a secret for the test of the watch mode',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, because npm starts the CLI, which starts the server.
    detached: true,
  });
  watcher.stdout?.on('data', (part: Buffer) => (output += part.toString()));
  watcher.stderr?.on('data', (part: Buffer) => (output += part.toString()));
}, 120_000);
afterAll(async () => {
  if (byHand) return;
  if (watcher.exitCode === null && watcher.signalCode === null) {
    process.kill(-(watcher.pid as number), 'SIGTERM');
    await once(watcher, 'exit');
  }
  await database.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}, 60_000);

/** Waits until the output since `from` contains the text. */
async function untilPrinted(text: string, from: number): Promise<void> {
  for (let round = 0; round < 2400; round += 1) {
    if (output.slice(from).includes(text)) return;
    if (watcher.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`“${text}” was not printed:\n${output}`);
}

function edit(name: string, change: (text: string) => string): void {
  const file = join(folder, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const get = (path: string): supertest.Test => supertest(`http://127.0.0.1:${port}`).get(path).set('Host', `localhost:${port}`);
const robots = async (): Promise<string> => (await get('/robots.txt').expect(200)).text;

// Compiling the whole program takes two minutes of a test run: WATCH=on npm test -- watch.
const byHand = process.env['WATCH'] !== 'on';
if (byHand) process.stderr.write('watch: skipped, because it compiles the whole program; WATCH=on npm test -- watch\n');

describe('npm run dev', () => {
  (byHand ? it.skip : it)(
    'compiles, starts, and restarts with a changed lib, never with a type error, and with a changed asset',
    async () => {
      const lib = 'libs/pages/src/agenda/crawlers.controller.ts';
      await untilPrinted('Guichet is ready', 0);
      expect(await robots()).toContain('Disallow: /admin');

      let from = output.length;
      edit(lib, (text) => text.replace("'Disallow: /scan'", "'Disallow: /scan', 'Disallow: /changed'"));
      await untilPrinted('Guichet is ready', from);
      expect(await robots()).toContain('Disallow: /changed');

      from = output.length;
      edit(lib, (text) => `${text}\nexport const wrong: number = 'text';\n`);
      await untilPrinted('TS2322', from);
      await untilPrinted('Found 1 error', from);
      expect(output.slice(from)).not.toContain('Stopping');
      expect(await robots()).toContain('Disallow: /changed');

      from = output.length;
      edit('libs/panel-kit/src/assets/10-page.css', (text) => `${text}\n.only-in-this-test { color: red; }\n`);
      edit(lib, (text) => text.replace(/\nexport const wrong.*\n/, '').replace('/changed', '/mended'));
      await untilPrinted('Guichet is ready', from);
      expect(await robots()).toContain('Disallow: /mended');
      const page = await get('/admin/login').expect(200);
      const sheet = /\/admin\/assets\/panel\.\w+\.css/.exec(page.text)?.[0] as string;
      expect((await get(sheet).expect(200)).text).toContain('only-in-this-test');
    },
    600_000,
  );
});
