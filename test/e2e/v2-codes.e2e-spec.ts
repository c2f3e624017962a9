import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CodesService, type CountedCode, type NewCode } from '#tickets';
import type { Scope, TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const newCode = (input: Partial<NewCode> = {}): Promise<CountedCode> =>
  test.inside(tenant, () =>
    test.app.get(CodesService).create({ code: `C${randomUUID().slice(0, 8)}`, effect: 'percent', value: '10', ...input }),
  );
const eventAt = async (amount: string) => {
  const { id } = await newEvent(test, tenant);
  return { id, priceId: await newPrice(test, tenant, id, { amount }) };
};

describe('/api/v2/codes/', () => {
  const call = async (method: 'get' | 'post' | 'patch', path: string, body?: object, scopes: Scope[] = ['code:read', 'code:write']) => {
    const key = await newKey(test, tenant, ...scopes);
    return test.on(tenant).call(method, path).set('Authorization', key).send(body);
  };

  it('makes, lists, shows and changes codes', async () => {
    const event = await eventAt('10.00');
    const input = {
      code: 'Api-20',
      effect: 'percent',
      value: 20,
      offers: [event.priceId],
      events: [event.id],
      maxUses: 3,
      reserved: 2,
      tag: 'api',
    };
    const made = await call('post', '/api/v2/codes/', { ...input, validThrough: '2090-01-01T00:00:00Z', budget: '50' });
    expect(made.status).toBe(201);
    const answered = { code: 'API-20', effect: 'percent', value: '20.00', budget: '50.00', uses: 0, spent: '0.00', disabled: false };
    expect(made.body).toMatchObject({ ...answered, offers: [event.priceId], products: [], maxUses: 3, reserved: 2, tag: 'api' });
    const path = made.headers['location'] as string;
    expect(path).toBe(`/api/v2/codes/${(made.body as { identifier: string }).identifier}/`);
    await book(test, tenant, event, { code: 'API-20' });
    expect((await call('get', path)).body).toMatchObject({ uses: 1, spent: '2.00' });
    expect((await call('get', '/api/v2/codes/?code=api-20')).body).toMatchObject({ results: [{ code: 'API-20' }] });
    expect((await call('get', '/api/v2/codes/?code=..')).body).toEqual({ results: [] });
    expect((await call('get', '/api/v2/codes/?tag=api&page=1&page_size=1')).body).toMatchObject({ results: [{ tag: 'api' }] });
    const changed = await call('patch', path, { uses: 1, effect: 'price', value: '4', reserved: null, offers: null, validThrough: null });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ effect: 'price', value: '4.00', offers: [], reserved: 0 });
    expect(changed.body).not.toHaveProperty('validThrough');
    expect((await call('patch', path, { uses: 7 })).status).toBe(400);
    expect((await call('patch', path, { effect: null })).body).not.toHaveProperty('value');
  });

  it('says what does not fit, and needs its scope', async () => {
    const faults = async (body: object): Promise<unknown> =>
      ((await call('post', '/api/v2/codes/', body)).body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    expect(await faults({ code: 'x' })).toEqual(['/code']);
    expect(await faults({ code: 'GOOD-1', effect: 'percent', value: 101 })).toEqual(['/value']);
    expect(await faults({ code: 'GOOD-1', offers: ['x'] })).toEqual(['/offers']);
    expect(await faults({ code: 'GOOD-1', events: [randomUUID()] })).toEqual(['/events']);
    expect(await faults({ code: 'GOOD-1', reserved: 2 })).toEqual(['/reserved']);
    expect((await call('get', '/api/v2/codes/', undefined, ['product:read'])).status).toBe(403);
    expect((await call('post', '/api/v2/codes/', { code: 'GOOD-1' }, ['code:read'])).status).toBe(403);
    for (const method of ['get', 'patch'] as const) {
      const answer = await call(method, `/api/v2/codes/${randomUUID()}/`, method === 'patch' ? { disabled: true } : undefined);
      expect(answer.body).toMatchObject({ status: 404, code: 'code.unknown' });
    }
  });

  it('books with a code, and names why it cannot', async () => {
    const [event, other] = [await eventAt('10.00'), await eventAt('10.00')];
    const hidden = await newPrice(test, tenant, event.id, { amount: '3.00', hidden: true });
    const wanted = (code: string, ticketQuantity = 1, email = 'ada@example.org') => ({
      reservationFor: event.id,
      underName: { email },
      reservedTicket: [{ identifier: event.priceId, ticketQuantity }],
      code,
    });
    const post = (body: object) => call('post', '/api/v2/reservations/', body, ['reservation:write', 'reservation:read']);
    const problem = async (body: object): Promise<unknown> => ((await post(body)).body as { code: string }).code;
    const limited = await newCode({ maxPerPerson: 1, maxUses: 2 });
    const made = await post(wanted(` ${limited.code.toLowerCase()} `));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ totalPrice: '9.00' });
    expect(await problem(wanted(limited.code))).toBe('booking.code_limit');
    expect((await post(wanted(limited.code, 2, 'bob@example.org'))).body).toMatchObject({ code: 'booking.code_used_up', mayBook: 1 });
    expect(await problem(wanted('..'))).toBe('booking.code_unknown');
    const of = async (input: Partial<NewCode>) => wanted((await newCode(input)).code);
    expect(await problem(await of({ validFrom: new Date(Date.now() + 60_000) }))).toBe('booking.code_early');
    expect(await problem(await of({ validUntil: new Date(Date.now() - 60_000) }))).toBe('booking.code_expired');
    expect(await problem(await of({ eventIds: [other.id] }))).toBe('booking.code_elsewhere');
    const refusedOffer = await post({ ...wanted(limited.code), code: undefined, reservedTicket: [{ identifier: hidden }] });
    expect(refusedOffer.body).toMatchObject({ status: 400, errors: [{ pointer: '/reservedTicket/0/identifier' }] });
  });

  it('limits the wrong codes of a key that may not list codes', async () => {
    const event = await eventAt('10.00');
    const code = await newCode();
    const tries = async (scopes: Scope[], count: number): Promise<(typed: string) => Promise<unknown>> => {
      const key = await newKey(test, tenant, ...scopes);
      const post = async (typed: string): Promise<unknown> => {
        const body = {
          reservationFor: event.id,
          underName: { email: 'ada@example.org' },
          reservedTicket: [{ identifier: event.priceId }],
          code: typed,
        };
        const answer = await test.on(tenant).call('post', '/api/v2/reservations/').set('Authorization', key).send(body);
        return (answer.body as { code?: string }).code ?? answer.status;
      };
      for (let index = 0; index < count; index += 1) await post(`WRONG-${index}`);
      return post;
    };
    const shop = await tries(['reservation:write', 'reservation:read'], 99);
    expect([await shop(code.code), await shop('WRONG-99'), await shop('WRONG-100')]).toEqual([201, 'booking.code_unknown', 'rate.limited']);
    expect(await shop(code.code)).toBe('rate.limited');
    const staff = await tries(['reservation:write', 'reservation:read', 'code:read'], 101);
    expect([await staff('WRONG-101'), await staff(code.code)]).toEqual(['booking.code_unknown', 201]);
  });
});
