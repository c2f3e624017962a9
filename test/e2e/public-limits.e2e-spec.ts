import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HolderLinks } from '#tickets';
import { drawDocument } from '#kernel';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { newEvent, newTickets } from '../support/builders.js';
import { blockedBy } from '../support/event-loop.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: { WORKER: 'separate' } });
  [venue, other] = [await test.newTenant(), await test.newTenant()];
});
afterAll(() => test.close());

/** The path of the holder's page of a new reservation. @param count number of valid tickets */
async function holderPath(tenant: TenantIdentity, count: number): Promise<string> {
  const event = await newEvent(test, tenant);
  const [first] = await newTickets(test, tenant, { event, count });
  return test.inside(tenant, async () => test.app.get(HolderLinks).pathTo({ reservationId: first!.reservationId }, 0));
}

describe('a page with 100 codes', () => {
  it('does not block the event loop for longer than 50 ms', async () => {
    const path = await holderPath(venue, 100);
    const { text } = await test.on(venue).get(path).expect(200);
    expect(text.match(/class="code pass-code"/g)).toHaveLength(100);
    // Measured without yielding: more than 150 ms.
    const { status, delay } = await blockedBy({ method: 'GET', port: test.port, path, headers: { Host: venue.host } }, 50, 8);
    expect(status).toBe(200);
    expect(delay).toBeLessThan(50);
  });
});

describe('ticket PDFs that everybody with a link may open', () => {
  it('are drawn one at a time for a tenant, 40 wait, and the next one is 503; another tenant is served meanwhile', async () => {
    const [many, one] = [await holderPath(venue, 2), await holderPath(other, 1)];
    let end: () => void = () => undefined;
    const held = new Promise<Buffer>((resolve) => (end = () => resolve(Buffer.from(''))));
    const draw = (_: unknown, id: number): Promise<Buffer> => drawDocument('public', 'test', { id }, () => held);
    const drawings = test.inside(venue, async () => Promise.all(Array.from({ length: 41 }, draw)));
    try {
      const { headers, text } = await test.on(venue).get(`${many}/tickets.pdf`).expect(503);
      expect(headers['retry-after']).toBe('5');
      expect(text).toContain('Try again in 5 seconds.');
      await test.on(other).get(`${one}/tickets.pdf`).expect(200);
    } finally {
      end();
    }
    await drawings;
    await test.on(venue).get(`${many}/tickets.pdf`).expect(200);
  });
});

describe('public lists of events', () => {
  /** Creates events of the venue with descriptions that need cleaning. */
  const fill = (count: number): Promise<unknown> =>
    test.inside(venue, () =>
      test.app.get(TenantDb).transaction((tx) =>
        tx.query(
          `insert into event (id, name, slug, category, starts_at, capacity, short_description, published)
           select gen_random_uuid(), 'Concert '||n, 'concert-'||n, 'LIV', now() + n * interval '3 hours', 50,
             n || repeat(' A <b>short</b> description.', 12), true from generate_series(1, $1) n`,
          [count],
        ),
      ),
    );
  const rename = (): Promise<unknown> =>
    test.inside(venue, () =>
      test.app.get(TenantDb).transaction((tx) => tx.query(`update event set name = name || '.' where slug = 'concert-1'`)),
    );

  it('are made in slices: no new version blocks the event loop for longer than 50 ms', async () => {
    await fill(500);
    const headers = { Host: venue.host };
    const longest: Record<string, number> = {};
    for (const path of ['/', '/agenda.ics', '/agenda.rss', '/api/events/']) {
      await test.on(venue).get(path).expect(200);
      longest[path] = Infinity;
      for (let attempt = 0; attempt < 8 && longest[path] > 50; attempt += 1) {
        await rename();
        const { delay } = await blockedBy({ method: 'GET', port: test.port, path, headers }, 50, 1);
        longest[path] = Math.min(longest[path], delay);
      }
    }
    // Measured without the slices: 80 to 880 ms.
    expect(Object.entries(longest).filter(([, delay]) => delay > 50)).toEqual([]);
  });

  it('show a change at once, and are not made again without one', async () => {
    for (const path of ['/', '/agenda.ics', '/agenda.rss']) {
      const { headers, text } = await test.on(venue).get(path).expect(200);
      const again = await test.on(venue).get(path).expect(200);
      expect([again.headers['etag'], again.text]).toEqual([headers['etag'], text]);
      await test.on(venue).get(path).set('If-None-Match', headers['etag']!).expect(304);
      await rename();
      const changed = await test.on(venue).get(path).set('If-None-Match', headers['etag']!).expect(200);
      expect(changed.text).not.toBe(text);
    }
  });

  it('wait in the queue of their tenant: another tenant is served meanwhile, and what is too much gets 503', async () => {
    const network = await test.newTenant({ category: 'M' });
    const locker = new pg.Client({ connectionString: await test.database.urlOf(network) });
    await locker.connect();
    await locker.query(`begin; lock table "${network.schemaName}".configuration in access exclusive mode`);
    const ask = (index: number) =>
      test
        .on(network)
        .get(`/agenda.json?q=word${index}`)
        .then((answer) => answer);
    const flood = Array.from({ length: 70 }, (_, index) => ask(index));
    try {
      // Three states are read, 60 of one client network wait.
      const refused = await Promise.race(flood);
      expect([refused.status, refused.headers['retry-after'], refused.body.code]).toEqual([503, '5', 'server.busy']);
      await test.on(other).get('/').expect(200);
    } finally {
      await locker.query('rollback');
      await locker.end();
    }
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(63);
  });
});
