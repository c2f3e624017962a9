import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MembershipsService } from '#booking';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import type supertest from 'supertest';
import { expectNoDrift, letHoldsLapse, newPrice, ticketsBy } from '../support/booking.js';
import { newDevice, newEvent } from '../support/builders.js';
import { expanded, schema } from '../support/json-ld.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;
interface Shown extends Body {
  identifier: string;
  reservedTicket: { identifier: string; status: string; qrcode?: string; underName: Body }[];
}

const path = '/api/v2/reservations/';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write', 'ticket:read', 'webhook:read');
  event = await newEvent(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const post = (body: object, as = authorization): supertest.Test => test.on(tenant).post(path).set('Authorization', as).send(body);
const patch = (id: string, body: object): supertest.Test =>
  test.on(tenant).call('patch', `${path}${id}/`).set('Authorization', authorization).send(body);
const read = (what = ''): supertest.Test => test.on(tenant).get(`${path}${what}`).set('Authorization', authorization);

/** A body that books one ticket of the event. */
function wanted(more: object = {}, priceId = event.priceId): object {
  return {
    reservationFor: { identifier: event.id },
    underName: { '@type': 'Person', email: `${randomUUID()}@example.org`, givenName: 'Ada', familyName: 'Martin' },
    reservedTicket: [{ identifier: priceId }],
    ...more,
  };
}

async function make(more: object = {}, priceId?: string): Promise<Shown> {
  const answer = await post(wanted(more, priceId));
  expect([answer.status, answer.status === 201 ? undefined : answer.body]).toEqual([201, undefined]);
  return answer.body as Shown;
}

async function refused(work: supertest.Test, status: number, code: string): Promise<Body> {
  const { body } = await work;
  expect(body).toMatchObject({ status, code });
  return body as Body;
}

async function faultsOf(work: supertest.Test): Promise<string[]> {
  const { errors } = await refused(work, 400, 'body.invalid');
  return (errors as { pointer: string }[]).map(({ pointer }) => pointer);
}

const statusOf = (shown: Body): unknown =>
  (shown['additionalProperty'] as { name: string; value: unknown }[]).find(({ name }) => name === 'status')?.value;

async function payments(): Promise<{ rows: Body[] }> {
  const rows = await test.database.query(`select amount::text, method from "${tenant.schemaName}".payment`);
  return { rows };
}

async function sql(text: string, values: unknown[] = []): Promise<void> {
  await test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.query(text, values)));
}

