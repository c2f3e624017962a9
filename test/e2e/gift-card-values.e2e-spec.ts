import { GiftCardsService, type WholeGiftCard } from '#gift-cards';
import { PlaceProfileService } from '#places';
import { LedgerAuditService } from '#tickets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { OnlinePayments } from '../support/online-payments.js';
import { reserveCard } from '../support/gift-cards.js';
import { tenantWork } from '../support/tenant-work.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let tenant: OnlinePayments['tenant'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, tenant } = payments);
  await inside(() => test.app.get(PlaceProfileService).change({ giftCards: '20 50' }));
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
describe('the value of a gift card', () => {
  // Without the lock of the card in `note_gift_card_payment`, 18 of 50 pay.
  it('pays its last euro once, of 50 who want it at the same moment', async () => {
    const { id: card } = await issue('25');
    const { id } = await newEvent(test, tenant);
    const sold = await book(test, tenant, { id, priceId: await newPrice(test, tenant, id, { amount: '25' }) }, { confirmed: true });
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => reserveCard(test, tenant, sold.id, card, '25.00')));
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).name] : []));
    expect([refused.length, new Set(refused), await balanceOf(card)]).toEqual([49, new Set(['SubjectUnavailable']), '0.00']);
    await sql(`update payment set status = 'failed' where provider_payment = $1 and status = 'pending'`, [card]);
    expect(await movesOf(card)).toEqual(['issue 25.00', 'payment -25.00', 'release 25.00']);
  });

  it('is a ledger that nobody changes, and that agrees with the payments', async () => {
    expect(await inside(() => test.app.get(LedgerAuditService).drifts())).toEqual([]);
    const { id } = await issue('5');
    const made = await sql<{ fields: string[] }>(`select fields from change where record = $1 and action = 'created'`, [id]);
    expect(made).toEqual([{ fields: expect.not.arrayContaining(['code']) }]);
    await expect(sql('update gift_card_movement set amount = 500 where gift_card_id = $1', [id])).rejects.toThrow(/append-only/);
    await expect(sql('delete from gift_card_movement where gift_card_id = $1', [id])).rejects.toThrow(/append-only/);
  });
});

describe('the page with the balance', () => {
  // The last test, because it locks out its network.
  it('says its balance to who has the code, and nothing to who guesses', async () => {
    const card = await issue('30');
    const ask = (code: string) => forms().post('/gift-card/balance', [['giftCard', code]]);
    expect((await ask(card.code!.toLowerCase().replace(/(.{4})/g, '$1 '))).text).toContain('€30');
    expect((await forms().get(`/gift-card/balance?code=${card.code!}`)).text).not.toContain('€30');
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) statuses.push((await ask(`AAAACCCCDDDD${1000 + tries}`)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([422, 429]);
  });
});
