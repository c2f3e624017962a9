import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OnSaleService, TicketsService } from '#tickets';
import { readSettings, venueDayOf, venueDayStartSql } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let device: PairedDevice;
let running: Awaited<ReturnType<typeof newEvent>>;
let over: Awaited<ReturnType<typeof newEvent>>;

/** Three days, which differs enough from the default to show in every list whether the setting is used. */
const eventMinutes = 3 * 24 * 60;
const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

beforeAll(async () => {
  test = await startTestApp({ environment: { EVENT_MINUTES: String(eventMinutes) } });
  tenant = await test.newTenant({ timeZone: 'Europe/Paris' });
  authorization = await newKey(test, tenant, 'event:read', 'reservation:write', 'ticket:read');
  device = await newDevice(test, tenant);
  const noEnd = { scanClosesMinutesAfter: 0 };
  running = await newEvent(test, tenant, { ...noEnd, name: 'Running', startsAt: ago(eventMinutes - 60) });
  over = await newEvent(test, tenant, { ...noEnd, name: 'Over', startsAt: ago(eventMinutes + 1500) });
});
afterAll(() => test.close());

const namesOf = (list: unknown): string[] => (list as { name: string }[]).map(({ name }) => name);
const text = async (path: string): Promise<string> => (await test.on(tenant).get(path).buffer(true).expect(200)).text;
const read = async (path: string, as = authorization): Promise<Record<string, unknown>> =>
  (await test.on(tenant).get(path).set('Authorization', as).expect(200)).body as Record<string, unknown>;

describe('an event without an end', () => {
  it('is sold until the end that the setting gives', async () => {
    const book = (event: typeof over) =>
      test
        .on(tenant)
        .post('/api/v2/reservations/')
        .set('Authorization', authorization)
        .send({
          reservationFor: event.id,
          underName: { email: `${randomUUID()}@example.org` },
          reservedTicket: [{ identifier: event.priceId }],
          paymentMethod: 'cash',
        });
    await book(running).expect(201);
    expect((await book(over).expect(409)).body).toMatchObject({ code: 'booking.event_over' });
    expect(namesOf(await test.inside(tenant, () => test.app.get(OnSaleService).events(10)))).toEqual(['Running']);
    const staff = await staffOf(test, tenant);
    const { events } = (await staff.call('get', '/api/dashboard').expect(200)).body as { events: { name: string; sellHref?: string }[] };
    expect(namesOf(events)).toEqual(['Running']);
    expect(events[0]?.sellHref).toBeDefined();
  });

  it('is on the public pages and in the lists until then', async () => {
    for (const path of ['/', '/agenda.rss']) {
      const page = await text(path);
      expect([path, page.includes('Running'), page.includes('Over')]).toEqual([path, true, false]);
    }
    const offers = async (slug: string): Promise<boolean> => /schema\.org\/InSt(?:ock|oreOnly)/.test(await text(`/event/${slug}`));
    expect([await offers(running.slug), await offers(over.slug)]).toEqual([true, false]);
    expect(namesOf((await read('/api/v2/events/?only_futur=1'))['results'])).toEqual(['Running']);
    expect(namesOf(await read('/api/events/?only_futur=true'))).toEqual(['Running']);
  });

  it('can be scanned until then, and its scan window is relative to that end', async () => {
    const [open, late] = [await newTicket(test, tenant, { event: running }), await newTicket(test, tenant, { event: over })];
    expect(namesOf((await read('/scan/events/', device.authorization))['results'])).toEqual(['Running']);
    const check = async (code: string): Promise<unknown> =>
      (await test.on(tenant).post('/scan/check_ticket/').set('Authorization', device.authorization).send({ qrcode_data: code }).expect(200))
        .body;
    expect(await check(open.code)).toMatchObject({ may_enter: true });
    expect(await check(late.code)).toMatchObject({ may_enter: false, reason: 'too_late' });
    const today = (await read('/api/ticket/')) as unknown as { uuid: string }[];
    expect(today.map(({ uuid }) => uuid)).toContain(open.id);
    expect(today.map(({ uuid }) => uuid)).not.toContain(late.id);
    const listed = await test.inside(tenant, () => test.app.get(TicketsService).list());
    expect(listed.at(-1)).toMatchObject({ uuid: late.id });
  });

  it('lasts six hours by default, and the setting is in minutes', () => {
    expect(readSettings({}).eventMinutes).toBe(360);
    expect(() => readSettings({ EVENT_MINUTES: '0' })).toThrow('EVENT_MINUTES');
  });
});

describe('the day of a venue', () => {
  it('is the same in SQL and in TypeScript, also when the clocks change', async () => {
    const sql = venueDayStartSql('$1').replaceAll('now()', '$2::timestamptz');
    for (const timeZone of ['Europe/Paris', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu', 'UTC']) {
      for (const day of ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-25', '2026-11-01', '2026-07-14']) {
        for (let minutes = 0; minutes < 1440; minutes += 210) {
          const moment = new Date(Date.parse(`${day}T00:00:00Z`) + minutes * 60_000);
          const [row] = await test.database.query<{ day: string }>(`select to_char((${sql}) at time zone $1, 'YYYY-MM-DD HH24') as day`, [
            timeZone,
            moment,
          ]);
          expect([timeZone, moment.toISOString(), row?.day]).toEqual([
            timeZone,
            moment.toISOString(),
            `${venueDayOf(moment, timeZone)} 04`,
          ]);
        }
      }
    }
  });
});
