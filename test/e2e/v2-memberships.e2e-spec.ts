import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { PricesService, ProductsService, type NewPrice } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expectNoDrift } from '../support/booking.js';
import { expanded, schema } from '../support/json-ld.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown> & { identifier: string };

const path = '/api/v2/memberships/';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let plan: string;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'membership:read', 'membership:write', 'webhook:read');
  plan = await newPlan({ amount: '15.00', subscriptionType: 'Y' });
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

/** A price of a new membership product. */
function newPlan(price: Partial<NewPrice>, of = tenant): Promise<string> {
  return test.inside(of, async () => {
    const product = await test.app.get(ProductsService).create({ name: `Friends ${randomUUID().slice(0, 8)}`, category: 'A' });
    return (await test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0', ...price })).id;
  });
}

const post = (body: object): supertest.Test => test.on(tenant).post(path).set('Authorization', authorization).send(body);
const patch = (id: string, body: object = { membershipStatus: 'cancelled' }): supertest.Test =>
  test.on(tenant).call('patch', `${path}${id}/`).set('Authorization', authorization).send(body);
const read = (what = ''): supertest.Test => test.on(tenant).get(`${path}${what}`).set('Authorization', authorization);

const wanted = (more: object = {}): object => ({
  member: { email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
  membershipPlan: { identifier: plan },
  additionalProperty: [{ name: 'paymentMode', value: 'cash' }],
  ...more,
});

async function make(more: object = {}): Promise<Body> {
  const answer = await post(wanted(more));
  expect([answer.status, answer.status === 201 ? undefined : answer.body]).toEqual([201, undefined]);
  return answer.body as Body;
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

const years = ({ validFrom, validUntil }: Body): number => Number(String(validUntil).slice(0, 4)) - Number(String(validFrom).slice(0, 4));

describe('POST /api/v2/memberships/', () => {
  it('sells a membership for a year', async () => {
    const answer = await post(wanted()).expect(201);
    const sold = answer.body as Body;
    expect(answer.headers['location']).toBe(`${path}${sold.identifier}/`);
    expect(sold).toMatchObject({
      '@type': 'ProgramMembership',
      member: { email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
      membershipPlan: { '@type': 'Offer', identifier: plan, name: 'Year' },
      totalPrice: '15.00',
      qrcode: expect.stringMatching(/^.{24}:.{86}$/),
      additionalProperty: [{ '@type': 'PropertyValue', name: 'status', value: 'active' }],
    });
    expect(years(sold)).toBe(1);
    const days = (Date.parse(String(sold['validUntil'])) - Date.parse(String(sold['validFrom']))) / 86_400_000;
    expect([365, 366]).toContain(Math.round(days));
    expect((await read(`${sold.identifier}/`).expect(200)).body).toEqual(sold);
  });

  it.each(['FREE', 'cash', 'Card'])('accepts %s as payment mode, also as a member', async (paymentMode) => {
    expect(await make({ paymentMode, additionalProperty: null })).toMatchObject({ totalPrice: '15.00' });
  });

  it('costs what the member chooses at a free price, and so does its renewal', async () => {
    const free = await newPlan({ amount: '5', freeAmount: true, subscriptionType: 'Y' });
    const at = (more: object): object => ({ membershipPlan: free, ...more });
    const made = await make(at({ price: '20' }));
    expect(made['totalPrice']).toBe('20.00');
    const renewed = await test.inside(tenant, () => test.app.get(MembershipsService).renew(made.identifier, 'cash'));
    expect(renewed).toMatchObject({ amount: '20.00', payments: [{ amount: '20.00', method: 'cash' }] });
    const mode = { name: 'paymentMode', value: 'CARD' };
    expect(await make(at({ additionalProperty: [mode, { name: 'customAmount', value: '7.5' }] }))).toMatchObject({ totalPrice: '7.50' });
    expect(await make(at({}))).toMatchObject({ totalPrice: '5.00' });
    for (const price of ['4.99', 'x', -1]) expect(await faultsOf(post(wanted(at({ price }))))).toEqual(['/price']);
    expect(await faultsOf(post(wanted({ price: 20 })))).toEqual(['/price']);
  });

  it('sells a hidden price only when it is paid already', async () => {
    await test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.query('update price set hidden = true')));
    expect(await faultsOf(post(wanted({ additionalProperty: null })))).toEqual(['/membershipPlan/identifier']);
    await make();
  });

  it('lasts to the end of a day in the time zone of the place', async () => {
    const made = await make({ membershipPlan: plan, validFrom: '2027-07-01', validUntil: '2027-12-31' });
    expect(made).toMatchObject({ validFrom: '2027-07-01T00:00:00+02:00', validUntil: '2027-12-31T23:59:59+01:00' });
    expect(await make({ validFrom: '2027-07-01T10:00Z', validUntil: '2027-07-02T12:00:00' })).toMatchObject({
      validFrom: '2027-07-01T12:00:00+02:00',
      validUntil: '2027-07-02T12:00:00+02:00',
    });
  });

  it('starts after the valid membership', async () => {
    const first = await make();
    const second = await make({ member: { email: 'ADA+2@example.org' } });
    expect(second['validFrom']).toBe(first['validUntil']);
  });

  it('keeps the day of the month in periods of a month, and the 29th of February in those of a year', async () => {
    const dates = async (membershipPlan: string, validFrom: string, count: number): Promise<string[]> => {
      const member = { email: `${randomUUID()}@example.org` };
      const ends: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const made = await make({ membershipPlan, member, ...(index === 0 && { validFrom }) });
        ends.push(String(made['validUntil']).slice(0, 16));
      }
      return ends;
    };
    const month = await newPlan({ amount: '5', subscriptionType: 'M' });
    expect(await dates(month, '2031-01-31T10:00:00', 4)).toEqual([
      '2031-02-28T10:00',
      '2031-03-31T10:00',
      '2031-04-30T10:00',
      '2031-05-31T10:00',
    ]);
    expect(await dates(month, '2031-01-30T10:00:00', 2)).toEqual(['2031-02-28T10:00', '2031-03-30T10:00']);
    expect(await dates(month, '2031-02-28T10:00:00', 2)).toEqual(['2031-03-28T10:00', '2031-04-28T10:00']);
    expect(await dates(plan, '2032-02-29T10:00:00', 4)).toEqual(
      ['2033', '2034', '2035', '2036'].map((year) => `${year}-02-2${year === '2036' ? 9 : 8}T10:00`),
    );
  });

  it('has no end when its price has no subscription type', async () => {
    const made = await make({ membershipPlan: { identifier: await newPlan({}) }, additionalProperty: [] });
    expect(made).not.toHaveProperty('validUntil');
    expect(made).toMatchObject({ totalPrice: '0.00' });
  });

  it('requires a payment mode where nothing is sold online', async () => {
    expect(await faultsOf(post(wanted({ additionalProperty: [] })))).toEqual(['/paymentMode']);
  });

  it('lists every fault', async () => {
    const faults = await faultsOf(
      post({
        member: { email: 'ada', familyName: 'x'.repeat(101) },
        membershipPlan: { identifier: 7 },
        validFrom: '2027-02-30',
        validUntil: 'tomorrow',
        paymentMode: 'GOLD',
        additionalProperty: [{ name: 'paymentMode', value: 7 }],
      }),
    );
    expect(faults.toSorted()).toEqual([
      '/additionalProperty/0/value',
      '/member/email',
      '/member/familyName',
      '/membershipPlan/identifier',
      '/paymentMode',
      '/validFrom',
      '/validUntil',
    ]);
    expect(await faultsOf(post({}))).toEqual(['/member', '/membershipPlan']);
    expect(await faultsOf(post(wanted({ validFrom: '2027-05-02', validUntil: '2027-05-01' })))).toEqual(['/validUntil']);
    expect(await faultsOf(post(wanted({ member: { email: 'ada@example.org', givenName: 'evil.com' } })))).toEqual(['/member/givenName']);
    expect(await faultsOf(post(wanted({ membershipPlan: randomUUID() })))).toEqual(['/membershipPlan/identifier']);
    const foreign = await newPlan({}, await test.newTenant());
    expect(await faultsOf(post(wanted({ membershipPlan: foreign })))).toEqual(['/membershipPlan/identifier']);
  });

  it('never sells more than the stock', async () => {
    plan = await newPlan({ stock: 3 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => post(wanted({ member: { email: `m${index}@example.org` } }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await refused(post(wanted()), 409, 'booking.sold_out')).toMatchObject({
      remaining: [{ identifier: plan, name: 'Year', remaining: 0 }],
    });
  });

  it('applies the maximum per person, and sells nothing unpublished', async () => {
    plan = await newPlan({ maxPerUser: 1 });
    await make();
    expect(await refused(post(wanted()), 409, 'booking.limit_per_user')).toMatchObject({ mayBook: 0 });
    plan = await newPlan({ published: false });
    await refused(post(wanted()), 409, 'booking.price_not_published');
  });

  it('is sold once, however often a request is repeated', async () => {
    const send = () => post(wanted()).set('Idempotency-Key', 'once').expect(201);
    expect((await send()).text).toBe((await send()).text);
    expect((await read()).body).toMatchObject({ results: [{}] });
  });

  it('is valid JSON-LD', async () => {
    const node = await expanded(await make(), tenant);
    expect(node['@type']).toEqual([schema('ProgramMembership')]);
    expect(node[schema('membershipPlan')]).toMatchObject([{ [schema('identifier')]: [{ '@value': plan }] }]);
    expect(node[schema('member')]).toMatchObject([{ [schema('email')]: [{ '@value': 'ada@example.org' }] }]);
  });
});

describe('GET and PATCH /api/v2/memberships/', () => {
  it('lists memberships, newest first, without codes, and in pages', async () => {
    const first = await make();
    const second = await make({ member: { email: 'bo@example.org' } });
    const { body, text, headers } = await read().expect(200);
    const ids = ({ results }: { results: Body[] }): string[] => results.map(({ identifier }) => identifier);
    expect(ids(body as { results: Body[] })).toEqual([second.identifier, first.identifier]);
    expect(text).not.toContain('qrcode');
    await read().set('If-None-Match', String(headers['etag'])).expect(304);
    expect(ids((await read('?email=Bo@example.org').expect(200)).body as { results: Body[] })).toEqual([second.identifier]);
    const page = await read('?page=2&page_size=1').expect(200);
    expect(ids(page.body as { results: Body[] })).toEqual([first.identifier]);
    expect(page.headers['link']).toContain(`<${path}?page=1&page_size=1>; rel="prev"`);
    await refused(read('?page_size=501'), 400, 'query.invalid');
  });

  it('ends a membership once, with its code, and returns its stock', async () => {
    plan = await newPlan({ stock: 1 });
    const made = await make();
    const { headers } = await read(`${made.identifier}/`).expect(200);
    const seen = String(headers['etag']);
    const answers = await Promise.all(Array.from({ length: 4 }, () => patch(made.identifier).set('If-Match', seen)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
    const { body, text } = await patch(made.identifier).expect(200);
    expect(body).toMatchObject({ additionalProperty: [{ name: 'status', value: 'cancelled' }] });
    expect(text).not.toContain('qrcode');
    await patch(made.identifier).set('Prefer', 'return=minimal').expect(204);
    await make();
  });

  it('accepts only the end', async () => {
    const { identifier } = await make();
    for (const body of [{}, { membershipStatus: 'active' }, { membershipStatus: null }])
      expect(await faultsOf(patch(identifier, body))).toEqual(['/membershipStatus']);
  });

  it('answers 404 for malformed, unknown and foreign ids', async () => {
    const { identifier } = await make();
    const abroad = await test.newTenant();
    const as = await newKey(test, abroad, 'membership:read', 'membership:write');
    for (const id of ['x', randomUUID(), identifier]) {
      const at = `${path}${id}/`;
      await refused(test.on(abroad).get(at).set('Authorization', as), 404, 'membership.unknown');
      const end = test.on(abroad).call('patch', at).set('Authorization', as).send({ membershipStatus: 'cancelled' });
      await refused(end, 404, 'membership.unknown');
    }
    await refused(
      test
        .on(tenant)
        .get(path)
        .set('Authorization', await newKey(test, tenant, 'reservation:read')),
      403,
      'key.scope',
    );
  });

  it('is published without its code', async () => {
    const made = await make();
    const { body, text } = await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization).expect(200);
    const { results } = body as { results: { type: string; data: Body }[] };
    expect(results.map(({ type, data }) => [type, data.identifier])).toEqual([['membership.created', made.identifier]]);
    expect(results[0]!.data).toMatchObject({
      member: made['member'],
      membershipPlan: { identifier: plan },
      sequence: 1,
    });
    expect(text).not.toContain('qrcode');
  });
});