describe('POST /api/v2/reservations/', () => {
  it('sells confirmed reservations, with codes that can be scanned', async () => {
    const answer = await post(
      wanted({
        reservedTicket: [{ identifier: event.priceId, ticketQuantity: 2, underName: [{ givenName: 'Zoë', familyName: 'Łukasz' }] }],
        confirmed: true,
        paymentMethod: 'card',
      }),
    ).expect(201);
    const sold = answer.body as Shown;
    expect(answer.headers['location']).toBe(`${path}${sold.identifier}/`);
    expect(sold).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'EventReservation',
      reservationStatus: 'https://schema.org/ReservationConfirmed',
      bookingTime: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+0[12]:00$/),
      reservationFor: { identifier: event.id, name: event.name },
      totalPrice: '25.00',
      paymentMethod: 'card',
    });
    expect(statusOf(sold)).toBe('V');
    expect(sold.reservedTicket.map(({ underName }) => underName['givenName'])).toEqual(['Zoë', 'Ada']);
    const codes = sold.reservedTicket.map(({ qrcode }) => qrcode);
    expect(new Set(codes).size).toBe(2);
    const door = await newDevice(test, tenant);
    const scan = (code: unknown) =>
      test.on(tenant).post('/scan/ticket/').set('Authorization', door.authorization).send({ qrcode_data: code });
    expect((await scan(codes[0])).body).toMatchObject({
      success: true,
      ticket: { uuid: sold.reservedTicket[0]!.identifier, first_name: 'Zoë', last_name: 'Łukasz' },
      reservation: { uuid: sold.identifier, tickets_count: 2 },
    });
    expect((await scan(codes[0])).body).toMatchObject({ success: false, reason: 'already_scanned' });
    await refused(patch(sold.identifier, { reservationStatus: 'ReservationCancelled' }), 409, 'reservation.scanned');
  });

  it('holds unpaid reservations without showing codes', async () => {
    const held = await make({ reservedTicket: [{ identifier: event.priceId.toUpperCase() }] });
    expect(held).toMatchObject({ reservationStatus: 'https://schema.org/ReservationHold', totalPrice: '12.50' });
    expect(Date.parse(String(held['paymentDueDate'])) - Date.parse(String(held['bookingTime']))).toBe(900_000);
    expect(JSON.stringify(held)).not.toContain('qrcode');
    expect((await read(`${held.identifier}/`).expect(200)).body).toEqual(held);
  });

  it('accepts the event as a plain UUID, and otherwise finds the one that sells the offer', async () => {
    expect(await make({ reservationFor: event.id })).toMatchObject({ reservationFor: { identifier: event.id } });
    expect(await make({ reservationFor: undefined })).toMatchObject({ reservationFor: { identifier: event.id } });
    const { productId } = (
      await test.inside(tenant, () =>
        test.app
          .get(TenantDb)
          .transaction((tx) =>
            tx.query<{ productId: string }[]>('select product_id as "productId" from price where id = $1', [event.priceId]),
          ),
      )
    )[0]!;
    const other = await newEvent(test, tenant);
    await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, other.id, [productId])),
    );
    expect(await faultsOf(post(wanted({ reservationFor: null })))).toEqual(['/reservationFor/identifier']);
  });

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

  it('accepts confirmation and payment as additional properties, too', async () => {
    const properties = [
      { name: 'confirmed', value: true },
      { name: 'paymentMethod', value: 'offered' },
    ];
    const sold = await make({ additionalProperty: properties });
    expect([statusOf(sold), sold['paymentMethod']]).toEqual(['V', 'offered']);
    expect(statusOf(await make({ additionalProperty: properties.slice(0, 1), confirmed: true }))).toBe('V');
  });

  it.each(['cash', 'card', 'offered'])('is paid at the venue by %s and valid at once', async (paymentMethod) => {
    const { body } = await post(wanted({ paymentMethod })).expect(201);
    const sold = body as Shown;
    expect([statusOf(sold), sold['paymentMethod'], sold['paymentDueDate']]).toEqual(['V', paymentMethod, undefined]);
  });

  it('lists every fault', async () => {
    const faults = await faultsOf(
      post({
        reservationFor: { identifier: 'tomorrow' },
        underName: { email: 'nobody', givenName: 7 },
        reservedTicket: [
          { identifier: 'x', ticketQuantity: 0 },
          { identifier: randomUUID(), ticketQuantity: 1.5, underName: [{ givenName: 'A' }, { givenName: 'B' }] },
        ],
        confirmed: 'yes',
        paymentMethod: 'gold',
        additionalProperty: [{ name: 'options', value: [7] }, { value: 1 }],
      }),
    );
    expect(faults.toSorted()).toEqual([
      '/additionalProperty/0/value',
      '/additionalProperty/1/name',
      '/confirmed',
      '/paymentMethod',
      '/reservationFor/identifier',
      '/reservedTicket/0/identifier',
      '/reservedTicket/0/ticketQuantity',
      '/reservedTicket/1/ticketQuantity',
      '/reservedTicket/1/underName',
      '/underName/email',
      '/underName/givenName',
    ]);
  });

  it.each<[string, object, string]>([
    ['nothing', { reservedTicket: undefined }, '/reservedTicket'],
    ['an empty list', { reservedTicket: [] }, '/reservedTicket'],
    ['a text', { reservedTicket: 'x' }, '/reservedTicket'],
    ['a list of texts', { reservedTicket: ['x'] }, '/reservedTicket'],
    ['101 entries', { reservedTicket: Array.from({ length: 101 }, () => ({ identifier: randomUUID() })) }, '/reservedTicket'],
    ['no holder', { underName: undefined }, '/underName'],
    ['a list of holders', { underName: [] }, '/underName'],
    ['an event that is a number', { reservationFor: 7 }, '/reservationFor'],
    ['a property twice', { additionalProperty: [{ name: 'a' }, { name: 'a' }] }, '/additionalProperty'],
    ['an event that is not there', { reservationFor: { identifier: randomUUID() } }, '/reservationFor/identifier'],
    ['an offer that is not there', { reservedTicket: [{ identifier: randomUUID() }] }, '/reservedTicket/0/identifier'],
  ])('refuses %s', async (_, more, pointer) => {
    expect(await faultsOf(post(wanted(more)))).toEqual([pointer]);
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

  it('sells nothing that is unpublished or over', async () => {
    await sql('update price set published = false where id = $1', [event.priceId]);
    await refused(post(wanted()), 409, 'booking.price_not_published');
    await sql(`update event set starts_at = now() - interval '2 days' where id = $1`, [event.id]);
    await refused(post(wanted()), 409, 'booking.event_over');
    await sql('update event set published = false where id = $1', [event.id]);
    await refused(post(wanted()), 409, 'booking.event_not_published');
  });

  it('books once, however often a request is repeated', async () => {
    const key = randomUUID();
    const body = wanted({ confirmed: true });
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push(await post(body).set('Idempotency-Key', key).expect(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true', 'true']);
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 1 });
    await refused(post(wanted()).set('Idempotency-Key', key), 422, 'idempotency.key_reused');
  });

  it('answers without a body on request', async () => {
    const { text, headers } = await post(wanted()).set('Prefer', 'return=minimal').expect(201);
    expect([text, headers['preference-applied']]).toEqual(['', 'return=minimal']);
    await test.on(tenant).get(String(headers['location'])).set('Authorization', authorization).expect(200);
  });

  it('requires a key with the scope', async () => {
    await refused(post(wanted(), await newKey(test, tenant, 'reservation:read', 'event:write')), 403, 'key.scope');
    await test.on(tenant).get(path).expect(401);
  });

  it('is valid JSON-LD', async () => {
    const node = await expanded(await make({ confirmed: true }), tenant);
    expect(node['@type']).toEqual([schema('EventReservation')]);
    expect(node[schema('reservationFor')]).toMatchObject([{ [schema('identifier')]: [{ '@value': event.id }] }]);
    expect(node[schema('underName')]).toMatchObject([{ '@type': [schema('Person')], [schema('givenName')]: [{ '@value': 'Ada' }] }]);
    expect(node[schema('reservedTicket')]).toMatchObject([
      { '@type': [schema('Ticket')], [schema('totalPrice')]: [{ '@value': '12.50' }] },
    ]);
  });
});

