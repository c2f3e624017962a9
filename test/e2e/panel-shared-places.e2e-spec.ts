import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { SeriesPoolsService } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { newSeries } from '../support/series.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let staff: PanelClient;
let seriesId: string;
/** Two dates with 20 places each, which begin now. */
let dates: readonly { readonly id: string }[];

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ language: 'en' });
  staff = await staffOf(test, tenant);
});
beforeEach(async () => {
  const beginning = [0, 1].map((seconds) => ({ startsAt: new Date(Date.now() + seconds * 1000), endsAt: null }));
  const made = await newSeries(test, tenant, beginning, { amount: '0.00' });
  dates = made.dates;
  const [row] = await sql<{ id: string }>('select id from event_series where slug = $1', [made.slug]);
  seriesId = row!.id;
  for (const { id } of dates) await book(test, tenant, { id, priceId: made.priceId }, { quantity: 2, confirmed: true });
});
afterAll(() => test?.close());

const sql = <Row>(text: string, values: unknown[]): Promise<Row[]> =>
  test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));
const share = (capacity: number | null): Promise<boolean> =>
  test.inside(tenant, () => test.app.get(SeriesPoolsService).setCapacity(seriesId, capacity));

it('are set by staff at each date of the series', async () => {
  const form = await staff.look('events', dates[0]!.id, 'sharedPlaces');
  expect(JSON.stringify(form)).toContain('Booked so far: 4, for 2 dates.');
  await staff.act('events', dates[0]!.id, 'sharedPlaces', { capacity: '7' });
  expect(await sql('select capacity from event_series where id = $1', [seriesId])).toEqual([{ capacity: 7 }]);
  expect(JSON.stringify(await staff.act('events', dates[0]!.id, 'sharedPlaces', { capacity: 'many' }))).toContain('capacity');
  await staff.act('events', dates[0]!.id, 'sharedPlaces', { capacity: '' });
  expect(await sql('select capacity, booked from event_series where id = $1', [seriesId])).toEqual([{ capacity: null, booked: 0 }]);
});

it('say what is left of them where that is less than what a date has left of its own', async () => {
  const [{ id }, other] = dates as [{ id: string }, { id: string }];
  const seen = async (): Promise<unknown[]> => {
    const listed = (await staff.list('events', { 'filters.search': id })).records?.[0]?.params['filled'];
    const { record } = await staff.look('events', id);
    const shown = record!.params['filled'];
    const besides = record!.params['dates.items.0.details'];
    const { events } = (await staff.call('get', '/api/dashboard').expect(200)).body as {
      events: { id: string; sharedLeft: string | null }[];
    };
    return [listed, shown, besides, ...[id, other.id].map((one) => events.find((event) => event.id === one)?.sharedLeft)];
  };
  expect(await seen()).toEqual(['2 / 20', '2 / 20', '2 / 20', null, null]);
  await share(100);
  expect(await seen()).toEqual(['2 / 20', '2 / 20', '2 / 20', null, null]);
  await share(7);
  const left = '3 places left in the series';
  expect(await seen()).toEqual([`2 / 20 · ${left}`, `2 / 20 · ${left}`, `2 / 20 · ${left}`, left, left]);
  await share(3);
  expect((await seen())[0]).toBe('2 / 20 · 0 places left in the series');
  await staff.act('events', id, 'sharedPlaces', { capacity: '' });
  expect((await seen())[0]).toBe('2 / 20');
});
