import { GiftCardLinks, GiftCardsService, type WholeGiftCard } from '#gift-cards';
import { PlaceProfileService } from '#places';
import { ReservationChangesService } from '#tickets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { book, letHoldsLapse, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { OnlinePayments } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { staffOf } from '../support/panel-staff.js';
import { reserveCard } from '../support/gift-cards.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';
import { newKey } from '../support/webhooks.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let deliver: OnlinePayments['deliver'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, deliver } = payments);
  await inside(() => test.app.get(PlaceProfileService).change({ giftCards: '20 50', country: 'DE', donations: '5' }));
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const forms = (): CartForms => new CartForms(test, tenant);
const cards = (): GiftCardsService => test.app.get(GiftCardsService);
const issue = (amount: string): Promise<WholeGiftCard> => inside(() => cards().issue({ amount, note: 'test' }));
const balanceOf = async (id: string): Promise<string> => (await inside(() => cards().find(id)))!.balance;
const movesOf = async (id: string): Promise<string[]> =>
  (await inside(() => cards().find(id)))!.movements.map(({ kind, amount }) => `${kind} ${amount}`);

/** An order of two tickets for 25 euros, before its contact form is sent. */
async function order(): Promise<{ path: string; id: string; browser: OrderForms }> {
  const browser = new OrderForms(test, tenant);
  const { slug, id } = await newEvent(test, tenant);
  const path = await browser.begin(slug, await newPrice(test, tenant, id, { name: 'Entry', amount: '12.50' }), '2');
  return { path, id: path.split('/')[2] as string, browser };
}
const enter = (browser: OrderForms, path: string, code: string) => browser.post(`${path}/gift-card`, [['giftCard', code]]);
const ledgerOf = async (id: string): Promise<string[]> =>
  (await payments.again(id)).payments.map(({ kind, provider, status, amount }) => `${kind} ${provider} ${status} ${amount}`);

/** The page of the newest purchase. */
const lastPath = async (): Promise<string> => {
  const [row] = await sql<{ id: string }>(
    'select order_id as id from gift_card where order_id is not null order by created_at desc limit 1',
  );
  return inside(() => Promise.resolve(test.app.get(GiftCardLinks).pathTo(row!.id)));
};

const buying = {
  amount: '',
  suggested: '50.00',
  message: 'For your birthday',
  recipientName: 'Zoé',
  recipientEmail: 'zoe@example.org',
  sendOn: '',
  buyerName: 'Ada',
  buyerEmail: 'ada@example.org',
};
const buy = (fields: Readonly<Record<string, string>> = {}) => forms().post('/gift-card', Object.entries({ ...buying, ...fields }));

describe('a gift card on the pages', () => {
  it('is bought, mailed to its receiver once it is paid, and printed', async () => {
    const page = (await forms().get('/gift-card')).text;
    expect([page.includes('value="20.00"'), page.includes('name="buyerEmail"')]).toEqual([true, true]);
    const sent = await buy();
    expect([sent.status, sent.headers['location']]).toEqual([303, expect.stringContaining('http')]);
    const session = [...stripe.sessions.values()].at(-1)!;
    const path = await lastPath();
    expect((await forms().get(path)).text).toContain('Pay €50');
    expect(await sql('select code from gift_card')).toEqual([{ code: null }]);
    const paid = stripe.pay(session.id);
    await Promise.all([deliver(paid), deliver(paid)]);
    const [row] = await sql<{ id: string; code: string; ends: string }>(
      `select id, code, to_char(expires_at at time zone 'Europe/Paris', 'MM-DD') as ends from gift_card`,
    );
    expect([row!.code, row!.ends]).toEqual([expect.stringMatching(/^[A-Z\d]{16}$/), '01-01']);
    expect(await movesOf(row!.id)).toEqual(['issue 50.00']);
    const mails = await until(
      () => sql<{ kind: string; recipient: string }>('select kind, recipient from mail where sent_at is not null order by kind'),
      (found) => found.length === 2,
    );
    expect(mails).toEqual([
      { kind: 'gift-card', recipient: 'zoe@example.org' },
      { kind: 'gift-card-bought', recipient: 'ada@example.org' },
    ]);
    expect((await forms().get(path)).text).toContain('zoe@example.org');
    const pdf = await forms().get(`${path}/gift-card.pdf`);
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(await sql(`select kind, vat_amount::text as vat from order_line where kind = 'gift_card' and effective_at is not null`)).toEqual(
      [{ kind: 'gift_card', vat: '0.00' }],
    );
  });

  it('is refused with every fault at its field, and never free', async () => {
    const refused = await buy({ suggested: '', amount: '4.99', recipientEmail: 'no', buyerEmail: '', sendOn: '2020-01-01' });
    const at = [...refused.text.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name);
    expect([refused.status, at.toSorted()]).toEqual([422, ['amount', 'buyerEmail', 'recipientEmail', 'sendOn']]);
    expect((await buy({ suggested: '0' })).status).toBe(422);
    expect((await buy({ amount: '150.01' })).status).toBe(422);
  });
});