describe('GET /api/v2/reservations/', () => {
  it('lists reservations, newest first, without codes, by event or person', async () => {
    const other = await newEvent(test, tenant);
    const first = await make({ confirmed: true });
    const second = await make({ underName: { email: 'bo@example.org' } });
    const third = await make({ reservationFor: other.id, underName: { email: 'Bo+x@example.org' } }, other.priceId);
    const ids = async (query: string): Promise<string[]> =>
      ((await read(query).expect(200)).body as { results: Shown[] }).results.map(({ identifier }) => identifier);
    expect(await ids('')).toEqual([third, second, first].map(({ identifier }) => identifier));
    expect(await ids(`?event=${event.id.toUpperCase()}`)).toEqual([second.identifier, first.identifier]);
    expect(await ids('?email=BO@example.org')).toEqual([third.identifier, second.identifier]);
    expect(await ids(`?event=${event.id}&email=bo@example.org`)).toEqual([second.identifier]);
    expect(await ids('?page=2&page_size=2')).toEqual([first.identifier]);
    expect((await read('?page_size=2')).headers['link']).toBe(
      `<${path}?page=1&page_size=2>; rel="first", <${path}?page=2&page_size=2>; rel="next", <${path}?page=2&page_size=2>; rel="last"`,
    );
    const { text, headers } = await read().expect(200);
    expect(text).not.toContain('qrcode');
    await read().set('If-None-Match', String(headers['etag'])).expect(304);
    for (const query of ['event=x', 'page=0', 'page_size=501', 'email=a&email=b']) await refused(read(`?${query}`), 400, 'query.invalid');
  });

  it('uses as many statements for many reservations as for one', async () => {
    const asked: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await make();
      const seen = vi.spyOn(pg.Client.prototype, 'query');
      await read().expect(200);
      asked.push(seen.mock.calls.filter((call) => /\b(reservation|ticket)\b/.test(JSON.stringify(call[0]))).length);
      seen.mockRestore();
    }
    expect([asked[0]! > 0, asked[3]]).toEqual([true, asked[0]]);
  });

  it('answers 404 for malformed, unknown and foreign ids', async () => {
    const abroad = await test.newTenant();
    const foreign = await newEvent(test, abroad);
    const as = await newKey(test, abroad, 'reservation:write');
    const answer = await test
      .on(abroad)
      .post(path)
      .set('Authorization', as)
      .send(wanted({ reservationFor: foreign.id }, foreign.priceId))
      .expect(201);
    for (const id of ['x', '7', randomUUID(), (answer.body as Shown).identifier]) {
      await refused(read(`${id}/`), 404, 'reservation.unknown');
      await refused(patch(id, { reservationStatus: 'ReservationCancelled' }), 404, 'reservation.unknown');
    }
  });
});

