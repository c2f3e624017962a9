import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EnteredCodesService } from '#selling';
import { CodesService, type NewCode } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { book as bookOne, crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import { OrderForms } from '../support/order-forms.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: OrderForms;
let event: { id: string; slug: string };
let priceId: string;
let hidden: string;

beforeAll(async () => {
  test = await startStripeApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
});
beforeEach(async () => {
  tenant = await test.newTenant({ language: 'en' });
  forms = new OrderForms(test, tenant);
  await test.takePayments(tenant);
  event = await newEvent(test, tenant, { capacity: 50 });
  priceId = await newPrice(test, tenant, event.id, { name: 'Entry', amount: '20.00' });
  hidden = await newPrice(test, tenant, event.id, { name: 'Works council', amount: '3.33', hidden: true });
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

/** Adds a ticket to a cart. @returns its answer, and the cookie of the cart */
async function add(slug: string, price: string, fields: Readonly<Record<string, string>> = {}, cookie = '') {
  const answer = await forms.post(`/cart/event/${slug}`, Object.entries({ price, quantity: '1', amount: '', ...fields }), cookie);
  const set = (answer.headers['set-cookie'] ?? []) as unknown as string[];
  return { path: String(answer.headers['location']), cookie: set.map((one) => one.split(';')[0]).join('; ') || cookie, answer };
}

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const newCode = async (input: Partial<NewCode> = {}): Promise<string> =>
  (
    await inside(() =>
      test.app.get(CodesService).create({ code: `C${randomUUID().slice(0, 8)}`, effect: 'percent', value: '25', ...input }),
    )
  ).code;
const refusal = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error: unknown) => error);
const page = async (code: string): Promise<string> => (await forms.get(`/event/${event.slug}?code=${encodeURIComponent(code)}`)).text;
const book = (fields: Readonly<Record<string, string>>) =>
  forms.post(`/event/${event.slug}/book`, Object.entries({ price: priceId, quantity: '1', amount: '', ...fields }));

describe('a code on the page of an event', () => {
  it('applies with its link and in the field, is kept by the hold, and is paid less', async () => {
    const code = await newCode();
    const shown = await forms.get(`/event/${event.slug}?code=${code.toLowerCase()}`);
    expect(shown.headers['cache-control']).toContain('no-store');
    for (const text of [`The code ${code} applies.`, 'instead of €20', '€15', `name="code" value="${code}"`])
      expect(shown.text).toContain(text);
    const begun = await book({ quantity: '2', code });
    expect(begun.status).toBe(303);
    const path = String(begun.headers['location']);
    const order = (await forms.get(path)).text;
    for (const text of [`Code ${code}: you save €10.`, '€30']) expect(order).toContain(text);
    // The form with the tickets has the code, too.
    expect((await forms.get(`${path}/tickets`)).text).toContain('€15');
    const paid = await forms.complete(path);
    expect(paid.status).toBe(303);
    expect(await sql('select amount::text, status from reservation')).toEqual([{ amount: '30.00', status: 'U' }]);
    expect(await sql('select amount::text from payment')).toEqual([{ amount: '30.00' }]);
  });

  it('makes a booking without a payment of what is free with it', async () => {
    const code = await newCode({ value: '100' });
    const path = String((await book({ code })).headers['location']);
    expect((await forms.complete(path)).status).toBe(303);
    expect(await sql('select amount::text, status from reservation')).toEqual([{ amount: '0.00', status: 'F' }]);
  });

  it('says which fault it has', async () => {
    const hour = 3_600_000;
    const faults: [Partial<NewCode>, string][] = [
      [{ validFrom: new Date(Date.now() + hour) }, 'This code is not valid yet.'],
      [{ validUntil: new Date(Date.now() - hour) }, 'This code is not valid any more.'],
      [{ eventIds: [(await newEvent(test, tenant)).id] }, 'This code is not for what you chose.'],
      [{ disabled: true }, 'There is no such code.'],
    ];
    for (const [input, text] of faults) {
      const code = await newCode(input);
      expect(await page(code)).toContain(text);
      const refused = await book({ code });
      expect([refused.status, refused.text.includes(text)]).toEqual([422, true]);
    }
    const last = await newCode({ maxUses: 1 });
    const few = await book({ code: last, quantity: '2' });
    expect([few.status, few.text.includes('This code is used up')]).toEqual([409, true]);
    await book({ code: last });
    expect(await page(last)).toContain('This code is used up');
    expect(await page('NO-SUCH-CODE')).toContain('There is no such code.');
  });

  it('is offered to the order that the reader holds, and may be any text', async () => {
    const code = await newCode();
    const path = String((await book({})).headers['location']);
    const held = await forms.get(path);
    const cookie = (held.headers['set-cookie'] as unknown as string[]).map((one) => one.split(';')[0]).join('; ');
    const see = (query = '') => test.on(tenant).get(`/event/${event.slug}${query}`).set('Cookie', cookie).buffer(true);
    const shown = await see(`?code=${code}`);
    for (const text of [`action="${path}/discount"`, `value="${code}"`]) expect(shown.text).toContain(text);
    expect((await see()).text).not.toContain('/discount"');
    expect((await forms.post(`${path}/discount`, [['code', code]], cookie)).status).toBe(303);
    expect(await sql('select amount::text from reservation')).toEqual([{ amount: '15.00' }]);
    // The cut at 60 goes through a pair of surrogates.
    expect((await forms.get(`/event/${event.slug}?code=${'x'.repeat(59)}${encodeURIComponent('🎟')}`)).status).toBe(200);
  });

  it('opens hidden prices, of which a stranger learns nothing', async () => {
    const opening = await newCode({ effect: 'none', value: null, priceIds: [hidden] });
    const other = await newCode();
    const paths = [
      '/',
      `/event/${event.slug}`,
      `/event/${event.slug}.json`,
      '/agenda.json',
      '/agenda.rss',
      `/event/${event.slug}?code=${other}`,
      '/sitemap.xml',
    ];
    for (const path of [...paths, '/api/products/', '/api/prices/', `/api/events/${event.id}`]) {
      const { text } = await forms.get(path);
      expect([path, /Works council|3[.,]33/.test(text) || text.includes(hidden)]).toEqual([path, false]);
    }
    expect(await page(opening)).toContain('Works council');
    for (const code of ['', other]) expect((await book({ price: hidden, code })).status).toBe(422);
    expect((await book({ price: hidden, code: opening })).status).toBe(303);
  });

  it('is limited when codes are tried, and not for who knows one', async () => {
    const code = await newCode();
    for (let count = 0; count < 12; count += 1) expect(await page(code)).toContain('applies');
    for (let count = 0; count < 10; count += 1) expect(await page(`WRONG-${count}`)).toContain('There is no such code.');
    for (const typed of ['WRONG-10', code]) expect(await page(typed)).toContain('Too many codes were tried.');
    expect((await book({ code })).text).toContain('Too many codes were tried.');
    const full = await newEvent(test, tenant, { capacity: 1 });
    await bookOne(test, tenant, full, { confirmed: true });
    const wanted = Object.entries({ price: full.priceId, quantity: '1', email: 'ada@example.org', code });
    expect((await forms.post(`/event/${full.slug}/wait`, wanted)).text).toContain('Too many codes were tried.');
    // An hour without a wrong code forgets them.
    await test.database.query(`update shared.sign_in_attempt set last_failure_at = now() - interval '61 minutes', locked_until = null`);
    for (let count = 0; count < 9; count += 1) expect(await page(`WRONG-${count}`)).toContain('There is no such code.');
    expect(await page(code)).toContain('applies');
  });

  it('works for others while strangers try many, and for thirty buyers of one network at once', async () => {
    const code = await newCode();
    const disabled = await newCode({ disabled: true });
    const from = (client: string, typed: string) => inside(() => test.app.get(EnteredCodesService).enter(typed, client));
    // Forty networks, more wrong codes than any limit: nobody else notices.
    const flood = crowd(400, (index) => from(`198.51.${index % 40}.1`, `WRONG-${index}`));
    expect((await Promise.allSettled(flood)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await from('192.0.2.7', code)).toBe(code);
    await expect(from('198.51.0.1', code)).rejects.toMatchObject({ reason: 'code_tries' });
    // More than the limit of wrong ones: codes that exist are not counted.
    expect(await Promise.all(crowd(30, () => from('192.0.2.8', code)))).toEqual(Array.from({ length: 30 }, () => code));
    for (let count = 0; count < 12; count += 1) await expect(from('192.0.2.8', disabled)).rejects.toMatchObject({ reason: 'code_unknown' });
    expect(await from('192.0.2.8', code)).toBe(code);
  });
});

describe('a code in an order', () => {
  it('with a single use stays when the order or the cart that has it is changed', async () => {
    const code = await newCode({ maxUses: 1 });
    const path = String((await book({ code })).headers['location']);
    expect((await forms.get(`${path}/tickets`)).text).toContain(`The code ${code} applies.`);
    const fields = Object.entries({ price: priceId, quantity: '1', amount: '', code });
    expect((await forms.post(`${path}/tickets`, fields)).status).toBe(303);
    expect(await sql('select amount::text from reservation')).toEqual([{ amount: '15.00' }]);
    const two = await forms.post(`${path}/tickets`, [
      ['price', priceId],
      ['quantity', '2'],
      ['amount', ''],
      ['code', code],
    ]);
    expect([two.status, two.text.includes('This code is used up')]).toEqual([409, true]);
    const other = await newCode({ maxUses: 1 });
    const { cookie } = await add(event.slug, priceId, { code: other });
    expect((await add(event.slug, priceId, { code: other }, cookie)).answer.status).toBe(303);
    expect((await book({ code: other })).text).toContain('This code is used up');
  });

  it('with places shows prices as on sale only where places were too few', async () => {
    await newPrice(test, tenant, event.id, { name: 'Few', amount: '8.00', stock: 0 });
    const code = await newCode({ eventIds: [event.id], reserved: 50 });
    const shown = await page(code);
    expect(shown.match(/sold out/gi)).toHaveLength(1);
    expect(shown).toContain('instead of €20');
  });

  it('stays with an exchange for prices of members, which costs what the page says', async () => {
    const plan = await newPlan(test, tenant, '5.00');
    await newMemberPrice(test, tenant, { priceId }, plan, '8.00');
    const code = await newCode({ maxUses: 1 });
    const { path } = await add(event.slug, priceId, { code });
    const shown = (await forms.get(path)).text;
    const fields = [...shown.matchAll(/name="(membership|sum)" value="([^"]+)"/g)].map(([, name, value]): [string, string] => [
      name!,
      value!,
    ]);
    expect(fields.find(([name]) => name === 'sum')).toEqual(['sum', '11.00']);
    expect((await forms.post(`${path}/save`, fields)).status).toBe(303);
    expect(await sql('select amount::text from reservation')).toEqual([{ amount: '6.00' }]);
    expect(await sql('select saved::text from code_use')).toEqual([{ saved: '2.00' }]);
  });

  it('leaves a cart, but not tickets that cannot be had without it', async () => {
    const second = await newEvent(test, tenant);
    const other = await newPrice(test, tenant, second.id, { amount: '10.00' });
    const code = await newCode({ priceIds: [hidden, other] });
    const { path, cookie } = await add(event.slug, hidden, { code });
    await add(second.slug, other, { code }, cookie);
    const amounts = () => sql('select amount::text from reservation order by 1');
    expect(await amounts()).toEqual([{ amount: '2.49' }, { amount: '7.50' }]);
    expect((await forms.post(`${path}/discount`, [['code', '']])).status).toBe(303);
    expect(await amounts()).toEqual([{ amount: '10.00' }, { amount: '2.49' }]);
  });

  it('is entered on the page of the order, changed and given up', async () => {
    const [code, better] = [await newCode(), await newCode({ effect: 'price', value: '5' })];
    const path = await forms.begin(event.slug, priceId, '1');
    expect((await forms.get(path)).text).toContain('I have a code');
    const use = (typed: string) => forms.post(`${path}/discount`, [['code', typed]]);
    const refused = await use('NO-SUCH-CODE');
    expect([refused.status, refused.text.includes('There is no such code.')]).toEqual([409, true]);
    for (const [typed, amount] of [
      [code, '15.00'],
      [better.toLowerCase(), '5.00'],
      ['', '20.00'],
    ] as const) {
      expect((await use(typed)).status).toBe(303);
      expect(await sql('select amount::text from reservation')).toEqual([{ amount }]);
    }
    expect(await sql('select 1 from code_use')).toEqual([]);
  });

  it('is used in a cart for what it is for', async () => {
    const second = await newEvent(test, tenant);
    const other = await newPrice(test, tenant, second.id, { amount: '10.00' });
    const code = await newCode({ eventIds: [event.id] });
    const { path, cookie } = await add(event.slug, priceId);
    await add(second.slug, other, {}, cookie);
    expect((await forms.post(`${path}/discount`, [['code', code]])).status).toBe(303);
    expect((await forms.get(path)).text).toContain(`Code ${code}: you save €5.`);
    expect(await sql('select amount::text from reservation order by 1')).toEqual([{ amount: '10.00' }, { amount: '15.00' }]);
    const elsewhere = await newCode({ eventIds: [(await newEvent(test, tenant)).id] });
    expect((await forms.post(`${path}/discount`, [['code', elsewhere]])).text).toContain('This code is not for what you chose.');
    expect((await forms.post(`${path}/discount`, [['code', '']])).status).toBe(303);
    expect(await sql('select amount::text from reservation order by 1')).toEqual([{ amount: '10.00' }, { amount: '20.00' }]);
  });
});