describe('an order that a gift card pays', () => {
  it('in part is paid online with the rest, and gives back to the card when it is cancelled', async () => {
    const { path, id, browser } = await order();
    const { id: card, code } = await issue('10');
    expect((await enter(browser, path, code!)).headers['location']).toBe(`${path}#gift-card`);
    const page = (await browser.get(path)).text;
    expect([page.includes('Pay €15'), page.includes('Gift card …')]).toEqual([true, true]);
    expect(await balanceOf(card)).toBe('10.00');
    await browser.complete(path);
    const session = [...stripe.sessions.values()].at(-1)!;
    expect([session.amount_total, await balanceOf(card)]).toEqual([1500, '0.00']);
    // What was sent stays as it is.
    for (const typed of [(await issue('5')).code!, '']) {
      expect(String((await enter(browser, path, typed)).headers['location'])).toContain('gift=ended');
    }
    await deliver(stripe.pay(session.id));
    expect(await ledgerOf(id)).toEqual(['payment gift_card paid 10.00', 'payment stripe paid 15.00']);
    await payments.cancel(id);
    await until(
      () => ledgerOf(id),
      (now) => now.filter((one) => one.includes('refunded')).length === 2,
    );
    expect(await movesOf(card)).toEqual(['issue 10.00', 'payment -10.00', 'refund 10.00']);
  });

  it('in whole is sold at once, without a checkout', async () => {
    const { path, id, browser } = await order();
    const [first, second] = [await issue('5'), await issue('100')];
    for (const { code } of [first, second]) await enter(browser, path, code!);
    const before = stripe.sessions.size;
    await browser.complete(path);
    expect([stripe.sessions.size, (await payments.again(id)).status]).toEqual([before, expect.stringMatching(/^[PV]$/)]);
    expect([await balanceOf(first.id), await balanceOf(second.id)]).toEqual(['0.00', '80.00']);
    expect(await ledgerOf(id)).toEqual(['payment gift_card paid 5.00', 'payment gift_card paid 20.00']);
  });

  it('gives back what was reserved when the checkout ends, and takes it again when it was paid after all', async () => {
    const { path, id, browser } = await order();
    const { id: card, code } = await issue('10');
    await enter(browser, path, code!);
    await browser.complete(path);
    const session = [...stripe.sessions.values()].at(-1)!;
    await letHoldsLapse(test, tenant);
    await inside(() => test.app.get(ReservationChangesService).expire(id));
    expect([await balanceOf(card), (await payments.again(id)).status]).toEqual([expect.stringMatching(/^(0|10).00$/), 'U']);
    await deliver(
      stripe.event('checkout.session.expired', { ...stripe.sessions.get(session.id)!, payment_status: 'unpaid', status: 'expired' }),
    );
    expect([await balanceOf(card), await ledgerOf(id)]).toEqual([
      '10.00',
      ['payment gift_card failed 10.00', 'payment stripe failed 15.00'],
    ]);
  });

  it('leaves the donation of a cart to the checkout, which sells everything', async () => {
    const browser = forms();
    const { id, slug } = await newEvent(test, tenant);
    const { path, cookie } = await browser.collect([{ id, slug, priceId: await newPrice(test, tenant, id, { amount: '10.00' }) }]);
    await browser.post(`${path}/donation`, [['donation', '5']], cookie);
    const card = await issue('100');
    await browser.post(`${path}/gift-card`, [['giftCard', card.code!]], cookie);
    expect((await browser.get(`${path}/contact`)).text).toContain('Pay €5');
    await browser.post(`${path}/contact`, await browser.contact(path), cookie);
    const session = [...stripe.sessions.values()].at(-1)!;
    expect([session.amount_total, await balanceOf(card.id)]).toEqual([500, '90.00']);
    await deliver(stripe.pay(session.id));
    const lines = await sql('select kind, effective_at is not null as sold from order_line where order_id = $1 order by kind', [
      path.split('/')[2],
    ]);
    expect(lines).toEqual([
      { kind: 'donation', sold: true },
      { kind: 'ticket', sold: true },
    ]);
    // The part of the checkout that cost nothing is no payment to staff.
    const { records = [] } = await (await staffOf(test, tenant)).list('payments', { 'filters.eventId': id });
    expect(records.map(({ params }) => [params['method'], params['amount']])).toEqual([['gift_card', '10.00']]);
  });

  it('gives back what was reserved with the end of a hold whose checkout was not opened', async () => {
    const { path, id, browser } = await order();
    const { id: card, code } = await issue('10');
    await enter(browser, path, code!);
    stripe.fault = 'error';
    await browser.complete(path);
    expect([await balanceOf(card), (await payments.again(id)).status]).toEqual(['0.00', 'R']);
    expect((await browser.get(`${path}?gift=ended`)).text).toContain('cannot be added or removed any more');
    const expire = () => inside(() => test.app.get(ReservationChangesService).expire(id));
    await expire();
    expect(await balanceOf(card)).toBe('0.00');
    await letHoldsLapse(test, tenant);
    await expire();
    expect(await balanceOf(card)).toBe('10.00');
  });

  it('prolongs a card that has expired when it is cancelled', async () => {
    const { path, id, browser } = await order();
    const { id: card, code } = await issue('25');
    await enter(browser, path, code!);
    await browser.complete(path);
    await sql(`update gift_card set expires_at = now() - interval '1 day' where id = $1`, [card]);
    await payments.cancel(id);
    expect(await balanceOf(card)).toBe('25.00');
    expect(await sql(`select expires_at > now() + interval '80 days' as later from gift_card where id = $1`, [card])).toEqual([
      { later: true },
    ]);
  });

  it('leaves to the checkout what a provider charges at least', async () => {
    const { path, browser } = await order();
    const { id: card, code } = await issue('24.80');
    await enter(browser, path, code!);
    await browser.complete(path);
    expect([[...stripe.sessions.values()].at(-1)!.amount_total, await balanceOf(card)]).toEqual([50, '0.30']);
  });

  it('refuses a card that is blocked, used up, unknown or over, and says so', async () => {
    const { path, browser } = await order();
    const card = await issue('10');
    await inside(() => cards().setBlocked(card.id, true, 'lost'));
    const { headers } = await enter(browser, path, card.code!);
    expect(String(headers['location'])).toContain('gift=blocked');
    expect((await browser.get(String(headers['location']).split('#')[0] as string)).text).toContain('This gift card is blocked.');
    const other = await inside(() => cards().replace(card.id, 'lost'));
    expect([other?.balance, await balanceOf(card.id)]).toEqual(['10.00', '0.00']);
    expect(String((await enter(browser, path, card.code!)).headers['location'])).toContain('gift=replaced');
    expect((await enter(browser, path, other!.code!)).headers['location']).toBe(`${path}#gift-card`);
  });
});

