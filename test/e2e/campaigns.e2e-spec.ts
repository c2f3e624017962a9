import { PlaceProfileService } from '#places';
import type { Scope } from '#tenancy';
import { CampaignsService, CartsService, type NewCampaign } from '#selling';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, type CartEvent } from '../support/cart-forms.js';
import { cartOf } from '../support/carts.js';
import { OnlinePayments } from '../support/online-payments.js';
import { staffOf } from '../support/panel-staff.js';
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
  await inside(() => test.app.get(PlaceProfileService).change({ donations: '2 5.50 10' }));
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const forms = (): CartForms => new CartForms(test, tenant);

/** An event with one price. */
async function soldEvent(amount: string): Promise<CartEvent> {
  const { id, slug } = await newEvent(test, tenant);
  return { id, slug, priceId: await newPrice(test, tenant, id, { name: 'Entry', amount }) };
}

const newCampaign = async (input: Partial<NewCampaign> = {}): Promise<string> =>
  (await inside(() => test.app.get(CampaignsService).create({ title: 'A new roof', published: true, ...input }))).id;
const shown = (id: string) => inside(() => test.app.get(CampaignsService).show(id));
const donationOf = async (cart: string) => (await cartOf(test, tenant, cart)).own.find(({ kind }) => kind === 'donation');

/** Gives for a campaign on its page and pays. @returns the path of the page about the donation */
async function giveFor(campaign: string, amount: string): Promise<string> {
  const { status } = await forms().post(`/donate/${campaign}`, [['donation', amount]]);
  expect(status).toBe(303);
  await deliver(stripe.pay([...stripe.sessions.values()].at(-1)!.id));
  return new URL(stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!.parameters['cancel_url']!).pathname;
}

describe('an order', () => {
  it('is rounded up by the server, to the sum that the cart has when the button arrives', async () => {
    const browser = forms();
    const { path, cookie } = await browser.collect([await soldEvent('12.50')]);
    const page = (await browser.get(path)).text;
    expect([page.includes('Round up to €15 (+ €2.50)'), page.includes('Round up to €20 (+ €7.50)')]).toEqual([true, true]);
    // Another tab has added tickets meanwhile.
    await browser.add(await soldEvent('3.20'), '1', cookie);
    const cart = path.split('/')[2] as string;
    expect(
      (
        await browser.post(
          `${path}/donation`,
          [
            ['donation', ''],
            ['round', '10'],
          ],
          cookie,
        )
      ).status,
    ).toBe(303);
    expect((await donationOf(cart))?.amount).toBe('4.30');
    // A second time it is computed without the donation before.
    await browser.post(
      `${path}/donation`,
      [
        ['donation', ''],
        ['round', '5'],
      ],
      cookie,
    );
    expect((await donationOf(cart))?.amount).toBe('4.30');
    expect(
      (
        await browser.post(
          `${path}/donation`,
          [
            ['donation', ''],
            ['round', '7'],
          ],
          cookie,
        )
      ).status,
    ).toBe(422);
  });

  it('for one event is rounded up on its page', async () => {
    const browser = forms();
    const { slug, priceId } = await soldEvent('11.00');
    const path = await browser.begin(slug, priceId, '2');
    expect((await browser.get(path)).text).toContain('Round up to €25 (+ €3)');
    await browser.post(`${path}/donation`, [
      ['donation', ''],
      ['round', '10'],
    ]);
    expect((await donationOf(path.split('/')[2] as string))?.amount).toBe('8.00');
  });

  it('that costs nothing, or a full sum, is not rounded up', async () => {
    for (const amount of ['0.00', '30.00']) {
      const browser = forms();
      const { path, cookie } = await browser.collect([await soldEvent(amount)]);
      expect((await browser.get(path)).text).not.toContain('Round up');
      await browser.post(
        `${path}/donation`,
        [
          ['donation', ''],
          ['round', '10'],
        ],
        cookie,
      );
      expect(await donationOf(path.split('/')[2] as string)).toBeUndefined();
    }
  });
});