describe('the codes of a venue', () => {
  it('are known in each spelling, once', async () => {
    const code = await newCode({ code: ' Été 2027 '.replace(' 2', '-2') });
    expect(code).toBe('ÉTÉ-2027');
    expect(await refusal(newCode({ code: 'été-2027' }))).toMatchObject({ field: 'code' });
  });

  it('refuse what does not fit', async () => {
    const faults: [string, Partial<NewCode>][] = [
      ['code', { code: 'a' }],
      ['code', { code: '<b>1234' }],
      ['value', { value: '100.01' }],
      ['value', { value: null }],
      ['value', { effect: 'amount', value: '0' }],
      ['effect', { effect: 'twice' as 'none' }],
      ['maxUses', { maxUses: 0 }],
      ['maxPerPerson', { maxPerPerson: 1.5 }],
      ['budget', { budget: '0' }],
      ['reserved', { reserved: 2 }],
      ['validUntil', { validFrom: new Date(2), validUntil: new Date(1) }],
      ['priceIds', { priceIds: [randomUUID()] }],
      ['eventIds', { eventIds: Array.from({ length: 51 }, () => randomUUID()) }],
      ['tag', { tag: 'x'.repeat(61) }],
    ];
    for (const [field, input] of faults) expect([field, await refusal(newCode(input))]).toMatchObject([field, { field }]);
  });

  it('are made at once, readable and different', async () => {
    const made = await inside(() =>
      test.app.get(CodesService).generate(300, 'press-', { effect: 'percent', value: '20', tag: 'press', maxUses: 1 }),
    );
    expect(new Set(made.map(({ code }) => code)).size).toBe(300);
    for (const { code } of made) expect(code).toMatch(/^PRESS-[ACDEFGHJKMNPQRTUVWXY34679]{10}$/);
    const listed = await inside(() => test.app.get(CodesService).list({ tag: 'press', page: { skip: 0, take: 10 } }));
    expect(listed.total).toBe(300);
    expect(await refusal(inside(() => test.app.get(CodesService).generate(501, '', {})))).toMatchObject({ field: 'count' });
  });
});
