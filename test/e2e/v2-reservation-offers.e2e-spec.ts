import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expectNoDrift, newPrice, ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';
import { type Buyer, faultsOf, refused, newBuyer, reservationsApi } from '../support/reservations-api.js';

type Body = Record<string, unknown>;

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Buyer['event'];

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
});
beforeEach(async () => {
  ({ tenant, authorization, event } = await newBuyer(test, tenant));
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { sql } = tenantWork(() => ({ test, tenant }));
const { post, wanted, make } = reservationsApi(() => ({ test, tenant, authorization, event }));

async function payments(): Promise<{ rows: Body[] }> {
  const rows = await test.database.query(`select amount::text, method from "${tenant.schemaName}".payment`);
  return { rows };
}

describe('POST /api/v2/reservations/', () => {
  it('stores the chosen options', async () => {
    await test.inside(tenant, () => test.app.get(EventsService).update(event.id, { radioOptions: ['Balcony', 'Floor'] }));
    const rows = await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) => tx.query<{ id: string }[]>('select id from event_option where event_id = $1', [event.id])),
    );
    expect(rows).toHaveLength(2);
    const options = (ids: string[]) => ({ additionalProperty: [{ name: 'options', value: ids }] });
    const made = await make(options([rows[0]!.id]));
    expect(made['additionalProperty']).toContainEqual({
      '@type': 'PropertyValue',
      name: 'options',
      value: [rows[0]!.id],
    });
    expect(await faultsOf(post(wanted(options(rows.map(({ id }) => id)))))).toEqual(['/additionalProperty']);
    expect(await faultsOf(post(wanted(options([randomUUID()]))))).toEqual(['/additionalProperty']);
  });

  it('accepts options by name or UUID, and keeps chosen ones that the event removes', async () => {
    const key = await newKey(test, tenant, 'event:read', 'event:write');
    const change = (value: object[]): supertest.Test =>
      test.on(tenant).call('patch', `/api/v2/events/${event.id}/`).set('Authorization', key).send({ additionalProperty: value });
    const { body } = await change([
      { name: 'optionsRadio', value: ['Balcony', 'Floor'] },
      { name: 'optionsCheckbox', value: ['Meal', 'Floor'] },
    ]).expect(200);
    type Options = { identifier: string; name: string; kind: string; published: boolean }[];
    const optionsOf = ({ additionalProperty }: Body): Options =>
      (additionalProperty as { name: string; value: Options }[]).find(({ name }) => name === 'options')?.value ?? [];
    const idOf = Object.fromEntries(optionsOf(body).map(({ identifier, name, kind }) => [`${kind} ${name}`, identifier]));
    const choose = (...value: string[]): object => ({ additionalProperty: [{ name: 'options', value }] });
    const made = await make(choose('Meal', idOf['checkbox Floor']!, idOf['radio Balcony']!.toUpperCase(), 'Balcony'));
    expect((made['additionalProperty'] as Body[]).find(({ name }) => name === 'options')).toMatchObject({
      value: [idOf['radio Balcony'], idOf['checkbox Floor'], idOf['checkbox Meal']],
    });
    for (const names of [['Floor'], ['Terrace'], ['meal'], [idOf['radio Floor']!, 'Balcony']])
      expect(await faultsOf(post(wanted(choose(...names))))).toEqual(['/additionalProperty']);

    const { body: after } = await change([{ name: 'optionsRadio', value: ['Floor'] }]).expect(200);
    expect(optionsOf(after).map(({ kind, name, published }) => [kind, name, published])).toEqual([
      ['radio', 'Floor', true],
      ['radio', 'Balcony', false],
      ['checkbox', 'Meal', false],
      ['checkbox', 'Floor', false],
    ]);
    expect(await faultsOf(post(wanted(choose('Meal'))))).toEqual(['/additionalProperty']);
    const { body: again } = await change([{ name: 'optionsCheckbox', value: ['Meal'] }]).expect(200);
    expect(optionsOf(again)).toContainEqual({
      identifier: idOf['checkbox Meal'],
      kind: 'checkbox',
      name: 'Meal',
      published: true,
      order: 1,
    });
  });

  it('sells at a free price for the amount of the buyer, and never below the minimum', async () => {
    const priceId = await newPrice(test, tenant, event.id, { amount: '5', freeAmount: true });
    const line = (price?: unknown, ticketQuantity = 1): object => ({ identifier: priceId, ticketQuantity, price });
    const paid = { confirmed: true, paymentMethod: 'card' };
    const made = await make({ ...paid, reservedTicket: [line('7.5', 2), line(null), line(12)] });
    expect(made.reservedTicket.map(({ totalPrice, ticketQuantity }: Body) => [totalPrice, ticketQuantity])).toEqual([
      ['7.50', 1],
      ['7.50', 1],
      ['5.00', 1],
      ['12.00', 1],
    ]);
    expect(made['totalPrice']).toBe('32.00');
    const { rows } = await payments();
    expect(rows).toEqual([{ amount: '32.00', method: 'card' }]);
    for (const price of ['4.99', -1, 'x', '1.005', 1e9, {}])
      expect([price, await faultsOf(post(wanted({ reservedTicket: [line(5), line(price)] })))]).toEqual([
        price,
        ['/reservedTicket/1/price'],
      ]);
    const priceId10 = await newPrice(test, tenant, event.id, { amount: '10' });
    const at = (price: unknown): supertest.Test => post(wanted({ reservedTicket: [{ identifier: priceId10, price }] }));
    expect(await faultsOf(at('11'))).toEqual(['/reservedTicket/0/price']);
    await at('10.00').expect(201);
  });

  it('refuses totals that cannot be stored', async () => {
    const priceId = await newPrice(test, tenant, event.id, { amount: '99999999.99' });
    const many = (ticketQuantity: number): object => ({ reservedTicket: [{ identifier: priceId, ticketQuantity }] });
    expect(await faultsOf(post(wanted(many(2))))).toEqual(['/reservedTicket']);
    expect((await make(many(1)))['totalPrice']).toBe('99999999.99');
    const free = await newPrice(test, tenant, event.id, { amount: '0', freeAmount: true });
    const lines = ['99999999.98', '0.01', '0.01'].map((price) => ({ identifier: free, price }));
    expect(await faultsOf(post(wanted({ reservedTicket: lines })))).toEqual(['/reservedTicket']);
    expect((await make({ reservedTicket: lines.slice(1) }))['totalPrice']).toBe('0.02');
  });
  it('refuses offers of other events and places, and more than a hundred tickets', async () => {
    const other = await newEvent(test, tenant);
    expect(await faultsOf(post(wanted({}, other.priceId)))).toEqual(['/reservedTicket/0/identifier']);
    const abroad = await test.newTenant();
    const foreign = await newEvent(test, abroad);
    expect(await faultsOf(post(wanted({ reservationFor: foreign.id }, foreign.priceId)))).toEqual(['/reservationFor/identifier']);
    const many = [60, 60].map((ticketQuantity) => ({ identifier: event.priceId, ticketQuantity }));
    expect(await faultsOf(post(wanted({ reservedTicket: many })))).toEqual(['/reservedTicket']);
    expect(await ticketsBy(test, tenant, event.id)).toEqual({});
  });

  it('sells 5 places to 5 of 30 buyers, and tells the others what is left', async () => {
    event = await newEvent(test, tenant, { capacity: 5 });
    // On a slow machine a request may get 503, without a booking.
    const buy = async (): Promise<supertest.Response> => {
      for (;;) {
        const answer = await post(wanted());
        if (answer.status !== 503) return answer;
      }
    };
    const answers = await Promise.all(Array.from({ length: 30 }, buy));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const late = answers.filter(({ status }) => status !== 201);
    for (const { body } of late) {
      expect(body).toMatchObject({
        status: 409,
        code: 'booking.sold_out',
        remaining: [{ identifier: event.priceId, name: 'Full price', remaining: 0 }],
      });
    }
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ C: 5 });
  });

  it('reports the remaining number for each price', async () => {
    event = await newEvent(test, tenant, { capacity: 5 });
    const scarce = await newPrice(test, tenant, event.id, { name: 'Balcony', stock: 2 });
    await make({ reservedTicket: [{ identifier: event.priceId }] });
    const both = [event.priceId, scarce].map((identifier) => ({ identifier, ticketQuantity: 3 }));
    const body = await refused(post(wanted({ reservedTicket: both })), 409, 'booking.sold_out');
    expect(body['remaining']).toEqual([
      { identifier: event.priceId, name: 'Full price', remaining: 4 },
      { identifier: scarce, name: 'Balcony', remaining: 2 },
    ]);
  });

  it('reports how many more one person may book', async () => {
    event = await newEvent(test, tenant, { maxPerUser: 3 });
    const underName = { email: 'ada@example.org' };
    await make({ underName, reservedTicket: [{ identifier: event.priceId, ticketQuantity: 2 }] });
    const more = { underName: { email: 'Ada+more@example.org' }, reservedTicket: [{ identifier: event.priceId, ticketQuantity: 2 }] };
    expect(await refused(post(wanted(more)), 409, 'booking.limit_per_user')).toMatchObject({ mayBook: 1 });
  });

  it('requires the membership of the price', async () => {
    const { product, yearly } = await test.inside(tenant, async () => {
      const friends = await test.app.get(ProductsService).create({ name: 'Friends', category: 'A' });
      const price = await test.app.get(PricesService).create({ productId: friends.id, name: 'Year', amount: '0', subscriptionType: 'Y' });
      return { product: friends.id, yearly: price.id };
    });
    const forMembers = await newPrice(test, tenant, event.id, { requiredMembershipId: product });
    const underName = { email: 'member@example.org' };
    await refused(post(wanted({ underName }, forMembers)), 409, 'booking.membership_required');
    await test.inside(tenant, () => test.app.get(MembershipsService).create({ priceId: yearly, email: 'Member@example.org' }));
    await make({ underName }, forMembers);
    expect(await faultsOf(post(wanted({}, yearly)))).toEqual(['/reservedTicket/0/identifier']);
  });

  it('sells nothing that is unpublished, postponed or over', async () => {
    await sql('update price set published = false where id = $1', [event.priceId]);
    await refused(post(wanted()), 409, 'booking.price_not_published');
    await sql(`update event set alteration = 'postponed' where id = $1`, [event.id]);
    await refused(post(wanted()), 409, 'booking.event_postponed');
    await sql(`update event set starts_at = now() - interval '2 days' where id = $1`, [event.id]);
    await refused(post(wanted()), 409, 'booking.event_over');
    await sql('update event set published = false where id = $1', [event.id]);
    await refused(post(wanted()), 409, 'booking.event_not_published');
  });
});