describe('a campaign', () => {
  it('has a page that says how far it is, without what was given back', async () => {
    const id = await newCampaign({ goal: '100', text: '<p>It <strong>leaks</strong>.</p><script>alert(1)</script>', amounts: '7 70' });
    const page = (await forms().get(`/donate/${id}`)).text;
    for (const text of ['A new roof', '<strong>leaks</strong>', 'value="70.00"', '€0 of €100', 'max="100"']) expect(page).toContain(text);
    expect(page).not.toContain('alert(1)');
    expect((await forms().get('/donate')).text).toContain(`href="/donate/${id}"`);
    const given = await giveFor(id, '12,50');
    expect((await forms().get(given)).text).toContain('€12.50');
    await giveFor(id, '30');
    expect(await shown(id)).toMatchObject({ reached: '42.50', given: 2 });
    expect((await forms().get(`/donate/${id}`)).text).toContain('€42.50 of €100');
    expect(await sql('select name, vat_amount from order_line where campaign_id = $1 order by amount', [id])).toEqual([
      { name: 'Donation · A new roof', vat_amount: '0.00' },
      { name: 'Donation · A new roof', vat_amount: '0.00' },
    ]);
    const staff = await staffOf(test, tenant);
    const [row] = await sql<{ id: string }>(`select id from payment where order_id = $1`, [given.split('/')[2]]);
    await staff.act('payments', row!.id, 'refundDonation', { note: '' });
    expect(await shown(id)).toMatchObject({ reached: '30.00', given: 1 });
  });

  it('is chosen with an order, unless it has ended, is hidden or unknown', async () => {
    const id = await newCampaign({ title: 'New chairs' });
    const hidden = await newCampaign({ title: 'Secret', published: false });
    const alone = await newCampaign({ title: 'Alone', withOrders: false });
    const browser = forms();
    const { path, cookie } = await browser.collect([await soldEvent('10.00')]);
    const page = await until(
      async () => (await browser.get(path)).text,
      (text) => text.includes('New chairs'),
    );
    expect([page.includes('Secret'), page.includes('Alone')]).toEqual([false, false]);
    const cart = path.split('/')[2] as string;
    await browser.post(
      `${path}/donation`,
      [
        ['donation', '4'],
        ['campaign', id],
      ],
      cookie,
    );
    expect(await donationOf(cart)).toMatchObject({ amount: '4.00', name: 'Donation · New chairs' });
    await inside(() => test.app.get(CampaignsService).update(id, { endsAt: new Date(Date.now() - 1000) }));
    const other = await browser.collect([await soldEvent('10.00')]);
    for (const one of [id, hidden, '0d0a9a3c-0000-4000-8000-000000000000']) {
      const refused = await browser.post(
        `${other.path}/donation`,
        [
          ['donation', '6'],
          ['campaign', one],
        ],
        other.cookie,
      );
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('takes no donations any more')]);
    }
    expect(await donationOf(other.path.split('/')[2] as string)).toBeUndefined();
    expect((await forms().get(`/donate/${id}`)).text).toContain('This campaign has ended');
    expect((await forms().post(`/donate/${id}`, [['donation', '5']])).headers['location']).toBe(`/donate/${id}`);
    expect((await forms().get(`/donate/${hidden}`)).status).toBe(404);
    expect((await forms().get('/donate/nothing')).status).toBe(404);
    expect((await forms().get(`/donate/${alone}`)).status).toBe(200);
  });

  it('is made, changed and deleted in the panel, but for one that somebody gives for', async () => {
    const staff = await staffOf(test, tenant);
    const made = await staff.create('campaigns', { title: 'Piano', goal: '2000', amounts: '10 20', published: true });
    expect(JSON.stringify(made)).not.toContain('error"');
    const [{ id }] = (await sql<{ id: string }>(`select id from campaign where title = 'Piano'`)) as [{ id: string }];
    expect((await staff.look('campaigns', id)).record?.params).toMatchObject({
      goal: '2000.00',
      reached: '0.00',
      page: expect.stringContaining(`/donate/${id}`),
    });
    for (const [wrong, fault] of [
      [{ goal: '0' }, 'above 0'],
      [{ amounts: '1 2 3 4 5 6' }, 'up to 5 amounts'],
      [{ title: '' }, ''],
    ] as const)
      expect(JSON.stringify(await staff.create('campaigns', { title: 'Wrong', ...wrong }))).toContain(fault);
    expect(await sql(`select 1 from campaign where title = 'Wrong'`)).toEqual([]);
    await inside(() => test.app.get(CartsService).setDonation('7a1a9a3c-1111-4111-8111-000000000001', '5', { campaignId: id }));
    expect(JSON.stringify(await staff.act('campaigns', id, 'delete'))).toContain('Hide it instead');
    const other = await newCampaign({ title: 'Mistake' });
    await staff.act('campaigns', other, 'delete');
    expect(await sql(`select 1 from campaign where title = 'Mistake'`)).toEqual([]);
  });
});

