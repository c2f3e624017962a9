import { GiftCardRedemptionService, GiftCardsService, NetworkCardAuditService, NetworkCardsService, type WholeGiftCard } from '#gift-cards';
import { NetworksService } from '#places';
import { LedgerAuditService } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { joinNetwork } from '../support/federation.js';
import { OnlinePayments } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { staffOf } from '../support/panel-staff.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let tenant: OnlinePayments['tenant'];
let network: TenantIdentity;
let issuer: TenantIdentity;
let third: TenantIdentity;

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, tenant } = payments);
  network = await test.newTenant({ category: 'M', name: 'Halls of the coast' });
  issuer = await test.newVenue({ name: 'Harbour hall' });
  third = await test.newVenue({ name: 'Lighthouse' });
  for (const member of [tenant, issuer, third]) await joinNetwork(test, network, member);
});
beforeEach(async () => {
  for (const member of [tenant, issuer, third]) await share(member, true, true);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const here = tenantWork(() => ({ test, tenant }));
const there = tenantWork(() => ({ test, tenant: issuer }));
const cards = (): GiftCardsService => test.app.get(GiftCardsService);
const share = (member: TenantIdentity, takesCards: boolean, givesCards: boolean): Promise<boolean> =>
  test.inside(member, () => test.app.get(NetworksService).shareCards(network.id, { takesCards, givesCards }));
const issue = (amount: string): Promise<WholeGiftCard> => there.inside(() => cards().issue({ amount, note: 'test' }));
const balanceOf = async (id: string): Promise<string> => (await there.inside(() => cards().find(id)))!.balance;
const movesOf = async (id: string): Promise<string[]> =>
  (await there.inside(() => cards().find(id)))!.movements.map(({ kind, amount }) => `${kind} ${amount}`);
/** What the rows of cards of other venues are worth at the venue that is paid: nothing, while no payment runs. */
const left = (): Promise<unknown[]> => here.sql('select id from gift_card where issuer_id is not null and gift_card_balance(id) <> 0');
const event = async (amount: string, at = tenant) => {
  const { id, slug } = await newEvent(test, at);
  return { id, slug, priceId: await newPrice(test, at, id, { amount }) };
};
const atCounter = { confirmed: true, paymentMethod: 'cash' } as const;
const ledgerOf = async (id: string): Promise<string[]> =>
  (await payments.again(id)).payments.map(({ kind, provider, status, amount }) => `${kind} ${provider} ${status} ${amount}`);
const auditOf = (at: TenantIdentity): Promise<unknown[]> => test.inside(at, () => test.app.get(NetworkCardAuditService).drifts());
const look = (code: string, at = tenant): Promise<unknown> =>
  test
    .inside(at, () => test.app.get(GiftCardRedemptionService).look(code))
    .then(
      ({ balance }) => balance,
      (error: { reason?: string }) => error.reason ?? error,
    );

describe('a gift card of another venue of the network', () => {
  it('pays at the box office, in part, and gets back what is refunded', async () => {
    const { id: card, code } = await issue('20');
    const sold = await book(test, tenant, await event('12.50'), { ...atCounter, quantity: 2, giftCard: code! });
    expect(await ledgerOf(sold.id)).toEqual(['payment gift_card paid 20.00', 'payment venue paid 5.00']);
    expect([await balanceOf(card), await left()]).toEqual(['0.00', []]);
    await payments.cancel(sold.id);
    await until(
      () => balanceOf(card),
      (balance) => balance === '20.00',
    );
    expect(await movesOf(card)).toEqual(['issue 20.00', 'payment -20.00', 'refund 20.00']);
    expect(await left()).toEqual([]);
    for (const { inside } of [here, there]) expect(await inside(() => test.app.get(LedgerAuditService).drifts())).toEqual([]);
  });

  it('pays on the pages, in part, and gets back what was reserved when the order is given up', async () => {
    const { id: card, code } = await issue('10');
    const browser = new OrderForms(test, tenant);
    const { slug, priceId } = await event('12.50');
    const path = await browser.begin(slug, priceId, '2');
    expect((await browser.post(`${path}/gift-card`, [['giftCard', code!]])).headers['location']).toBe(`${path}#gift-card`);
    expect((await browser.get(path)).text).toContain('Pay €15');
    await browser.complete(path);
    expect([[...payments.stripe.sessions.values()].at(-1)!.amount_total, await balanceOf(card)]).toEqual([1500, '0.00']);
    await payments.cancel(path.split('/')[2] as string);
    await until(
      () => balanceOf(card),
      (balance) => balance === '10.00',
    );
    expect(await movesOf(card)).toEqual(['issue 10.00', 'payment -10.00', 'release 10.00']);
  });

  it('pays in the API, in whole and in part', async () => {
    const { id: card, code } = await issue('30');
    const whole = await book(test, tenant, await event('10'), { giftCard: code! });
    const part = await book(test, tenant, await event('12.50'), { quantity: 2, giftCard: code! });
    expect([whole.status, part.status, await balanceOf(card)]).toEqual([expect.stringMatching(/^[PV]$/), 'U', '0.00']);
    expect(await ledgerOf(part.id)).toEqual(['payment gift_card pending 20.00', 'payment stripe pending 5.00']);
  });

  it('is unknown unless both venues agree, and refused where it has paid when one does not any more', async () => {
    const { code } = await issue('20');
    expect(await look(code!)).toBe('20.00');
    await share(tenant, true, true);
    await share(third, false, true);
    await share(issuer, false, false);
    expect([await look(code!), await look(code!, third)]).toEqual(['left', 'unknown']);
    const sale = book(test, tenant, await event('10'), { ...atCounter, giftCard: code! });
    await expect(sale).rejects.toThrow('This gift card is not valid at this venue any more.');
    await share(issuer, false, true);
    expect([await look(code!), await look(code!, third)]).toEqual(['20.00', 'unknown']);
  });
});

describe('the panel of a venue', () => {
  it('switches the cards of a network on, and lists what the venues owe one another', async () => {
    const staff = await staffOf(test, third);
    const { view } = await staff.look('networks', network.id, 'cards');
    expect(view).toMatchObject({ fields: [{ name: 'takesCards' }, { name: 'givesCards' }] });
    await staff.act('networks', network.id, 'cards', { takesCards: 'yes', givesCards: 'no' });
    // A card from before the venue shared its cards.
    const { id, code } = await test.inside(third, () => cards().issue({ amount: '30', note: 'test' }));
    await test.database.query('delete from shared.network_card where card_id = $1', [id]);
    expect(await look(code!)).toBe('unknown');
    await staff.act('networks', network.id, 'cards', { takesCards: 'yes', givesCards: 'yes' });
    await book(test, tenant, await event('12.50'), { ...atCounter, quantity: 2, giftCard: code! });
    const { code: theirs } = await test.inside(tenant, () => cards().issue({ amount: '10', note: 'test' }));
    const sold = await book(test, third, await event('8', third), { ...atCounter, giftCard: theirs! });
    const rowsOf = async (at: TenantIdentity) => {
      const { records = [] } = await (await staffOf(test, at)).list('network-cards');
      return records.map(({ params }) => ['venue', 'paidThere', 'paidHere', 'owed'].map((name) => params[name]));
    };
    expect(await rowsOf(third)).toEqual([[tenant.name, '25.00', '8.00', '-17.00']]);
    expect(await rowsOf(tenant)).toContainEqual([third.name, '8.00', '25.00', '17.00']);
    const [payment] = await test.inside(third, () =>
      test.app.get(TenantDb).transaction((tx) => tx.query<{ id: string }[]>('select id from payment where reservation_id = $1', [sold.id])),
    );
    expect((await staff.look('payments', payment!.id)).record?.params['issuer']).toBe(tenant.name);
    expect((await staff.list('gift-cards')).records).toHaveLength(1);
    expect(JSON.stringify((await staff.look('gift-cards', id)).record)).toContain(tenant.name);
  });
});

describe('the value between two venues', () => {
  // Without the lock of the card in `take`, several of them get it.
  it('pays the last euro of a card once, of 50 who want it at two venues at the same moment', async () => {
    const { id: card, code } = await issue('10');
    const [one, other] = [await event('10'), await event('10', third)];
    const sales = Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0 ? book(test, tenant, one, { giftCard: code! }) : book(test, third, other, { giftCard: code! }),
    );
    const all = await Promise.allSettled(sales);
    const sold = all.filter((end) => end.status === 'fulfilled' && ['P', 'V'].includes(end.value.status));
    expect([sold.length, await balanceOf(card)]).toEqual([1, '0.00']);
    expect((await movesOf(card)).filter((move) => move !== 'payment -10.00')).toEqual(['issue 10.00']);
  });

  it('is asked for in vain while the other venue does not answer: nothing is sold, and the buyer goes on without the card', async () => {
    const { id: card, code } = await issue('10');
    const browser = new OrderForms(test, tenant);
    const { slug, priceId } = await event('12.50');
    const path = await browser.begin(slug, priceId, '1');
    await browser.post(`${path}/gift-card`, [['giftCard', code!]]);
    // The tables of the issuer are newer than this program.
    const moveVersions = (by: number) =>
      test.database.query(
        'update shared.tenant set schema_version = schema_version + $2, required_version = required_version + $2 where id = $1',
        [issuer.id, by],
      );
    await moveVersions(1000);
    try {
      const sale = book(test, tenant, await event('10'), { ...atCounter, giftCard: code! });
      await expect(sale).rejects.toThrow('This gift card cannot be checked now.');
      expect((await browser.get(path)).text).toContain('This gift card cannot be checked now.');
      expect((await browser.complete(path)).text).toContain('This gift card cannot be checked now.');
      expect([await look(code!), (await payments.again(path.split('/')[2] as string)).payments]).toEqual(['silent', []]);
      await browser.post(`${path}/gift-card`, [['giftCard', '']]);
      await browser.post(path, []);
      expect([...payments.stripe.sessions.values()].at(-1)!.amount_total).toBe(1250);
    } finally {
      await moveVersions(-1000);
    }
    expect(await movesOf(card)).toEqual(['issue 10.00']);
  });

  it('is neither lost nor doubled when the process ends between both', async () => {
    const { id: card, code } = await issue('10');
    await look(code!);
    await here.sql(`create function stop() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$`);
    await here.sql('create trigger stop before insert on gift_card_movement for each row execute function stop()');
    await expect(book(test, tenant, await event('10'), { ...atCounter, giftCard: code! })).rejects.toThrow('stopped');
    expect([await balanceOf(card), await left()]).toEqual(['0.00', []]);
    await here.sql('drop function stop cascade');
    const finish = () => there.inside(() => test.app.get(NetworkCardsService).finish(card, 0));
    await Promise.all([finish(), finish()]);
    await finish();
    await until(
      () => balanceOf(card),
      (balance) => balance === '10.00',
    );
    await finish();
    expect([await movesOf(card), await left()]).toEqual([['issue 10.00', 'payment -10.00', 'release 10.00'], []]);
    expect(await auditOf(issuer)).toEqual([]);
    // Hours ago, something came here that nobody sent, and went back.
    await here.sql(
      `insert into gift_card_movement (gift_card_id, kind, amount, transfer_id, peer_id, created_at)
       select gift_card.id, 'network', given.amount, gen_random_uuid(), $1, now() - interval '2 hours'
       from gift_card, (values (3), (-3)) as given (amount) where issuer_card_id = $2`,
      [issuer.id, card],
    );
    expect(await auditOf(tenant)).toMatchObject([{ ledger: '0.00' }, { kind: 'network card', name: 'Harbour hall' }]);
    const [row] = await here.sql<{ id: string }>('select id from gift_card where issuer_card_id = $1', [card]);
    const sendBack = here.inside(() => test.app.get(NetworkCardsService).finish(row!.id));
    await expect(sendBack).rejects.toThrow('more than it has taken');
  });
});