describe('a gift card beside other ways to pay', () => {
  const event = async (amount = '12.50') => {
    const { id } = await newEvent(test, tenant);
    return { id, priceId: await newPrice(test, tenant, id, { amount }) };
  };

  it('pays first at the box office and in the API, also in part', async () => {
    const { id: card, code } = await issue('20');
    const sold = await book(test, tenant, await event(), { quantity: 2, confirmed: true, paymentMethod: 'cash', giftCard: code! });
    expect(await ledgerOf(sold.id)).toEqual(['payment gift_card paid 20.00', 'payment venue paid 5.00']);
    expect(await balanceOf(card)).toBe('0.00');
    const other = await issue('20');
    const online = await book(test, tenant, await event(), { quantity: 2, giftCard: other.code! });
    expect([online.status, await ledgerOf(online.id)]).toEqual(['U', ['payment gift_card pending 20.00', 'payment stripe pending 5.00']]);
    await payments.cancel(online.id);
    expect(await movesOf(other.id)).toEqual(['issue 20.00', 'payment -20.00', 'release 20.00']);
    const whole = await book(test, tenant, await event('10'), { giftCard: other.code! });
    expect([whole.status, await balanceOf(other.id)]).toEqual([expect.stringMatching(/^[PV]$/), '10.00']);
    const authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write');
    const { id: eventId, priceId } = await event('10');
    const asked = () =>
      test
        .on(tenant)
        .post('/api/v2/reservations/')
        .set({ Authorization: authorization, 'Idempotency-Key': 'repeated-with-a-card' })
        .send({
          reservationFor: { identifier: eventId },
          underName: { email: 'zoe@example.org' },
          reservedTicket: [{ identifier: priceId }],
          giftCard: other.code,
        });
    const [made, again] = [await asked().expect(201), await asked().expect(201)];
    expect([again.body, await balanceOf(other.id)]).toEqual([made.body, '0.00']);
    const unknown = book(test, tenant, await event(), { confirmed: true, paymentMethod: 'cash', giftCard: 'AAAACCCCDDDDEEEE' });
    await expect(unknown).rejects.toThrow('There is no gift card with this code.');
  });

  it('is withdrawn from while it is not used, in two steps, and refunded', async () => {
    await buy({ recipientEmail: '' });
    const session = [...stripe.sessions.values()].at(-1)!;
    await deliver(stripe.pay(session.id));
    const path = await lastPath();
    // What was reserved and given back does not use it.
    const [{ id: bought } = { id: '' }] = await sql<{ id: string }>('select id from gift_card order by issued_at desc limit 1');
    const { id: eventId, priceId } = await event();
    const sold = await book(test, tenant, { id: eventId, priceId }, { confirmed: true });
    await reserveCard(test, tenant, sold.id, bought, '12.50');
    await sql(`update payment set status = 'failed' where provider_payment = $1`, [bought]);
    expect((await forms().get(`${path}/withdraw`)).text).toContain('value="ada@example.org"');
    const statement = [['first_name', 'Ada'] as const, ['last_name', 'Martin'] as const, ['email', 'ada@example.org'] as const];
    expect((await forms().post(`${path}/withdraw`, statement)).status).toBe(200);
    const [one, two] = await Promise.all([1, 2].map(() => forms().post(`${path}/withdraw`, [...statement, ['step', 'confirm'] as const])));
    expect([one!.status, two!.status]).toEqual([303, 303]);
    const [card] = await sql<{ id: string; ended: boolean }>(
      'select id, withdrawn_at is not null as ended from gift_card where order_id is not null order by created_at desc limit 1',
    );
    expect([card!.ended, await movesOf(card!.id)]).toEqual([true, ['issue 50.00', 'payment -12.50', 'release 12.50', 'withdrawal -50.00']]);
    expect(await sql(`select count(*)::int as count from mail where kind = 'withdrawal'`)).toEqual([{ count: 1 }]);
    expect((await forms().get(`${path}/withdraw`)).text).toContain('€50');
  });
});