describe('/api/v2/campaigns/', () => {
  const path = '/api/v2/campaigns/';
  const both: readonly Scope[] = ['campaign:read', 'campaign:write'];
  const keyFor = (scopes: readonly Scope[] = both): Promise<string> => newKey(test, tenant, ...scopes);
  const call = async (method: 'get' | 'post' | 'patch', at: string, body?: object, scopes?: readonly Scope[]) => {
    const authorization = await keyFor(scopes);
    return test.on(tenant).call(method, at).set('Authorization', authorization).send(body);
  };

  it('makes, lists and changes campaigns, and says what was given for them', async () => {
    const end = '2090-01-01T00:00:00Z';
    const made = await call('post', path, { name: 'Lights', description: '<p>Dark</p>', goal: 100, amounts: [7, '70'], validThrough: end });
    expect([made.status, made.body]).toEqual([
      201,
      {
        identifier: expect.any(String),
        name: 'Lights',
        description: '<p>Dark</p>',
        goal: '100.00',
        reached: '0.00',
        donations: 0,
        amounts: ['7.00', '70.00'],
        withOrders: true,
        published: false,
        validThrough: expect.stringContaining('2090-01-01'),
      },
    ]);
    const at = String(made.headers['location']);
    const id = (made.body as { identifier: string }).identifier;
    expect(at).toBe(`${path}${id}/`);
    expect((await call('patch', at, { ...made.body, published: true })).body).toMatchObject({
      published: true,
      url: expect.stringContaining(`/donate/${id}`),
    });
    await giveFor(id, '12,50');
    expect((await call('get', at)).body).toMatchObject({ reached: '12.50', donations: 1 });
    expect((await call('get', `${path}?page=1&page_size=1`)).body).toMatchObject({ results: [{ identifier: id, reached: '12.50' }] });
    const changed = await call('patch', at, { goal: null, amounts: null, description: null, validThrough: null, withOrders: false });
    expect(changed.body).toMatchObject({ amounts: [], withOrders: false, published: true });
    for (const gone of ['goal', 'description', 'validThrough']) expect(changed.body).not.toHaveProperty(gone);
    expect((await call('patch', at, { reached: '99.00' })).status).toBe(400);
  });

  it('says what does not fit, needs its scope, and decides one of several changes of the same version', async () => {
    const faults = async (body: object): Promise<unknown> =>
      ((await call('post', path, body)).body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    for (const [pointer, body] of Object.entries({
      '/name': { name: ' ' },
      '/goal': { name: 'x', goal: 0 },
      '/amounts': { name: 'x', amounts: [1, 2, 3, 4, 5, 6] },
      '/published': { name: 'x', published: 'yes' },
      '/validThrough': { name: 'x', validThrough: 'soon' },
      '/description': { name: 'x', description: 'd'.repeat(20_001) },
      '/reached': { name: 'x', reached: '5.00' },
    }))
      expect(await faults(body)).toEqual([pointer]);
    expect(await faults({ name: 'x', amounts: [0] })).toEqual(['/amounts']);
    const id = await newCampaign({ title: 'Doors' });
    const at = `${path}${id}/`;
    const others: readonly Scope[] = ['product:read', 'product:write', 'code:read', 'event:read'];
    for (const [method, to, body, scopes] of [
      ['get', path, undefined, others],
      ['get', at, undefined, ['campaign:write']],
      ['post', path, { name: 'x' }, ['campaign:read', ...others]],
      ['patch', at, { published: false }, ['campaign:read']],
    ] as const)
      expect((await call(method, to, body, scopes)).body).toMatchObject({ status: 403 });
    for (const unknown of ['x', '0d0a9a3c-0000-4000-8000-000000000000'])
      expect((await call('patch', `${path}${unknown}/`, { published: true })).body).toMatchObject({
        status: 404,
        code: 'campaign.unknown',
      });
    const headers = { Authorization: await keyFor(), 'If-Match': String((await call('get', at)).headers['etag']) };
    const answers = await Promise.all([1, 2, 3, 4, 5].map((goal) => test.on(tenant).call('patch', at).set(headers).send({ goal })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412]);
    const repeated = { Authorization: headers.Authorization, 'Idempotency-Key': 'one-campaign' };
    await Promise.all([1, 2, 3].map(() => test.on(tenant).call('post', path).set(repeated).send({ name: 'Once' })));
    expect(await sql(`select 1 from campaign where title = 'Once'`)).toHaveLength(1);
  });
});
