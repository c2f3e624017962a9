import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HolderLinks } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import pg from 'pg';
import { expectNoDrift, letHoldsLapse } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';
import {
  type Buyer,
  faultsOf,
  refused,
  newBuyer,
  reservationsApi,
  reservationsPath,
  statusOf,
  type ShownReservation,
} from '../support/reservations-api.js';

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

const { post, patch, read, wanted, make } = reservationsApi(() => ({ test, tenant, authorization, event }));

describe('GET /api/v2/reservations/', () => {
  it('lists reservations, newest first, without codes, by event or person', async () => {
    const other = await newEvent(test, tenant);
    const first = await make({ confirmed: true });
    const second = await make({ underName: { email: 'bo@example.org' } });
    const third = await make({ reservationFor: other.id, underName: { email: 'Bo+x@example.org' } }, other.priceId);
    const ids = async (query: string): Promise<string[]> =>
      ((await read(query).expect(200)).body as { results: ShownReservation[] }).results.map(({ identifier }) => identifier);
    expect(await ids('')).toEqual([third, second, first].map(({ identifier }) => identifier));
    expect(await ids(`?event=${event.id.toUpperCase()}`)).toEqual([second.identifier, first.identifier]);
    expect(await ids('?email=BO@example.org')).toEqual([third.identifier, second.identifier]);
    expect(await ids(`?event=${event.id}&email=bo@example.org`)).toEqual([second.identifier]);
    expect(await ids('?page=2&page_size=2')).toEqual([first.identifier]);
    expect((await read('?page_size=2')).headers['link']).toBe(
      `<${reservationsPath}?page=1&page_size=2>; rel="first", ` +
        `<${reservationsPath}?page=2&page_size=2>; rel="next", ` +
        `<${reservationsPath}?page=2&page_size=2>; rel="last"`,
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
      const seen = jest.spyOn(pg.Client.prototype, 'query');
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
      .post(reservationsPath)
      .set('Authorization', as)
      .send(wanted({ reservationFor: foreign.id }, foreign.priceId))
      .expect(201);
    for (const id of ['x', '7', randomUUID(), (answer.body as ShownReservation).identifier]) {
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
    const sold = body as ShownReservation;
    expect([statusOf(sold), sold['paymentMethod'], sold['paymentDueDate']]).toEqual(['V', 'card', undefined]);
    expect(sold.reservedTicket[0]).toMatchObject({ status: 'K', qrcode: expect.stringMatching(/^.{24}:.{86}$/) });
    expect((await patch(held.identifier, confirmed).expect(200)).body).toEqual(sold);
  });

  it('cancels once, frees the places, and shows no codes any more', async () => {
    event = await newEvent(test, tenant, { capacity: 1 });
    const sold = await make({ confirmed: true });
    const answers = await Promise.all(Array.from({ length: 5 }, () => patch(sold.identifier, cancelled)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(statusOf(answers[0]!.body as ShownReservation)).toBe('C');
    expect(answers[0]!.text).not.toContain('qrcode');
    await refused(patch(sold.identifier, confirmed), 409, 'reservation.transition');
    await make({ confirmed: true });
    await refused(post(wanted()), 409, 'booking.sold_out');
  });

  it('has the total of the tickets that are not cancelled, also on the page and in the panel, one by one and all at once', async () => {
    const sold = await make({ confirmed: true, reservedTicket: [{ identifier: event.priceId, ticketQuantity: 3 }] });
    const staff = await staffOf(test, tenant);
    const path = await test.inside(tenant, () => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: sold.identifier })));
    const totals = async (id: string): Promise<unknown[]> => {
      const { text } = await test.on(tenant).get(path).set('Accept-Language', 'en').expect(200);
      return [
        ((await read(`${id}/`)).body as { totalPrice: string }).totalPrice,
        (await staff.look('reservations', id)).record!.params['total'],
        /<strong>€([\d.]+)<\/strong><\/p>/.exec(text)?.[1],
      ];
    };
    for (const [index, ticket] of sold.reservedTicket.entries()) {
      await staff.act('tickets', ticket.identifier, 'cancel');
      const total = ['25.00', '12.50', '0.00'][index];
      expect((await totals(sold.identifier)).map((shown) => Number(shown).toFixed(2))).toEqual([total, total, total]);
    }
    const whole = await make({ confirmed: true });
    expect((await patch(whole.identifier, cancelled)).body).toMatchObject({ totalPrice: '0.00' });
  });

  it('counts both spellings of a domain with letters beyond ASCII as one person', async () => {
    event = await newEvent(test, tenant, { maxPerUser: 2 });
    for (const email of ['z@bücher.de', 'Z@XN--BCHER-KVA.de']) await make({ underName: { email }, confirmed: true });
    await refused(post(wanted({ underName: { email: 'z@BÜCHER.de' }, confirmed: true })), 409, 'booking.limit_per_user');
    const { results } = (await read('?email=z@xn--bcher-kva.de')).body as { results: unknown[] };
    expect(results).toHaveLength(2);
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
