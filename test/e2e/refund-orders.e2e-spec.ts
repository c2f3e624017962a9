import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountErasureService, AccountExportService, BuyerRetentionService } from '#holders';
import { ReservationChangesService } from '#tickets';
import { BankEntriesService, OrderedRefundsService } from '#transfers';
import type { TenantIdentity } from '#tenancy';
import { sparkasseCamt } from '../support/bank-files.js';
import { expectNoDrift } from '../support/booking.js';
import { bankOrders, line } from '../support/bank-orders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let bank: Awaited<ReturnType<typeof bankOrders>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { ERASE_BUYERS_MONTHS: '2', RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
  bank = await bankOrders(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
});

describe('what is to be paid back', () => {
  it('is ordered once as pain.001, and settled by the debit of a statement', async () => {
    const event = await bank.paidEvent();
    const { id, transfer } = await bank.ordered(event, 'Éva Nagy');
    await bank.upload(
      sparkasseCamt(
        [line(`${transfer.reference} back`, '25.00', { name: 'Éva Nagy & Co <x>'.replaceAll('&', '&amp;').replaceAll('<', '&lt;') })],
        7,
      ),
    );
    await bank.inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    const refunds = test.app.get(OrderedRefundsService);
    const due = await bank.inside(() => refunds.due());
    expect(due.count).toBeGreaterThanOrEqual(1);
    const orders = await Promise.all([1, 2, 3].map(() => bank.inside(() => refunds.order())));
    const [made, ...more] = orders.filter((one) => one !== undefined);
    expect(more).toEqual([]);
    const xml = (await bank.inside(() => refunds.file(made!)))!.content.toString();
    expect(xml).toContain('<Nm>Eva Nagy Co x</Nm>');
    expect(xml).toContain('<InstdAmt Ccy="EUR">25.00</InstdAmt>');
    expect(xml).toContain('<IBAN>FR7630006000011234567890189</IBAN>');
    expect(await bank.inside(() => refunds.due())).toMatchObject({ count: 0 });
    const [row] = await bank.sql<{ reference: string }>(
      `select refund_reference as reference from payment where reservation_id = $1 and kind = 'refund'`,
      [id],
    );
    expect(xml).toContain(`<EndToEndId>${row!.reference}</EndToEndId>`);
    expect(await bank.upload(sparkasseCamt([line(`Refund ${row!.reference}`, '-25.00')], 8))).toMatchObject({ findings: { refund: 1 } });
    expect((await bank.ledgerOf(id)).map(({ kind, status }) => `${kind} ${status}`)).toEqual(['payment paid', 'refund refunded']);
    // What is paid back is in no file any more.
    expect((await bank.inside(() => refunds.file(made!)))?.content.toString() ?? '').not.toContain(row!.reference);
  });

  it('leaves to staff where money of several accounts goes, and what is settled by hand', async () => {
    const event = await bank.paidEvent();
    const [{ id, transfer }, hand] = [await bank.ordered(event), await bank.ordered(event)];
    await bank.upload(sparkasseCamt([line(`${transfer.reference} of one`, '10.00')], 12));
    await bank.upload(sparkasseCamt([line(`${transfer.reference} of two`, '15.00', { iban: 'NL91ABNA0417164300' })], 13));
    await bank.upload(
      sparkasseCamt([line(`${hand.transfer.reference} by hand`, '26.00'), line('without', '5.00', { iban: 'FR7612345' })], 14),
    );
    await bank.inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    const refunds = test.app.get(OrderedRefundsService);
    expect(await bank.inside(() => refunds.due())).toMatchObject({ count: 1, amount: '1.00', withoutAccount: 1 });
    const made = (await bank.inside(() => refunds.order()))!;
    expect((await bank.inside(() => refunds.file(made)))!.content.toString()).toContain('<CtrlSum>1.00</CtrlSum>');
    expect(await bank.inside(async () => test.app.get(BankEntriesService).refunded((await bank.entryOf('by hand')).id, ''))).toBe(true);
    expect(await bank.inside(() => refunds.file(made))).toBeUndefined();
    const [unknown] = await bank.sql<{ iban: string }>(`select iban from bank_entry where text like 'without%'`);
    expect(unknown!.iban).toBe('');
  });
});

describe('who paid by transfer', () => {
  const payerOf = async (text: string) => (await bank.sql('select name, iban, bic from bank_entry where text like $1', [`%${text}%`]))[0];
  const blank = { name: '', iban: '', bic: '', text: '' };

  it('is in the data of the buyer, and erased with the buyer once nothing is to be paid back', async () => {
    const event = await bank.paidEvent();
    const { id, transfer } = await bank.ordered(event);
    await bank.upload(sparkasseCamt([line(`${transfer.reference} payer`, '26.10')], 20));
    const [person] = await bank.sql<{ email: string; emailKey: string }>(
      'select email, email_key as "emailKey" from reservation where id = $1',
      [id],
    );
    const data = async () =>
      JSON.parse(await bank.inside(() => test.app.get(AccountExportService).json(person!))) as { bankTransfers: object[] };
    expect((await data()).bankTransfers).toEqual([
      expect.objectContaining({ name: 'Somebody Else', iban: 'FR7630006000011234567890189', amount: '26.10' }),
    ]);
    const erasure = test.app.get(AccountErasureService);
    const stored = () => bank.sql('select name, iban, bic, text from bank_entry where amount = 26.1');
    await bank.sql(`update event set starts_at = now() - interval '3 days', ends_at = now() - interval '70 hours' where id = $1`, [
      event.id,
    ]);
    // A euro and ten cents are to be paid back to the account.
    expect(await bank.inside(() => erasure.obstacle(person!))).toBe('payment');
    await bank.inside(() => erasure.erase(person!));
    expect(await payerOf(`${transfer.reference} payer`)).toMatchObject({ name: 'Somebody Else' });
    await bank.sql(`update bank_entry set state = 'refunded' where amount = 26.1`);
    expect(await bank.inside(() => erasure.obstacle(person!))).toBeUndefined();
    await bank.inside(() => erasure.erase(person!));
    expect(await stored()).toEqual([blank]);
    expect((await bank.ledgerOf(id)).map(({ amount }) => amount)).toEqual(['25.00']);
    // The same file adds nothing.
    expect(await bank.upload(sparkasseCamt([line(`${transfer.reference} payer`, '26.10')], 20))).toMatchObject({ added: 0 });
  });

  it('is erased after the time for buyers, too, where the entry is of no order and settled', async () => {
    await bank.upload(sparkasseCamt([line('old and open', '3.10'), line('old and ignored', '3.20'), line('spent', '-3.30')], 21));
    const { id } = await bank.entryOf('old and ignored');
    await bank.inside(() => test.app.get(BankEntriesService).ignore(id, 'not ours'));
    await bank.sql(`update bank_entry set booked_on = current_date - 80 where amount in (3.10, 3.20, -3.30)`);
    await bank.inside(() => test.app.get(BuyerRetentionService).run());
    expect(await bank.sql(`select text, name from bank_entry where amount in (3.10, 3.20, -3.30) order by text desc`)).toEqual([
      { text: expect.stringContaining('old and open'), name: 'Somebody Else' },
      { text: '', name: '' },
      { text: '', name: '' },
    ]);
  });
});
