import { request } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { TenantIdentity } from '#tenancy';
import { ListAnswersService } from '../../libs/pages/src/event-lists/list-answers.service.js';
import { newEvent } from '../support/builders.js';
import { joinNetwork } from '../support/federation.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let network: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: { WORKER: 'separate', TRUSTED_PROXIES: '127.0.0.1' } });
  [venue, network] = [await test.newTenant(), await test.newTenant({ category: 'M' })];
  await newEvent(test, venue);
  await joinNetwork(test, network, venue);
});
afterAll(() => test.close());

const [flooder, reader] = ['192.0.2.1', '2001:db8::1'];
const get = (path: string, from: string, tenant = venue) =>
  test
    .on(tenant)
    .get(path)
    .set('X-Forwarded-For', from)
    .then((answer) => answer);
const dates = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `/?from=${new Date(Date.UTC(2030, 0, index + 1)).toISOString().slice(0, 10)}`);

/** No state of a list of the venue is read until the work ends. */
async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const locker = new pg.Client({ connectionString: test.database.url });
  await locker.connect();
  await locker.query(`begin; lock table "${venue.schemaName}".configuration in access exclusive mode`);
  try {
    return await work();
  } finally {
    await locker.query('rollback');
    await locker.end();
  }
}

describe('public lists', () => {
  it('that are kept are answered while all turns of their tenant make other lists', async () => {
    const paths = [
      ...['/', '/agenda.ics', '/agenda.rss', '/sitemap.xml'].map((path) => [venue, path] as const),
      ...['/', '/agenda.json', '/places', '/sitemap.xml'].map((path) => [network, path] as const),
    ];
    const texts = await Promise.all(paths.map(async ([tenant, path]) => (await get(path, reader, tenant)).text));
    expect(texts[3]).toContain('/event/');
    expect(texts[6]).toContain(venue.name);
    let end: (body: string) => void = () => undefined;
    const held = new Promise<string>((resolve) => (end = resolve));
    const answers = test.app.get(ListAnswersService);
    const making = [venue, network].flatMap((tenant) =>
      ['a', 'b'].map((tag) =>
        test.inside(tenant, async () => (await answers.answer({ key: tag, state: async () => ({ tag }), make: () => held })).body()),
      ),
    );
    try {
      for (const [index, [tenant, path]] of paths.entries()) expect((await get(path, reader, tenant)).text).toBe(texts[index]);
    } finally {
      end('made');
    }
    expect(await Promise.all(making)).toEqual(Array(4).fill('made'));
  });

  it('show a change at once: the sitemap and the places, too', async () => {
    const [sitemap, places] = [await get('/sitemap.xml', reader), await get('/places', reader, network)];
    for (const [tenant, path, { headers }] of [[venue, '/sitemap.xml', sitemap] as const, [network, '/places', places] as const])
      await test.on(tenant).get(path).set('If-None-Match', headers['etag']!).expect(304);
    const { slug } = await newEvent(test, venue, { name: 'Added' });
    const changed = await test.on(venue).get('/sitemap.xml').set('If-None-Match', sitemap.headers['etag']!).expect(200);
    expect(changed.text).toContain(slug);
    const counted = await test.on(network).get('/places').set('If-None-Match', places.headers['etag']!).expect(200);
    expect(counted.text).not.toBe(places.text);
    // The page is kept for all readers: nothing of one reader's address is in it.
    expect((await get('/places?secret=1', reader, network)).text).toBe(counted.text);
  });

  it('with many dates fill only a part of the queue for one client network', async () => {
    const statuses: number[] = [];
    const { flood, read } = await whileLocked(async () => {
      // Three are read, sixty of a network wait.
      const flooding = dates(70).map((path) => get(path, flooder).then(({ status }) => statuses.push(status)));
      await eventually(() => expect(statuses).toEqual(Array(7).fill(503)), { timeout: 20_000 });
      const reading = [get('/', reader), get('/agenda.ics', reader)];
      expect((await get('/', flooder, network)).status).toBe(200);
      return { flood: flooding, read: reading };
    });
    expect((await Promise.all(read)).map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(flood);
    expect(statuses.filter((status) => status === 200)).toHaveLength(63);
  });

  it('leave the queue when their readers are gone', async () => {
    let closed = 0;
    let refused = 0;
    const server = test.app.getHttpServer();
    const count = (_: unknown, response: NodeJS.EventEmitter): unknown => response.once('close', () => (closed += 1));
    server.on('request', count);
    const after = await whileLocked(async () => {
      const headers = { Host: venue.host, 'X-Forwarded-For': flooder };
      const sent = dates(70).map((path) =>
        request({ host: '127.0.0.1', port: test.port, path, headers, agent: false })
          .on('response', (answer) => (refused += answer.resume().statusCode === 503 ? 1 : 0))
          .on('error', () => undefined)
          .end(),
      );
      // All others wait.
      await eventually(() => expect(refused).toBe(7), { timeout: 20_000 });
      for (const one of sent) one.destroy();
      await eventually(() => expect(closed).toBe(70), { timeout: 20_000 });
      return { answer: get('/agenda.rss', flooder) };
    });
    server.off('request', count);
    expect((await after.answer).status).toBe(200);
  });
});
