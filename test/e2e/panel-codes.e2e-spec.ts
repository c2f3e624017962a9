import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { CodesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { book, newPrice } from '../support/booking.js';
import { saleErrors, soldOf } from '../support/box-office.js';
import { newEvent } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import { recordFaults, type PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  staff = await staffOf(test, tenant);
});
afterAll(() => test.close());

const codes = (): CodesService => test.app.get(CodesService);
const all = async () => (await test.inside(tenant, () => codes().list())).codes;

it('makes a code, shows who used it for what, and changes it', async () => {
  const event = await newEvent(test, tenant);
  const priceId = await newPrice(test, tenant, event.id, { amount: '20.00' });
  const made = await staff.create('codes', {
    code: 'spring-20',
    effect: 'percent',
    value: '20',
    eventId: event.id,
    maxUses: 5,
    reserved: 2,
  });
  expect(recordFaults(made)).toEqual({});
  const [code] = await all();
  expect(code).toMatchObject({ code: 'SPRING-20', value: '20.00', eventIds: [event.id], priceIds: [], maxUses: 5, reserved: 2 });
  const id = code!.id;
  await book(test, tenant, { id: event.id, priceId }, { code: 'SPRING-20', quantity: 2 });
  const shown = await staff.look('codes', id);
  const orders = { 'orders.items.0.title': event.name, 'orders.items.0.details': '2 tickets · −€8.00' };
  expect(shown.record?.params).toMatchObject({ uses: 2, spent: '8.00', ...orders });
  // What a form does not change stays, also further events that the API named.
  const other = await newEvent(test, tenant);
  await test.inside(tenant, () => codes().update(id, { reserved: 0, eventIds: [event.id, other.id] }));
  await staff.act('codes', id, 'edit', { eventId: event.id, maxUses: 6 });
  expect((await all())[0]).toMatchObject({ maxUses: 6, eventIds: [event.id, other.id] });
  await staff.act('codes', id, 'edit', { eventId: '', disabled: true });
  expect((await all())[0]).toMatchObject({ disabled: true, eventIds: [] });
  expect(recordFaults(await staff.create('codes', { code: 'SPRING-20', effect: 'none' }))).toEqual({
    code: 'There is such a code already.',
  });
});

it('makes many at once', async () => {
  const made = await staff.create('codes', { code: 'press-', count: 120, effect: 'amount', value: '2.5', tag: 'press' });
  expect(recordFaults(made)).toEqual({});
  const press = (await all()).filter(({ tag }) => tag === 'press');
  expect(press).toHaveLength(120);
  for (const { code, effect, value } of press)
    expect([code.slice(0, 6), code.length, effect, value]).toEqual(['PRESS-', 16, 'amount', '2.50']);
  expect(recordFaults(await staff.create('codes', { code: 'x', count: 501, effect: 'none' }))).toEqual({
    count: 'Enter a number from 1 to 500.',
  });
});

describe('a code at the box office', () => {
  interface Shown {
    readonly fault: string | null;
    readonly amounts: Readonly<Record<string, string>>;
  }
  const coded = async (event: string, code: string, amounts: object = {}): Promise<Shown | null> =>
    (await staff.page('reservations', 'sell', { event, code, amounts: JSON.stringify(amounts) })).view!['coded'] as Shown | null;
  const sell = (event: string, priceId: string, more: object = {}) =>
    staff.send('reservations', 'sell', {
      email: 'ada@example.org',
      paymentMethod: 'cash',
      parts: [{ eventId: event, tickets: [{ priceId, quantity: 2 }], ...more }],
    });

  it('says what prices cost with it, hidden and free ones, too, and is sold like that', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, { amount: '20.00' });
    const hidden = await newPrice(test, tenant, event.id, { amount: '10.00', hidden: true });
    const free = await newPrice(test, tenant, event.id, { amount: '4.00', freeAmount: true });
    const { code, id } = await test.inside(tenant, () =>
      codes().create({ code: 'BOX-25', effect: 'percent', value: '25', priceIds: [priceId, hidden, free] }),
    );
    expect(await coded(event.id, ' box-25')).toMatchObject({
      fault: null,
      amounts: { [priceId]: '15.00', [hidden]: '7.50', [free]: '3.00' },
    });
    expect(await coded(event.id, code, { [free]: '40,00', [priceId]: { not: 'text' } })).toMatchObject({ amounts: { [free]: '30.00' } });
    expect((await staff.page('reservations', 'sell', { event: event.id, code, amounts: '{' })).view).toMatchObject({ hasCodes: true });
    expect(await coded(event.id, '')).toBeNull();
    expect(soldOf(await sell(event.id, hidden, { code: 'box-25' })).total).toBe('15.00');
    expect((await test.inside(tenant, () => codes().find(id)))!).toMatchObject({ uses: 2, spent: '5.00' });
  });

  it('is refused like on the pages, at its field, and nothing is sold', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, { amount: '20.00' });
    await test.inside(tenant, () => codes().create({ code: 'BOX-LAST', effect: 'amount', value: '5', maxUses: 1 }));
    expect(await coded(event.id, 'NO-SUCH-CODE')).toMatchObject({ fault: 'There is no such code.', amounts: {} });
    expect(saleErrors(await sell(event.id, priceId, { code: 'NO-SUCH-CODE' }))).toEqual({ code: 'There is no such code.' });
    expect(saleErrors(await sell(event.id, priceId, { code: '?' }))).toEqual({ code: 'There is no such code.' });
    expect(saleErrors(await sell(event.id, priceId, { code: 'box-last' }))['code']).toContain('This code is used up');
    expect(await test.inside(tenant, () => test.app.get(EventsService).find(event.id))).toMatchObject({ booked: 0 });
  });
});