describe('PATCH /api/v2/reservations/<uuid>/', () => {
  const cancelled = { reservationStatus: 'https://schema.org/ReservationCancelled' };
  const confirmed = { reservationStatus: 'ReservationConfirmed' };

  it('confirms a hold and then shows its codes', async () => {
    const held = await make();
    const { body } = await patch(held.identifier, { ...confirmed, paymentMethod: 'CARD' }).expect(200);
    const sold = body as Shown;
    expect([statusOf(sold), sold['paymentMethod'], sold['paymentDueDate']]).toEqual(['V', 'card', undefined]);
    expect(sold.reservedTicket[0]).toMatchObject({ status: 'K', qrcode: expect.stringMatching(/^.{24}:.{86}$/) });
    expect((await patch(held.identifier, confirmed).expect(200)).body).toEqual(sold);
  });

  it('cancels once, frees the places, and shows no codes any more', async () => {
    event = await newEvent(test, tenant, { capacity: 1 });
    const sold = await make({ confirmed: true });
    const answers = await Promise.all(Array.from({ length: 5 }, () => patch(sold.identifier, cancelled)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(statusOf(answers[0]!.body as Shown)).toBe('C');
    expect(answers[0]!.text).not.toContain('qrcode');
    await refused(patch(sold.identifier, confirmed), 409, 'reservation.transition');
    await make({ confirmed: true });
    await refused(post(wanted()), 409, 'booking.sold_out');
  });

  it('refuses a late confirmation when the places are sold', async () => {
    event = await newEvent(test, tenant, { capacity: 1 });
    const late = await make();
    await letHoldsLapse(test, tenant);
    await make({ confirmed: true });
    expect(await refused(patch(late.identifier, confirmed), 409, 'booking.sold_out')).toMatchObject({
      remaining: [{ identifier: event.priceId, remaining: 0 }],
    });
  });

  it('refuses other changes', async () => {
    const { identifier } = await make();
    for (const body of [{}, { reservationStatus: null }, { reservationStatus: 'ReservationHold' }, { reservationStatus: 7 }])
      expect(await faultsOf(patch(identifier, body))).toEqual(['/reservationStatus']);
    expect(await faultsOf(patch(identifier, { ...confirmed, paymentMethod: 'online' }))).toEqual(['/paymentMethod']);
  });

  it('changes only the version that the caller read', async () => {
    const held = await make();
    const { headers } = await read(`${held.identifier}/`).expect(200);
    const seen = String(headers['etag']);
    await read(`${held.identifier}/`).set('If-None-Match', seen).expect(304);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => patch(held.identifier, index % 2 ? cancelled : confirmed).set('If-Match', seen)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
    await refused(patch(held.identifier, cancelled).set('If-Match', seen), 412, 'precondition.failed');
    await patch(held.identifier, cancelled).set('Prefer', 'return=minimal').expect(204);
  });
});

describe('the feed', () => {
  it('contains reservations with their holders, never with codes', async () => {
    const sold = await make({ confirmed: true });
    const held = await make();
    await patch(held.identifier, { reservationStatus: 'ReservationConfirmed' }).expect(200);
    await patch(sold.identifier, { reservationStatus: 'ReservationCancelled' }).expect(200);
    const { body, text } = await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization).expect(200);
    const told = (body as { results: { type: string; data: Body }[] }).results.filter(({ type }) => !type.startsWith('event.'));
    expect(told.map(({ type, data }) => [type, data['identifier'] ?? data['uuid'], data['sequence']])).toEqual([
      ['reservation.created', sold.identifier, 1],
      ['reservation.created', held.identifier, 1],
      ['reservation.confirmed', held.identifier, 2],
      ['reservation.cancelled', sold.identifier, 2],
      ['ticket.cancelled', sold.reservedTicket[0]!.identifier, 2],
    ]);
    expect(told[0]!.data).toMatchObject({ underName: sold['underName'], reservationFor: { identifier: event.id } });
    expect(told[4]!.data).toMatchObject({ first_name: 'Ada', status: 'R', reservation_uuid: sold.identifier });
    expect(text).not.toContain('qrcode');
    expect(text).not.toContain(sold.reservedTicket[0]!.qrcode);
  });
});
