import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DeviceCareService } from '#scan';
import { newTicket, newTickets } from '../builders.js';
import { newTeamCode } from '../team-codes.js';
import { until } from '../until.js';
import type { DoorVenue } from './door-venue.js';
import type { Exchange, Protocol, Step, StoredEntry } from '../../../apps/door/src/core/testing/recording.js';

/** The members of the engine that the recording uses. Its types need those of a browser, which tests do not have. */
interface Engine {
  readonly state: { readonly phase: string; readonly network: { readonly kind: string; readonly unsent: number } };
  readonly door: {
    readonly db: { read(stores: readonly string[], work: (tx: Reading) => Promise<unknown>): Promise<unknown> };
    readonly dataVault: Vault;
    readonly journalVault: Vault;
  };
  start(): Promise<void>;
  pair(code: string, label: string): Promise<void>;
  open(event: string, gate: string): Promise<void>;
  scan(code: string, source: string): Promise<{ scanId: string; verdict: string; reason: string | null }>;
  admit(scanId: string): Promise<unknown>;
  admitGroup(scanId: string, tickets: number): Promise<unknown>;
  undo(scanId: string): Promise<void>;
  search(words: string): Promise<unknown>;
  wake(): void;
  stop(): Promise<void>;
}
interface Vault {
  open(sealed: unknown): Promise<string | null>;
}
interface Reading {
  objectStore(name: string): { getAllKeys(): Promise<string[]>; getAll(): Promise<unknown[]> };
}
interface Asked {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
}
type Fetch = (path: string, init: Asked) => Promise<Response>;

/** Whether this exchange is one more of a kind that the recording has. */
const kindOf = ({ method, path, status }: Exchange): string =>
  `${method} ${path.replace(/after=[^&]+&wait=\d+/, 'after')} ${status === 204 ? 204 : ''}`;

/**
 * Records an evening of the app in this source tree with the server in it, into `test/support/door/protocol-<version>.json`. Recorded
 * once per version of the protocol: later apps and servers have to go on with it.
 */
