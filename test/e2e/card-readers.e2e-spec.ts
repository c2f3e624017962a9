import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { CheckoutsService } from '#payments';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { saleErrors, soldOf } from '../support/box-office.js';
import { newPlan } from '../support/membership-plans.js';
import type { PanelAnswer } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { asked, ReaderDesk } from '../support/reader-desk.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { until } from '../support/until.js';

let test: StripeApp;
let desk: ReaderDesk;
let terminal: ReaderDesk['terminal'];
let venue: ReaderDesk['venue'];
let staff: ReaderDesk['staff'];
let reader: ReaderDesk['reader'];
let pair: ReaderDesk['pair'];
let paired: ReaderDesk['paired'];
let sell: ReaderDesk['sell'];
let step: ReaderDesk['step'];
let reservationOf: ReaderDesk['reservationOf'];
let paymentsOf: ReaderDesk['paymentsOf'];
let stateOf: ReaderDesk['stateOf'];

beforeAll(async () => {
  test = await startStripeApp();
  test.app.get(JobRunner).start();
  desk = await ReaderDesk.open(test);
  ({ terminal, venue, staff, reader, pair, paired, sell, step, reservationOf, paymentsOf, stateOf } = desk);
});
afterEach(async () => {
  test.stripe.fault = undefined;
  Object.assign(test.stripe.intents, { losesAnswerOf: undefined, missesAll: undefined });
  terminal.isReading = false;
  await expectNoDrift(test, venue);
});
afterAll(() => test.close());

