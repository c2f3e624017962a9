import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PricesService, ProductsService, type WholeProduct } from '#catalogue';
import { GatesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { book, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ language: 'en' });
  staff = await staffOf(test, tenant);
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const idIn = (address = ''): string => /records\/([^/]+)\//.exec(address)?.[1] ?? '';

describe('copies of an event', () => {
  const facts = async (id: string): Promise<string[]> => ((await staff.look('events', id, 'duplicate')).view as { facts: string[] }).facts;
  const productsOf = async (eventId: string): Promise<WholeProduct[]> => {
    const products = await inside(() => test.app.get(ProductsService).list());
    return products.products.filter(({ events }) => events.some(({ id }) => id === eventId));
  };
  it('move the sale windows of prices on the clocks of the place, have the picture, and say what they share', async () => {
    const event = await newEvent(test, tenant, { name: 'Spring night', startsAt: new Date('2041-03-26T19:00:00Z') });
    const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    await staff.call('post', `/api/resources/events/records/${event.id}/picture`).attach('img', png, 'x.png').expect(200);
    const early = await inside(() =>
      test.app.get(ProductsService).create({
        name: 'Early bird',
        category: 'B',
        eventIds: [event.id],
        prices: [
          { name: 'Early', amount: '5.00', stock: 10, salesUntil: new Date('2041-03-24T22:00:00Z') },
          { name: 'Regular', amount: '8.00', salesFrom: new Date('2041-03-24T22:00:00Z') },
        ],
        questions: [{ label: 'First name', kind: 'text' }],
      }),
    );
    const shared = (await productsOf(event.id)).find(({ id }) => id !== early.id)!;
    expect(await facts(event.id)).toEqual([expect.stringContaining(shared.name), expect.stringContaining('Early bird')]);
    const id = idIn((await staff.act('events', event.id, 'duplicate', { step: 'week' })).redirectUrl);
    const products = await productsOf(id);
    expect(products.map(({ name }) => name).toSorted()).toEqual(['Early bird · 02/04/2041', shared.name].toSorted());
    const own = products.find(({ name }) => name.startsWith('Early'))!;
    // The clocks change on 31 March: midnight in Paris is 22:00 in UTC afterwards, 23:00 before.
    expect(own.prices.map((price) => [price.name, price.salesFrom?.toISOString(), price.salesUntil?.toISOString(), price.stock])).toEqual([
      ['Early', undefined, '2041-03-31T21:00:00.000Z', 10],
      ['Regular', '2041-03-31T21:00:00.000Z', undefined, null],
    ]);
    expect(own.questions.map(({ label }) => label)).toEqual(['First name']);
    // The copy has a picture of its own: it stays when that of the original is removed.
    const picture = String((await staff.look('events', id)).record!.params['picture.src']);
    await staff.act('events', event.id, 'picture', { remove: true });
    await test.on(tenant).get(picture).expect(200);
  });

  it('share prices, which say so before a change and can be split with what is left of their stock', async () => {
    const event = await newEvent(test, tenant, { name: 'Twice', startsAt: new Date('2042-01-10T19:00:00Z') });
    const { priceId } = event;
    await staff.act('prices', priceId, 'edit', { stock: '5' });
    expect((await staff.look('prices', priceId)).record!.params['sharedBy']).toBeNull();
    const copyId = idIn((await staff.act('events', event.id, 'duplicate', { step: 'week', published: 'true' })).redirectUrl);
    await book(test, tenant, { id: copyId, priceId }, { quantity: 2, confirmed: true, paymentMethod: 'cash' });
    for (const action of ['show', 'edit']) {
      expect((await staff.look('prices', priceId, action)).record!.params['sharedBy']).toMatch(/^2 events sell this price/);
    }
    // The form sends the sentence back.
    await staff.act('prices', priceId, 'edit', { name: 'Shared', sharedBy: 'anything' });
    const gate = await inside(async () => {
      const made = await test.app.get(GatesService).create({ name: 'Main door' });
      await test.app.get(GatesService).allow({ gateId: made.id, priceId });
      return made.id;
    });
    const own = idIn((await staff.act('prices', priceId, 'split', { eventId: copyId })).redirectUrl);
    const rules = await test.database.query(`select price_id from "${tenant.schemaName}".gate_rule where gate_id = $1`, [gate]);
    expect(rules.map(({ price_id }) => price_id as string).toSorted()).toEqual([own, priceId].toSorted());
    expect(own).not.toBe(priceId);
    await staff.act('prices', own, 'edit', { amount: '20.00' });
    const prices = await inside(async () => (await test.app.get(PricesService).list()).prices);
    expect(prices.filter(({ id }) => [own, priceId].includes(id)).map(({ id, amount, stock }) => [id === own, amount, stock])).toEqual([
      [true, '20.00', 3],
      [false, '12.50', 5],
    ]);
    expect((await productsOf(copyId)).map(({ prices: [price] }) => price?.id)).toEqual([own]);
    const again = await staff.act('prices', priceId, 'split', { eventId: event.id });
    expect(again.notice?.type).toBe('error');
    await book(test, tenant, { id: copyId, priceId: own }, { quantity: 3, confirmed: true, paymentMethod: 'cash' });
    await expect(book(test, tenant, { id: copyId, priceId: own })).rejects.toMatchObject({ reason: 'sold_out' });
    await expectNoDrift(test, tenant);
  });
});
