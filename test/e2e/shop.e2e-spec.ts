import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService, QuestionsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { gzipSync } from 'node:zlib';
import { longRun } from '../support/long-run.js';
import { crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { endHold } from '../support/drafts.js';
import { OrderForms, ticketsIn } from '../support/order-forms.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

const [buyers, places] = longRun ? [500, 100] : [40, 10]; // More buyers would wait in a queue on a slow machine.

let test: StripeApp;
let tenant: TenantIdentity;
let forms: OrderForms;

beforeAll(async () => {
  test = await startStripeApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new OrderForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const idOf = (path: string): string => path.split('/')[2] as string;

async function freeEvent(capacity = 50): Promise<{ id: string; slug: string; priceId: string }> {
  const event = await newEvent(test, tenant, { capacity });
  const priceId = await newPrice(test, tenant, event.id, { name: 'Entry', amount: '0.00' });
  return { id: event.id, slug: event.slug, priceId };
}

describe('the page of an event', () => {
  it('sells what can be paid, is the same for everybody, and sets no cookie', async () => {
    const event = await newEvent(test, tenant, { capacity: 3, maxPerUser: 4 });
    const shut = await forms.get(`/event/${event.slug}`);
    expect(shut.text).not.toContain('<form');
    const priceId = await newPrice(test, tenant, event.id, { amount: '0.00', maxPerUser: 2 });
    const page = await forms.get(`/event/${event.slug}`);
    expect(page.headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'referrer-policy': 'same-origin' });
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    for (const text of ['Sold at the venue', '3 left', 'At most 4 for one person.', `id="q-${priceId}" name="quantity" min="0" max="2"`])
      expect(page.text).toContain(text);
    expect(page.text).not.toContain(`id="q-${event.priceId}"`);
    expect(gzipSync(page.text).length).toBeLessThan(30_000);
    // A price that cannot be paid is refused, too.
    const refused = await forms.choose(event.slug, event.priceId, '1');
    expect(refused.status).toBe(422);
    await test.takePayments(tenant);
    // Readers of the same second may share a page.
    const shows = async (text: string): Promise<string> => {
      const { text: shown } = await until(
        () => forms.get(`/event/${event.slug}`),
        (answer) => answer.text.includes(text),
      );
      return shown;
    };
    await shows(`id="q-${event.priceId}"`);
    await forms.begin(event.slug, event.priceId, '3');
    expect(await shows('At the moment all are reserved.')).not.toContain(`action="/event/${event.slug}/book"`);
  });

  it('refuses with what was typed, and says what is still possible', async () => {
    const event = await freeEvent(3);
    const few = await forms.choose(event.slug, event.priceId, '5');
    expect(few.status).toBe(409);
    expect(few.text).toContain('Only 3 are left.');
    expect(few.text).toMatch(/value="5"/);
    expect(few.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    for (const quantity of ['0', '', 'x', '-1', '9999']) expect((await forms.choose(event.slug, event.priceId, quantity)).status).toBe(422);
    const free = await newPrice(test, tenant, event.id, { amount: '5.00', freeAmount: true });
    const low = await forms.choose(event.slug, free, '1', { amount: '4,50' });
    expect(low.status).toBe(422);
    expect(low.text).toContain('value="4,50"');
    await inside(() => test.app.get(EventsService).update(event.id, { maxPerUser: 2 }));
    expect((await forms.choose(event.slug, event.priceId, '3')).text).toContain('One person may book 2 at most.');
    const foreign = await test
      .on(tenant)
      .post(`/event/${event.slug}/book`)
      .set('Origin', 'http://evil.example')
      .type('form')
      .send('price=1');
    expect(foreign.status).toBe(403);
    expect((await forms.choose('nothing-here', event.priceId, '1')).status).toBe(404);
  });

  it('changes the order that it began when its form is sent again', async () => {
    const event = await freeEvent(2);
    const first = await forms.choose(event.slug, event.priceId, '2');
    const cookie = String(first.headers['set-cookie']).split(';')[0] as string;
    const path = await forms.begin(event.slug, event.priceId, '1', { cookie });
    expect(path).toBe(first.headers['location']);
    expect(await sql('select booked from event where id = $1', [event.id])).toEqual([{ booked: 1 }]);
    const changing = await forms.get(`${path}/tickets`);
    expect(changing.text).toContain(`<p class="back"><a href="${path}">← Back to your order</a></p>`);
    expect(changing.text).toMatch(/name="quantity"[^>]*value="1"/);
    const more = [['price', event.priceId] as const, ['quantity', '2'] as const, ['amount', ''] as const];
    expect((await forms.post(`${path}/tickets`, more)).headers['location']).toBe(path);
    expect((await forms.get(path)).text).toContain('2 ×');
  });

  it('are changed with a button of the contact form, which keeps what was typed in the browser', async () => {
    const event = await freeEvent();
    const path = await forms.begin(event.slug, event.priceId, '2');
    expect((await forms.get(path)).text).toMatch(/<button class="button">Book the tickets.*name="change"/s);
    const typed = Object.entries({ email: 'ada@example.org', first_name: 'Ada', last_name: 'L. “é”', change: '1' });
    const sent = await forms.post(path, [...typed, ['holder_first', 'Ada'], ['holder_first', 'Zoë']]);
    const cookie = String(sent.headers['set-cookie']);
    expect([sent.status, sent.headers['location'], /; HttpOnly; SameSite=Lax/.test(cookie)]).toEqual([303, `${path}/tickets`, true]);
    const back = await test.on(tenant).get(path).set('Cookie', cookie.split(';')[0]!).buffer(true);
    for (const value of ['ada@example.org', 'Ada', 'L. “é”', 'Zoë']) expect(back.text).toContain(`value="${value}"`);
    const names = Array.from({ length: 40 }, () => ['holder_first', 'x'.repeat(100)] as const);
    const short = String((await forms.post(path, [...typed, ...names])).headers['set-cookie']);
    const shown = await test.on(tenant).get(path).set('Cookie', short.split(';')[0]!).buffer(true);
    expect([short.length < 400, ...[shown, await forms.get(path)].map(({ text }) => text.includes('ada@'))]).toEqual([true, true, false]);
  });
});

describe('an order', () => {
  it('of free tickets leads to the confirmation by mail, once, however often its form is sent', async () => {
    const event = await freeEvent();
    const path = await forms.begin(event.slug, event.priceId, '2');
    const page = await forms.get(path);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin' });
    for (const text of ['Your tickets are held for you ', 'data-seconds="', 'Book the tickets']) expect(page.text).toContain(text);
    const fields = [
      ...ticketsIn(page.text),
      ['email', 'ada@example.org'] as const,
      ['holder_first', 'Ada'] as const,
      ['holder_first', 'Zoë'] as const,
    ];
    const answers = await Promise.all(crowd(4, () => forms.post(path, fields)));
    for (const answer of answers) expect([answer.status, answer.headers['location']]).toEqual([303, path]);
    const sent = await forms.get(path);
    // This server sends no mail.
    for (const text of ['One step is left', 'Ask the venue for the link to confirm']) expect(sent.text).toContain(text);
    expect(sent.text).not.toContain('/reservation/');
    expect(await sql('select status, email from reservation where id = $1', [idOf(path)])).toEqual([
      { status: 'F', email: 'ada@example.org' },
    ]);
    expect(await sql('select first_name as name from ticket where reservation_id = $1 order by position', [idOf(path)])).toEqual([
      { name: 'Ada' },
      { name: 'Zoë' },
    ]);
    expect((await forms.get(`/order/${idOf(path)}/${'x'.repeat(27)}`)).status).toBe(404);
  });

  it('names its faults at their fields, and keeps what was typed', async () => {
    const event = await freeEvent();
    const [{ productId }] = (await sql<{ productId: string }>('select product_id as "productId" from price where id = $1', [
      event.priceId,
    ])) as [{ productId: string }];
    await inside(() =>
      test.app.get(QuestionsService).define(productId, [
        { label: 'Diet', kind: 'multiple_choice', scope: 'ticket', required: true, choices: ['Vegan', 'No nuts'] },
        { label: 'How did you find us?', kind: 'text', scope: 'reservation', required: true, choices: [] },
      ]),
    );
    const asked = await sql<{ id: string }>('select id from question where product_id = $1 order by position', [productId]);
    const [diet, age] = asked.map(({ id }) => id);
    await sql(`update configuration set terms = '<p>No refunds</p>'`);
    const path = await forms.begin(event.slug, event.priceId, '2');
    const refused = await forms.complete(path, { email: 'ada', first_name: 'Ada <b>', [`q-${diet}`]: '1.1' });
    expect(refused.status).toBe(422);
    for (const id of ['email', 'terms', `q-${age}-0`, `q-${diet}-0`]) expect(refused.text).toContain(`<a href="#${id}">`);
    for (const text of ['value="ada"', 'value="Ada &lt;b>"', 'value="1.1" checked']) expect(refused.text).toContain(text);
    const fields: [string, string][] = [...ticketsIn(refused.text), ['email', 'ada@example.org'], ['terms', 'yes'], [`q-${age}`, 'Poster']];
    const done = await forms.post(path, [...fields, [`q-${diet}`, '0.0'], [`q-${diet}`, '1.0'], [`q-${diet}`, '1.1']]);
    expect(done.status).toBe(303);
    const answers = await sql<{ value: unknown }>('select value from answer where reservation_id = $1 order by value::text', [idOf(path)]);
    expect(answers.map(({ value }) => value)).toEqual(
      ['Poster', ['Vegan'], ['Vegan', 'No nuts']].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    );
    await sql('update configuration set terms = null');
  });

  it('refuses an address as a name of the buyer and of a guest', async () => {
    const event = await freeEvent();
    const path = await forms.begin(event.slug, event.priceId, '2');
    const refused = await forms.complete(path, { first_name: 'Win at evil.com', holder_last: 'www.evil' });
    expect(refused.status).toBe(422);
    for (const id of ['first_name', 'holder_last-0']) expect(refused.text).toContain(`<a href="#${id}">`);
  });

  it('of paid tickets leads to the checkout, and its page waits for the payment', async () => {
    await test.takePayments(tenant);
    const event = await newEvent(test, tenant);
    const path = await forms.begin(event.slug, event.priceId, '2');
    test.stripe.fault = 'error';
    const failed = await forms.complete(path);
    expect(failed.status).toBe(503);
    expect(failed.text).toContain('The payment page could not be opened.');
    test.stripe.fault = undefined;
    const toPay = (await forms.get(path)).text;
    expect(toPay).toContain('Pay €25');
    // The time stands once, beside the clock of the script.
    for (const text of [failed.text, toPay]) expect(text.match(/Your tickets are held/g)).toHaveLength(1);
    expect(toPay).toMatch(/data-seconds.*Your tickets are held <time .*>until .*<\/time>\. Pay now to get them\./s);
    const paying = await forms.post(path, []);
    expect(paying.status).toBe(303);
    const session = test.lastSession();
    expect(paying.headers['location']).toBe(session['url']);
    expect((await forms.post(path, [])).headers['location']).toBe(session['url']);
    const asked = test.stripe.requests.findLast(({ path: sent }) => sent === '/v1/checkout/sessions')!.parameters;
    const back = new URL(asked['success_url']!);
    const waiting = await forms.get(back.pathname + back.search);
    expect(waiting.text).toContain('We are waiting for the confirmation');
    expect(waiting.text).toContain(`content="3;url=${back.pathname}?paid=2"`);
    expect((await forms.get(`${back.pathname}?paid=21`)).text).not.toContain('http-equiv="refresh"');
    const cancelled = await forms.get(new URL(asked['cancel_url']!).pathname);
    expect(cancelled.text).toContain(String(session['url']));
    await test.deliver(test.stripe.pay(session.id), tenant);
    expect((await forms.get(path)).headers['location']).toBe(`${back.pathname}?done=1`);
    expect((await forms.get(back.pathname + back.search)).text).toContain('<svg');
  });

  it('whose hold ended is renewed while places remain, and else says so', async () => {
    const event = await freeEvent(1);
    const path = await forms.begin(event.slug, event.priceId, '1');
    await endHold(test, tenant, idOf(path));
    expect((await forms.get(path)).text).toContain('Your tickets were held until');
    const other = await forms.begin(event.slug, event.priceId, '1');
    const refused = await forms.complete(path, { first_name: 'Grace' });
    expect(refused.status).toBe(409);
    for (const text of ['There are none left. Choose other tickets.', 'value="Grace"', 'name="change"'])
      expect(refused.text).toContain(text);
    await endHold(test, tenant, idOf(other));
    expect((await forms.complete(path)).status).toBe(303);
    await sql('delete from ticket where reservation_id = $1', [idOf(other)]);
    await sql('delete from order_line where reservation_id = $1', [idOf(other)]);
    await sql('update event set booked = 1 where id = $1', [event.id]);
    await sql('update event_price set sold = 1 where event_id = $1', [event.id]);
    await sql('delete from reservation where id = $1', [idOf(other)]);
    expect((await forms.get(other)).status).toBe(410);
  });

  it('whose hold ended names what is left of each price, or of the event', async () => {
    const { id, slug } = await newEvent(test, tenant, { capacity: 5 });
    const [one, other] = [
      await newPrice(test, tenant, id, { name: 'Entry', amount: '0.00', stock: 3 }),
      await newPrice(test, tenant, id, { name: 'Balcony', amount: '0.00' }),
    ];
    const begin = async (lines: readonly (readonly [string, number])[]): Promise<string> => {
      const fields = lines.flatMap(([priceId, quantity]) => [['price', priceId] as const, ['quantity', String(quantity)] as const]);
      return String((await forms.post(`/event/${slug}/book`, fields)).headers['location']);
    };
    const refused = async (path: string): Promise<string> => (await forms.complete(path)).text;
    const path = await begin([[one, 3]]);
    await endHold(test, tenant, idOf(path));
    await begin([[one, 2]]);
    expect(await refused(path)).toContain('Only 1 is left. Choose other tickets.');
    const mixed = await begin([
      [one, 1],
      [other, 2],
    ]);
    await endHold(test, tenant, idOf(mixed));
    await begin([[other, 1]]);
    expect(await refused(mixed)).toContain('Only 2 are left. Choose other tickets.');
    await begin([[one, 1]]);
    expect(await refused(mixed)).toContain('Entry: There are none left. Balcony: Only 1 is left. Choose other tickets.');
  });

  it('refuses a form that shows other tickets than the order has now', async () => {
    const event = await freeEvent();
    const path = await forms.begin(event.slug, event.priceId, '1');
    const old = ticketsIn((await forms.get(path)).text);
    await forms.post(`${path}/tickets`, [
      ['price', event.priceId],
      ['quantity', '2'],
      ['amount', ''],
    ]);
    const refused = await forms.post(path, [...old, ['email', 'ada@example.org']]);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('changed in another window');
  });
});

describe('many buyers of few places', () => {
  it(`get exactly the ${places} there are through the pages (${buyers} buyers)`, async () => {
    const event = await freeEvent(places);
    const answers = await Promise.all(
      crowd(buyers, async (index) => {
        const chosen = await forms.choose(event.slug, event.priceId, '1');
        if (chosen.status !== 303) return chosen.status;
        return (await forms.complete(String(chosen.headers['location']), { email: `buyer-${index}@example.org` })).status;
      }),
    );
    expect(answers.filter((status) => status === 303)).toHaveLength(places);
    expect(answers.filter((status) => status === 409)).toHaveLength(buyers - places);
    const [row] = await sql<{ count: number }>(`select count(*)::int as count from ticket where event_id = $1 and status = 'N'`, [
      event.id,
    ]);
    expect(row).toEqual({ count: places });
  }, 300_000);
});
