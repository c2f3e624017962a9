import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itInLongRuns } from '../support/long-run.js';
import { eventually } from '../support/eventually.js';
import { HolderLinks } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { newEvent, newTickets } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'guichet-pictures-'));
  test = await startTestApp({ environment: { WORKER: 'separate', TRUSTED_PROXIES: '127.0.0.1', DATA_DIR: dataDir } });
  venue = await test.newTenant();
});
afterAll(async () => {
  await test.close();
  await rm(dataDir, { recursive: true });
});

const get = (path: string, from: string) => test.on(venue).get(path).set('X-Forwarded-For', from).responseType('blob');
const pictureOf = async (slug: string): Promise<Buffer> =>
  (await get(`/event/${slug}.png?language=en`, '192.0.2.1').expect(200)).body as Buffer;
const folder = (): string => join(dataDir, 'share-pictures', venue.id);

describe('many requests for pictures of events', () => {
  itInLongRuns('fill a queue of their own: holders of tickets get their PDF meanwhile', async () => {
    const event = await newEvent(test, venue);
    const [ticket] = await newTickets(test, venue, { event });
    const path = await test.inside(venue, async () => test.app.get(HolderLinks).pathTo({ reservationId: ticket!.reservationId }, 0));
    const slugs: string[] = [];
    for (let index = 0; index < 15; index += 1) slugs.push((await newEvent(test, venue, { name: `Night ${index}` })).slug);
    const statuses: number[] = [];
    const flood = slugs
      .flatMap((slug) => ['en', 'fr', 'de', 'es'].map((language) => `/event/${slug}.png?language=${language}`))
      .map((picture, index) => get(picture, `198.51.100.${index}`).then(({ status }) => statuses.push(status)));
    await eventually(() => expect(statuses).toContain(503), { timeout: 20_000 });
    const { headers } = await get(`${path}/tickets.pdf`, '203.0.113.1').expect(200);
    expect(headers['content-type']).toBe('application/pdf');
    // The PDF did not wait for the pictures.
    expect(statuses.length).toBeLessThan(flood.length);
    await Promise.all(flood);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});

describe('a picture that was drawn', () => {
  it('is not drawn again, also not after a start of the server', async () => {
    const { slug } = await newEvent(test, venue, { name: 'The long night' });
    // Drawing the first picture makes the folder.
    const before = new Set(await readdir(folder()).catch(() => []));
    const drawn = await pictureOf(slug);
    const [name, ...others] = (await readdir(folder())).filter((one) => !before.has(one));
    expect([await readFile(join(folder(), name!)), others]).toEqual([drawn, []]);
    // A drawing would be another one.
    const other = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await writeFile(join(folder(), name!), other);
    expect(await pictureOf(slug)).toEqual(other);
    const { database, settings } = test;
    const second = await startTestApp({ database, environment: { WORKER: 'separate', DATA_DIR: settings.dataDir } });
    const { body } = await second.on(venue).get(`/event/${slug}.png?language=en`).responseType('blob').expect(200);
    await second.close();
    expect(body).toEqual(other);
  });
});