describe('card readers', () => {
  it('are paired with a code, offered by the box office, and removed while they ask for nothing', async () => {
    expect(saleErrors(await pair('Other', 'wrong-code-here'))).toEqual({ code: expect.stringContaining('No reader with this') });
    expect(saleErrors(await pair('', 'simulated-x'))).toEqual({ name: expect.stringContaining('40') });
    expect(saleErrors(await pair('Other', '!!'))).toEqual({ code: expect.stringContaining('pairing code') });
    const other = await paired('Other');
    const event = await newEvent(test, venue);
    const offered = async (): Promise<unknown> => (await staff.page('reservations', 'sell', { event: event.id })).view!['readers'];
    expect(await offered()).toEqual([
      { id: reader.id, name: 'Bar' },
      { id: other.id, name: 'Other' },
    ]);
    const { payment } = asked(await sell(event, { readerId: other.id }));
    const remove = (): Promise<PanelAnswer> => staff.act('card-readers', other.id, 'delete');
    expect((await remove()).notice).toMatchObject({ type: 'error', message: expect.stringContaining('asks for a sum') });
    await step(payment, 'cancel');
    expect((await remove()).notice).toMatchObject({ type: 'success' });
    expect(await offered()).toEqual([{ id: reader.id, name: 'Bar' }]);
    expect([...terminal.readers.keys()]).toEqual([reader.reference]);
    await test.switchAccount(venue, false);
    expect(await offered()).toEqual([]);
    expect(saleErrors(await sell(event))).toEqual({ paymentMethod: expect.stringContaining('not paired any more') });
    await test.switchAccount(venue, true);
    // Of another venue they are as good as unknown.
    const stranger = await staffOf(test, await test.newVenue());
    expect((await stranger.page('card-readers', 'list')).records ?? []).toEqual([]);
    expect((await stranger.send('reservations', 'sell', { payment, step: 'again' })).notice).toMatchObject({ type: 'error' });
  });

  it('sell once the money is there, and once only', async () => {
    const event = await newEvent(test, venue);
    const first = asked(await sell(event));
    expect(first).toMatchObject({ state: 'asking', amount: '25.00', fault: null });
    const intent = terminal.asks(reader.reference);
    expect(intent).toMatchObject({ amount: 2500, currency: 'eur', metadata: { guichet_payment: first.payment } });
    expect(await reservationOf(first.payment)).toMatchObject({ status: 'R', tickets: [{ status: 'C' }, { status: 'C' }] });
    expect(asked(await step(first.payment, 'look'))).toMatchObject({ state: 'asking' });
    // Neither cash nor another attempt while the reader asks.
    for (const other of ['cash', 'again', 'giveUp']) expect(asked(await step(first.payment, other))).toMatchObject({ state: 'asking' });
    terminal.tap(reader.reference);
    // The page, the event, and the page of somebody else.
    const [one, other] = await Promise.all([
      step(first.payment, 'look'),
      step(first.payment, 'look'),
      test.deliver(test.stripe.event('payment_intent.succeeded', intent), venue),
    ]);
    for (const answer of [one, other, await step(first.payment, 'look')])
      expect(soldOf(answer)).toMatchObject({ method: 'reader', total: '25.00', payments: [], parts: [{ tickets: [{}, {}] }] });
    expect(await reservationOf(first.payment)).toMatchObject({ status: 'P', tickets: [{ status: 'K' }, { status: 'K' }] });
    expect(await paymentsOf(first.payment)).toEqual([
      { kind: 'payment', provider: 'stripe', method: 'reader', status: 'paid', amount: '25.00' },
    ]);
    expect(terminal.charged).toHaveLength(1);
  });

  it('ask for one sum at a time', async () => {
    const event = await newEvent(test, venue);
    const answers = await Promise.all(Array.from({ length: 6 }, () => sell(event)));
    const begun = answers.filter((answer) => asked(answer) !== undefined);
    expect(begun).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== begun[0]))
      expect(saleErrors(answer)).toEqual({ paymentMethod: expect.stringContaining('another sum') });
    const { payment } = asked(begun[0]!);
    expect(terminal.asks(reader.reference).metadata['guichet_payment']).toBe(payment);
    // Nothing of the others is held.
    expect((await staff.page('reservations', 'sell', { event: event.id })).view).toMatchObject({ sale: { event: { remaining: 48 } } });
    expect(asked(await step(payment, 'cancel'))).toMatchObject({ state: 'failed', fault: 'The payment was cancelled.' });
    expect(terminal.isAsking).toBe(false);
    expect(await step(payment, 'giveUp')).toMatchObject({ view: { givenUp: true } });
    expect(await reservationOf(payment)).toMatchObject({ status: 'C' });
    expect(asked(await step(payment, 'again'))).toMatchObject({ state: 'ended' });
    expect(terminal.isAsking).toBe(false);
  });

  it('are asked again about an answer that was lost, and charge nobody twice', async () => {
    const event = await newEvent(test, venue);
    const before = terminal.charged.length;
    test.stripe.intents.losesAnswerOf = '/process_payment_intent';
    const { payment, state } = asked(await sell(event));
    expect(state).toBe('asking');
    test.stripe.intents.losesAnswerOf = undefined;
    terminal.tap(reader.reference);
    test.stripe.fault = 'cut';
    expect(asked(await step(payment, 'look'))).toMatchObject({ state: 'asking' });
    test.stripe.fault = undefined;
    expect(soldOf(await step(payment, 'look'))).toMatchObject({ total: '25.00' });
    expect(terminal.charged).toHaveLength(before + 1);

    // Nothing was sent: nobody can pay it any more, and it is asked for anew.
    test.stripe.intents.losesAnswerOf = '/payment_intents';
    const lost = asked(await sell(event));
    expect(lost).toMatchObject({ state: 'failed', fault: 'The reader could not take the payment.' });
    expect(terminal.isAsking).toBe(false);
    test.stripe.intents.losesAnswerOf = undefined;
    test.stripe.intents.missesAll = '/process_payment_intent';
    const unsent = asked(await step(lost.payment, 'again'));
    expect(unsent).toMatchObject({ state: 'asking' });
    test.stripe.intents.missesAll = undefined;
    expect(asked(await step(unsent.payment, 'look'))).toMatchObject({ state: 'failed' });
    const next = asked(await step(unsent.payment, 'again'));
    terminal.tap(reader.reference);
    expect(soldOf(await step(next.payment, 'look'))).toMatchObject({ total: '25.00' });
    expect(terminal.charged).toHaveLength(before + 2);
  });

  it('say why they took nothing, and it is paid otherwise', async () => {
    const event = await newEvent(test, venue);
    const first = asked(await sell(event));
    terminal.fail(reader.reference, 'card_declined');
    expect(asked(await step(first.payment, 'look'))).toMatchObject({ state: 'failed', fault: 'The card was declined.' });
    const second = asked(await step(first.payment, 'again', { readerId: reader.id }));
    expect(second).toMatchObject({ state: 'asking', amount: '25.00' });
    expect(second.payment).not.toBe(first.payment);
    terminal.fail(reader.reference, 'customer_canceled');
    expect(asked(await step(second.payment, 'look'))).toMatchObject({ state: 'failed', fault: 'The payment was cancelled.' });
    // Two desks take it at once.
    const answers = await Promise.all([step(second.payment, 'cash'), step(first.payment, 'cash')]);
    for (const answer of answers) expect(soldOf(answer)).toMatchObject({ method: 'cash', payments: [expect.any(String)] });
    expect((await paymentsOf(first.payment)).filter(({ status }) => status === 'paid')).toEqual([
      { kind: 'payment', provider: 'venue', method: 'cash', status: 'paid', amount: '25.00' },
    ]);
    terminal.readers.get(reader.reference)!.status = 'offline';
    expect(asked(await sell(event))).toMatchObject({ state: 'failed', fault: 'The reader is switched off or has no connection.' });
    terminal.readers.get(reader.reference)!.status = 'online';
  });

  it('cannot be cancelled while the card is charged', async () => {
    const event = await newEvent(test, venue);
    const { payment } = asked(await sell(event));
    terminal.isReading = true;
    expect(asked(await step(payment, 'cancel'))).toMatchObject({ state: 'asking' });
    terminal.tap(reader.reference);
    expect(soldOf(await step(payment, 'cancel'))).toMatchObject({ method: 'reader', total: '25.00' });
  });

  it('have paid back what somebody paid in cash meanwhile, and what is cancelled', async () => {
    const event = await newEvent(test, venue);
    const { payment } = asked(await sell(event));
    terminal.isReading = true;
    const { id } = await reservationOf(payment);
    const intent = terminal.asks(reader.reference);
    await staff.act('reservations', id, 'confirm', { method: 'cash' });
    terminal.tap(reader.reference);
    await test.deliver(test.stripe.event('payment_intent.succeeded', intent), venue);
    await until(
      () => paymentsOf(payment),
      (rows) => rows.some(({ kind, status }) => kind === 'refund' && status === 'refunded'),
    );
    expect(await reservationOf(payment)).toMatchObject({ status: 'V' });
    expect(await paymentsOf(payment)).toEqual(
      expect.arrayContaining([
        { kind: 'payment', provider: 'venue', method: 'cash', status: 'paid', amount: '25.00' },
        { kind: 'payment', provider: 'stripe', method: 'reader', status: 'paid', amount: '25.00' },
        { kind: 'refund', provider: 'stripe', method: 'reader', status: 'refunded', amount: '25.00' },
      ]),
    );
    terminal.isReading = false;

    const paid = asked(await sell(event));
    terminal.tap(reader.reference);
    await step(paid.payment, 'look');
    await staff.act('reservations', (await reservationOf(paid.payment)).id, 'cancel');
    await until(
      () => paymentsOf(paid.payment),
      (rows) => rows.some(({ kind, status }) => kind === 'refund' && status === 'refunded'),
    );
    expect([...test.stripe.refunds.values()].map(({ amount }) => amount)).toEqual([2500, 2500]);
  });

  it('are looked after when the page is closed, or the program ended', async () => {
    const event = await newEvent(test, venue);
    const dueNow = (payment: string): Promise<unknown> =>
      test.database.query(`update shared.job set due_at = now() where kind = 'reader-look' and subject_id = $1`, [payment]);
    const closed = asked(await sell(event));
    terminal.tap(reader.reference);
    await dueNow(closed.payment);
    await until(
      () => stateOf(closed.payment),
      (state) => state === 'paid',
    );

    // Its reader was not asked when the program ended; a process that goes on later does not ask it either.
    let open = (): void => undefined;
    test.stripe.gate = new Promise((resolve) => (open = resolve));
    const selling = sell(event);
    const [row] = await until(
      () =>
        test.database.query<{ id: string }>(
          `select id from "${venue.schemaName}".payment where reader_id = '${reader.id}' and status = 'pending'`,
        ),
      (rows) => rows.length > 0,
    );
    await dueNow(row!.id);
    await until(
      () => stateOf(row!.id),
      (state) => state === 'failed',
    );
    open();
    expect(asked(await selling)).toMatchObject({ state: 'failed' });
    expect(terminal.isAsking).toBe(false);
  });

  it('take memberships and tickets together, and nothing online beside', async () => {
    const event = await newEvent(test, venue);
    const plan = await newPlan(test, venue, '20');
    const free = await newPlan(test, venue, '0');
    const memberships = [plan, free].map(({ priceId }) => ({ priceId, quantity: 1 }));
    const { payment, amount } = asked(await sell(event, { memberships }));
    expect(amount).toBe('45.00');
    const { id, email, event: sold, expiresAt } = await reservationOf(payment);
    const bill = {
      subject: { reservationId: id },
      description: sold.name,
      email,
      language: null,
      expiresAt: expiresAt!,
      returnUrl: 'http://x.test/',
    };
    await test.inside(venue, () => test.app.get(CheckoutsService).open(bill, { read: () => Promise.resolve() }));
    expect(test.stripe.sessions.size).toBe(0);
    terminal.tap(reader.reference);
    expect(soldOf(await step(payment, 'look'))).toMatchObject({
      total: '45.00',
      parts: [{ tickets: [{}, {}] }],
      memberships: [{}, {}],
    });
    expect(saleErrors(await sell(event, { giftCard: 'AAAA-BBBB' }))).toEqual({ giftCard: expect.stringContaining('does not go') });
    const priceId = await newPrice(test, venue, event.id, { amount: '0' });
    expect(soldOf(await sell({ id: event.id, priceId }))).toMatchObject({ total: '0.00', method: 'reader' });
  });
});
