import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { HolderLinks } from '#tickets';
import { drawDocument, drawPicture } from '#kernel';
import { qrPicture } from '#panel-kit';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { newEvent, newTickets, type BuiltTicket } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { readPdf } from '../support/read-pdf.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { WORKER: 'separate', TRUSTED_PROXIES: '127.0.0.1' } });
  venue = await test.newTenant();
  staff = await staffOf(test, venue);
  event = await newEvent(test, venue);
});
afterAll(() => test.close());

const [crowd, stranger] = ['192.0.2.1', '2001:db8::1'];

/** The path of the holder's page of these tickets. */
const pathOf = ([first]: readonly BuiltTicket[]): Promise<string> =>
  test.inside(venue, async () => test.app.get(HolderLinks).pathTo({ reservationId: first!.reservationId }, 0));
const newPath = async (count = 1): Promise<string> => pathOf(await newTickets(test, venue, { event, count }));
const get = (path: string, from = crowd) =>
  test
    .on(venue)
    .get(path)
    .set('X-Forwarded-For', from)
    .then((answer) => answer);
const change = (sql: string, values: unknown[]): Promise<unknown> =>
  test.inside(venue, () => test.app.get(TenantDb).transaction((tx) => tx.query(sql, values)));

/** Keeps the readers' only turn for documents and the one for pictures until the work ends. */
async function whileHeld<Result>(work: () => Promise<Result>): Promise<Result> {
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  const drawings = test.inside(venue, () => {
    const document = drawDocument('public', 'held', { id: randomUUID() }, () => held.then(() => Buffer.from('')));
    return Promise.all([document, drawPicture('public', 'held', randomUUID(), () => held.then(() => ''))]);
  });
  try {
    return await work();
  } finally {
    end();
    await drawings;
  }
}

describe('a link that is opened very often at the same time', () => {
  it('takes one place of the queue for its PDF, and staff print meanwhile', async () => {
    const tickets = await newTickets(test, venue, { event, count: 2 });
    const [path, other] = [await pathOf(tickets), await newPath()];
    const answers = await whileHeld(async () => {
      const flood = Array.from({ length: 60 }, () => get(`${path}/tickets.pdf`));
      const holder = get(`${other}/tickets.pdf`);
      const printed = await staff.file(`/files/reservations/${tickets[0]!.reservationId}/print.pdf`).expect(200);
      expect(printed.headers['content-type']).toBe('application/pdf');
      return { flood, holder };
    });
    const statuses = (await Promise.all([...answers.flood, answers.holder])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('cannot refuse holders in other networks, also with many links', async () => {
    const paths = await Promise.all(Array.from({ length: 13 }, () => newPath()));
    const statuses: number[] = [];
    const answers = await whileHeld(async () => {
      const flood = paths.slice(1).map((path) => get(`${path}/tickets.pdf`).then(({ status }) => statuses.push(status)));
      // Ten of a network wait, of twelve.
      await eventually(() => expect(statuses).toEqual([503, 503]), { timeout: 20_000 });
      return { flood, holder: get(`${paths[0]}/tickets.pdf`, stranger) };
    });
    expect((await answers.holder).status).toBe(200);
    await Promise.all(answers.flood);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  });
});

describe('a drawing that is kept', () => {
  it('is answered without a turn while nothing changed, and never after a change', async () => {
    const tickets = await newTickets(test, venue, { event, count: 2 });
    const path = await pathOf(tickets);
    const texts = async (language = 'en'): Promise<string> => {
      const answer = await staffOrReader(path, language);
      return (await readPdf(answer)).pages.map((page) => page.map(({ text }) => text).join(' ')).join('\n');
    };
    const first = await texts();
    expect(first).toContain('Ada Martin');
    expect((await get(path)).text.match(/class="code pass-code"/g)).toHaveLength(2);
    await whileHeld(async () => {
      expect(await texts()).toBe(first);
      expect((await get(path)).text.match(/class="code pass-code"/g)).toHaveLength(2);
    });

    await change(`update ticket set first_name = 'Grace' where id = $1`, [tickets[0]!.id]);
    expect(await texts()).toContain('Grace Martin');
    await change(`update event set name = 'Moved' where id = $1`, [event.id]);
    expect(await texts()).toContain('Moved');
    await change(`update configuration set street_address = 'New Street 5'`, []);
    expect(await texts()).toContain('New Street 5');
    await change(`update reservation set language = 'fr' where id = $1`, [tickets[0]!.reservationId]);
    const french = await texts();
    expect(french).not.toBe(first);
    await change(`update ticket set status = 'R' where id = $1`, [tickets[0]!.id]);
    const left = await texts();
    expect([left.includes('Grace'), left.split('\n')]).toEqual([false, [expect.stringContaining('Ada Martin')]]);
    expect((await get(path)).text.match(/class="code pass-code"/g)).toHaveLength(1);
    await change(`update reservation set link_version = 1 where id = $1`, [tickets[0]!.reservationId]);
    expect((await get(`${path}/tickets.pdf`)).status).toBe(404);
  });

  /** The PDF that the link opens. */
  async function staffOrReader(path: string, language: string): Promise<Buffer> {
    const { body } = await test.on(venue).get(`${path}/tickets.pdf`).set('Accept-Language', language).buffer(true).expect(200);
    return body as Buffer;
  }
});

describe('codes of the panel', () => {
  it('are drawn while the queue of the public pages is full', async () => {
    await whileHeld(async () => {
      const waiting = Array.from({ length: 500 }, (_, index) => `${index}`);
      const full = test.inside(venue, () =>
        Promise.allSettled(waiting.map((text) => drawPicture('public', 'x', text, () => Promise.resolve(text)))),
      );
      const refused = test.inside(venue, () => drawPicture('public', 'x', 'one more', () => Promise.resolve('')));
      await expect(refused).rejects.toThrow('server.busy');
      expect(await test.inside(venue, () => qrPicture(randomUUID()))).toMatch(/^data:image/);
      return { full };
    }).then(async ({ full }) => {
      expect((await full).filter(({ status }) => status === 'fulfilled')).toHaveLength(500);
    });
  });
});