export async function recordProtocol(door: DoorVenue, version: number): Promise<void> {
  const { test, tenant, event, gates } = door;
  const browserStorage: string = 'fake-indexeddb/auto';
  await import(browserStorage);
  const source: string = resolve('apps/door/src/core/index.ts');
  const { createEngine } = (await import(source)) as { createEngine: (given: object) => Engine };
  const steps: Step[] = [];
  let isCut = false;
  const fetched: Fetch = async (path, { method, headers, body, signal }) => {
    if (isCut) throw new TypeError('no network');
    // Nothing changes at this moment: the request would wait.
    if (path.includes('wait=25'))
      return new Promise<never>((_, failed) => {
        signal.addEventListener('abort', () => failed(new DOMException('Aborted', 'AbortError')));
      });
    const asked = test.on(tenant)[method === 'GET' ? 'get' : 'post'](path).set(headers).buffer(true);
    const { status, text } = await (body === undefined ? asked : asked.send(body));
    const answer: unknown = text ? JSON.parse(text) : null;
    const exchange = { method: method as 'GET', path, authorization: headers['Authorization'] ?? null, body: body ?? null, status, answer };
    const isKnown = steps.some((one) => 'path' in one && kindOf(one) === kindOf(exchange));
    const isRepeated = /contact|events|names|keys/.test(path) || path.includes('pack');
    if (status < 300 && status !== 204 && !(isKnown && isRepeated)) steps.push(exchange);
    return new Response(status === 204 ? null : text, { status });
  };
  const { code: teamCode } = await newTeamCode(test, tenant, { role: 'supervisor', name: 'Main door' });
  const own = await Promise.all([0, 1, 2].map(() => newTicket(test, tenant, { event })));
  const group = await newTickets(test, tenant, { event, count: 3 });
  const engine = createEngine({ database: `protocol-${version}`, fetch: fetched, appVersion: 'protocol' });
  await engine.start();
  await engine.pair(teamCode, 'Pixel 7');
  await engine.open(event.id, gates.main);
  await until(
    () => engine.state.network.kind,
    (kind) => kind === 'live',
  );
  await until(
    () => steps.filter((one) => 'path' in one).map(({ path }) => path),
    (paths) => paths.some((path) => path.startsWith('/scan/names/')),
  );
  const first = await engine.scan(own[0]!.code, 'camera');
  await engine.undo(first.scanId);
  await engine.search('Martin');
  await engine.scan(own[0]!.code, 'camera');
  steps.push({ does: 'sell' });
  const late = await newTicket(test, tenant, { event });
  isCut = true;
  engine.wake();
  await until(
    () => engine.state.network.kind,
    (kind) => kind === 'offline',
  );
  const codes = [...own, ...group, late].map(({ code }) => code);
  const decided: { code: number; verdict: string; reason: string | null }[] = [];
  const decide = async (code: number): Promise<string> => {
    const { scanId, verdict, reason } = await engine.scan(codes[code]!, 'camera');
    decided.push({ code, verdict, reason });
    return scanId;
  };
  await decide(1);
  await engine.undo(await decide(2));
  await engine.admitGroup(await decide(3), 2);
  await engine.admit(await decide(6));
  const stored = await contentsOf(engine);
  const now = Date.now();
  isCut = false;
  engine.wake();
  await until(
    () => engine.state.network.unsent,
    (unsent) => unsent === 0,
  );
  await until(
    () => steps.filter((one) => 'path' in one).map(({ path }) => path),
    (paths) => paths.some((path) => path.includes('after=')),
  );
  isCut = true;
  engine.wake();
  await until(
    () => engine.state.network.kind,
    (kind) => kind === 'offline',
  );
  await decide(2);
  steps.push({ does: 'wipe' });
  const [device] = await test.database.query<{ id: string }>(
    `select id from "${tenant.schemaName}".scanning_device where name like 'Main door%'`,
  );
  await test.inside(tenant, () => test.app.get(DeviceCareService).wipe(device!.id));
  isCut = false;
  engine.wake();
  await until(
    () => steps.filter((one) => 'path' in one).map(({ path }) => path),
    (paths) => paths.includes('/scan/quarantine/'),
  );
  await engine.stop();
  const protocol: Protocol = { now, event: event.id, gate: gates.main, teamCode, codes, steps, decided: decided.slice(0, 4), stored };
  await writeFile(`test/support/door/protocol-${version}.json`, `${JSON.stringify(protocol, null, 2)}\n`);
}

const stores = ['keys', 'files', 'deltas', 'entries', 'tail', 'intents'];

/** Everything that the phone has stored, decrypted. */
async function contentsOf({ door }: Engine): Promise<Protocol['stored']> {
  const read = async <Value = unknown>(store: string): Promise<[key: string, value: Value][]> =>
    (await door.db.read([store], async (tx) => {
      const [keys, values] = [await tx.objectStore(store).getAllKeys(), await tx.objectStore(store).getAll()];
      return keys.map((key, at) => [key, values[at]]);
    })) as [string, Value][];
  const open = async (sealed: unknown, vault: Vault): Promise<unknown> => JSON.parse((await vault.open(sealed)) as string);
  const data: Record<string, unknown> = {};
  const journal: Record<string, unknown> = {};
  for (const [name, sealed] of await read('files')) {
    const opened = await door.dataVault.open(sealed);
    if (opened === null) journal[name] = await open(sealed, door.journalVault);
    else data[name] = JSON.parse(opened);
  }
  const entries = await read<Pick<StoredEntry, 'n' | 'settled'>>('entries');
  return {
    stores,
    data,
    journal,
    deltas: await Promise.all((await read('deltas')).map(([, sealed]) => open(sealed, door.dataVault))),
    entries: await Promise.all(
      entries.map(async ([, sealed]) => {
        const content = (await open(sealed, door.journalVault)) as StoredEntry['content'];
        return { n: sealed.n, settled: sealed.settled, content };
      }),
    ),
    intents: Object.fromEntries(
      await Promise.all((await read('intents')).map(async ([id, sealed]) => [id, await open(sealed, door.dataVault)] as const)),
    ),
    tail: (await read('tail'))[0]?.[1] ?? null,
  };
}
