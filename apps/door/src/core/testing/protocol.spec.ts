import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEngine, type Engine } from '../index.js';
import { readProtocol, type Protocol } from './recording.js';
import { until } from './until.js';

/** Recordings of earlier versions of the app (`recording.ts`): phones hold their data, and servers their answers. */
const versions = [1];

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});

/** A server that answers as recorded, to a phone at the time of the recording. */
function phoneOf({ steps, now }: Protocol, database: string): { engine: Engine; cut: (isCut: boolean) => void; sent: string[] } {
  const exchanges = steps.filter((step) => 'path' in step);
  let isCut = false;
  const sent: string[] = [];
  const shift = now - Date.now();
  const engine = createEngine({
    database,
    wall: () => Date.now() + shift,
    fetch: async (path, init) => {
      if (isCut) throw new TypeError('no network');
      const plain = String(path).split('?')[0];
      if (typeof init?.body === 'string') sent.push(init.body);
      if (String(path).includes('after=')) return new Response(null, { status: 204 });
      const found = exchanges.find((one) => one.path.split('?')[0] === plain && one.method === init?.method);
      return new Response(JSON.stringify(found?.answer ?? { code: 'route.unknown' }), { status: found?.status ?? 404 });
    },
  });
  engines.push(engine);
  return {
    engine,
    sent,
    cut: (cut) => {
      isCut = cut;
      engine.wake();
    },
  };
}

/** Writes a database as the app of the recording left it, without any code of the app in this source tree. */
async function restore({ stored }: Protocol, name: string): Promise<void> {
  const key = (): Promise<CryptoKey> => crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const keys = { data: await key(), journal: await key() };
  const seal = async (content: unknown, by: CryptoKey): Promise<object> => {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, by, new TextEncoder().encode(JSON.stringify(content))) };
  };
  const rows: [store: string, key: IDBValidKey, value: unknown][] = [
    ['keys', 'data', keys.data],
    ['keys', 'journal', keys.journal],
    ['tail', 'tail', stored.tail],
  ];
  for (const [file, content] of Object.entries(stored.data)) rows.push(['files', file, await seal(content, keys.data)]);
  for (const [file, content] of Object.entries(stored.journal)) rows.push(['files', file, await seal(content, keys.journal)]);
  for (const [at, delta] of stored.deltas.entries()) rows.push(['deltas', at + 1, await seal(delta, keys.data)]);
  for (const [id, intent] of Object.entries(stored.intents)) rows.push(['intents', id, await seal(intent, keys.data)]);
  for (const { n, settled, content } of stored.entries) rows.push(['entries', n, { ...(await seal(content, keys.journal)), n, settled }]);
  await new Promise<void>((done, failed) => {
    const opening = indexedDB.open(name, 1);
    opening.addEventListener('upgradeneeded', () => {
      for (const store of stored.stores) opening.result.createObjectStore(store);
    });
    opening.addEventListener('success', () => {
      const tx = opening.result.transaction([...stored.stores], 'readwrite');
      for (const [store, at, value] of rows) tx.objectStore(store).put(value, at);
      tx.addEventListener('complete', () => {
        opening.result.close();
        done();
      });
      tx.addEventListener('error', () => failed(tx.error));
    });
  });
}

describe.each(versions)('version %i of the protocol', (version) => {
  const recording = readProtocol(version);

  it('has answers that this app understands, and tickets that it decides about in the same way', async () => {
    const { engine, cut } = phoneOf(recording, `answers-${crypto.randomUUID()}`);
    await engine.start();
    await engine.pair(recording.teamCode);
    await engine.open(recording.event, recording.gate);
    await until(() => engine.state.network.kind === 'live');
    expect(engine.state).toMatchObject({ phase: 'open', role: 'supervisor', gate: { id: recording.gate }, event: { id: recording.event } });
    cut(true);
    await until(() => engine.state.network.kind === 'offline');
    for (const { code, verdict, reason } of recording.decided) {
      const result = await engine.scan(recording.codes[code]!, 'camera');
      expect([code, result.verdict, result.reason]).toEqual([code, verdict, reason]);
      if (verdict === 'go') expect(result.holder).toMatchObject({ lastName: 'Martin' });
    }
  });

  it('left data on phones with which this app goes on', async () => {
    const name = `stored-${crypto.randomUUID()}`;
    await restore(recording, name);
    const { engine, cut, sent } = phoneOf(recording, name);
    cut(true);
    await engine.start();
    const lines = recording.stored.entries.filter(({ settled }) => !settled).map(({ content }) => content.line);
    expect(lines.length).toBeGreaterThan(3);
    expect(engine.state).toMatchObject({ phase: 'open', event: { id: recording.event }, gate: { id: recording.gate } });
    expect(engine.state.network.unsent).toBe(lines.length);
    // Who came in is inside, who was let in and taken back is not.
    for (const [code, verdicts] of [
      [1, ['stop', 'just']],
      [2, ['go']],
    ] as const) {
      const { verdict } = await engine.scan(recording.codes[code]!, 'camera');
      expect([code, verdict, (verdicts as readonly string[]).includes(verdict)]).toEqual([code, verdict, true]);
    }
    cut(false);
    await until(() => sent.some((body) => body.startsWith('{"lines"')));
    const [batch] = sent.filter((body) => body.startsWith('{"lines"')).map((body) => (JSON.parse(body) as { lines: string[] }).lines);
    expect(batch?.slice(0, lines.length)).toEqual(lines);
  });
});
