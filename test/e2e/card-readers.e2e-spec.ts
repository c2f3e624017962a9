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
import { stripeDouble, sumUpDouble, type ReaderDouble } from '../support/reader-doubles.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { SumUpServer } from '../support/sumup-server.js';
import { until } from '../support/until.js';

let test: StripeApp;
let sumUp: SumUpServer;
let desk: ReaderDesk;
let double: ReaderDouble;
let venue: ReaderDesk['venue'];
let staff: ReaderDesk['staff'];
const twoValid = [{ status: 'K' }, { status: 'K' }];
beforeAll(async () => {
  sumUp = await SumUpServer.start();
  test = await startStripeApp({ environment: { SUMUP_API_BASE: sumUp.url } });
  test.app.get(JobRunner).start();
});
afterAll(async () => {
  await test.close();
  await sumUp.stop();
});

describe.each(['stripe', 'sumup'] as const)('card readers of %s', (provider) => {
  beforeAll(async () => {
    double = provider === 'stripe' ? stripeDouble(test) : sumUpDouble(test, sumUp);
    desk = await ReaderDesk.open(test, double);
    ({ venue, staff } = desk);
  });
  afterEach(async () => {
    double.setCut(false);
    double.setQuestions('fine');
    double.setReading(false);
    Object.assign(test.stripe.intents, { losesAnswerOf: undefined });
    await expectNoDrift(test, venue);
  });

  it('are paired with a code, offered by the box office, and removed while they ask for nothing', async () => {
    expect(saleErrors(await desk.pair('Other', 'WRONG123'))).toEqual({ code: expect.stringContaining('No reader') });
    expect(saleErrors(await desk.pair(''))).toEqual({ name: expect.stringContaining('40') });
    expect(saleErrors(await desk.pair('Other', '!!'))).toEqual({ code: expect.stringContaining('pairing code') });
    const other = await desk.paired('Other');
    const event = await newEvent(test, venue);
    const offered = async (): Promise<unknown> => (await staff.page('reservations', 'sell', { event: event.id })).view!['readers'];
    expect(await offered()).toEqual([
      { id: desk.reader.id, name: 'Bar' },
      { id: other.id, name: 'Other' },
    ]);
    const { payment } = asked(await desk.sell(event, { readerId: other.id }));
    const remove = (): Promise<PanelAnswer> => staff.act('card-readers', other.id, 'delete');
    expect((await remove()).notice).toMatchObject({ type: 'error', message: expect.stringContaining('asks for a sum') });
    await desk.cancel(payment);
    expect((await remove()).notice).toMatchObject({ type: 'success' });
    expect(await offered()).toEqual([{ id: desk.reader.id, name: 'Bar' }]);
    expect(double.readers).toEqual([desk.reader.reference]);
    await desk.switchAccount(false);
    expect(await offered()).toEqual([]);
    expect(saleErrors(await desk.sell(event))).toEqual({ paymentMethod: expect.stringContaining('not paired any more') });
    await desk.switchAccount(true);
    // Of another venue they are as good as unknown.
    const stranger = await staffOf(test, await test.newVenue());
    expect((await stranger.page('card-readers', 'list')).records ?? []).toEqual([]);
    expect((await stranger.send('reservations', 'sell', { payment, step: 'again' })).notice).toMatchObject({ type: 'error' });
  });

  it('sell once the money is there, and once only', async () => {
    const event = await newEvent(test, venue);
    const first = asked(await desk.sell(event));
    expect(first).toMatchObject({ state: 'asking', amount: '25.00', fault: null });
    expect(double.asks(desk.reader.reference)).toEqual({ cents: 2500, payment: first.payment });
    expect(await desk.reservationOf(first.payment)).toMatchObject({ status: 'R', tickets: [{ status: 'C' }, { status: 'C' }] });
    expect(asked(await desk.step(first.payment, 'look'))).toMatchObject({ state: 'asking' });
    // Neither cash nor another attempt while the reader asks.
    for (const other of ['cash', 'again', 'giveUp'])
      expect(asked(await desk.step(first.payment, other))).toMatchObject({ state: 'asking' });
    double.tap(desk.reader.reference);
    // The page, the event, and the page of somebody else. The mail may be sent before they answer.
    const [one, other] = await Promise.all([
      desk.step(first.payment, 'look'),
      desk.step(first.payment, 'look'),
      double.tell?.(first.payment, venue),
    ]);
    for (const answer of [one, other, await desk.step(first.payment, 'look')])
      expect(soldOf(answer)).toMatchObject({ method: 'reader', total: '25.00', payments: [], parts: [{ tickets: [{}, {}] }] });
    expect(await desk.reservationOf(first.payment)).toMatchObject({ status: expect.stringMatching(/^PN?$/), tickets: twoValid });
    expect(await desk.paymentsOf(first.payment)).toEqual([
      { kind: 'payment', provider, method: 'reader', status: 'paid', amount: '25.00' },
    ]);
    expect(double.charged).toBe(1);
  });

  it('ask for one sum at a time', async () => {
    const event = await newEvent(test, venue);
    const answers = await Promise.all(Array.from({ length: 6 }, () => desk.sell(event)));
    const begun = answers.filter((answer) => asked(answer) !== undefined);
    expect(begun).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== begun[0]))
      expect(saleErrors(answer)).toEqual({ paymentMethod: expect.stringContaining('another sum') });
    const { payment } = asked(begun[0]!);
    expect(double.asks(desk.reader.reference).payment).toBe(payment);
    // Nothing of the others is held.
    expect((await staff.page('reservations', 'sell', { event: event.id })).view).toMatchObject({ sale: { event: { remaining: 48 } } });
    expect(asked(await desk.cancel(payment))).toMatchObject({ state: 'failed', fault: 'The payment was cancelled.' });
    expect(double.isAsking).toBe(false);
    expect(await desk.step(payment, 'giveUp')).toMatchObject({ view: { givenUp: true } });
    expect(await desk.reservationOf(payment)).toMatchObject({ status: 'C' });
    expect(asked(await desk.step(payment, 'again'))).toMatchObject({ state: 'ended' });
    expect(double.isAsking).toBe(false);
  });

  it('are asked again about an answer that was lost, and charge nobody twice', async () => {
    const event = await newEvent(test, venue);
    const before = double.charged;
    double.setQuestions('unanswered');
    const { payment, state } = asked(await desk.sell(event));
    expect(state).toBe('asking');
    double.setQuestions('fine');
    double.tap(desk.reader.reference);
    double.setCut(true);
    expect(asked(await desk.step(payment, 'look'))).toMatchObject({ state: 'asking' });
    double.setCut(false);
    expect(soldOf(await desk.step(payment, 'look'))).toMatchObject({ total: '25.00' });
    expect(double.charged).toBe(before + 1);

    // Nothing was sent: nobody can pay it any more, and it is asked for anew.
    if (provider === 'stripe') {
      test.stripe.intents.losesAnswerOf = '/payment_intents';
      expect(asked(await desk.sell(event))).toMatchObject({ state: 'failed', fault: 'The reader could not take the payment.' });
      expect(double.isAsking).toBe(false);
    }
    double.setQuestions('lost');
    const unsent = asked(await desk.sell(event));
    expect(unsent).toMatchObject({ state: 'asking' });
    double.setQuestions('fine');
    // SumUp may have the question still under way to the reader.
    if (provider === 'sumup') {
      expect(asked(await desk.step(unsent.payment, 'look'))).toMatchObject({ state: 'asking' });
      expect(asked(await desk.step(unsent.payment, 'cancel'))).toMatchObject({ state: 'asking' });
      await desk.age(unsent.payment);
    }
    expect(asked(await desk.step(unsent.payment, 'look'))).toMatchObject({ state: 'failed', fault: expect.any(String) });
    const next = asked(await desk.step(unsent.payment, 'again'));
    double.tap(desk.reader.reference);
    expect(soldOf(await desk.step(next.payment, 'look'))).toMatchObject({ total: '25.00' });
    expect(double.charged).toBe(before + 2);
  });

  it('say why they took nothing, and it is paid otherwise', async () => {
    const event = await newEvent(test, venue);
    const first = asked(await desk.sell(event));
    double.fail(desk.reader.reference, 'declined');
    expect(asked(await desk.step(first.payment, 'look'))).toMatchObject({ state: 'failed', fault: 'The card was declined.' });
    const second = asked(await desk.step(first.payment, 'again', { readerId: desk.reader.id }));
    expect(second).toMatchObject({ state: 'asking', amount: '25.00' });
    expect(second.payment).not.toBe(first.payment);
    double.fail(desk.reader.reference, 'cancelled');
    expect(asked(await desk.step(second.payment, 'look'))).toMatchObject({ state: 'failed', fault: 'The payment was cancelled.' });
    // Two desks take it at once.
    const answers = await Promise.all([desk.step(second.payment, 'cash'), desk.step(first.payment, 'cash')]);
    for (const answer of answers) expect(soldOf(answer)).toMatchObject({ method: 'cash', payments: [expect.any(String)] });
    expect((await desk.paymentsOf(first.payment)).filter(({ status }) => status === 'paid')).toEqual([
      { kind: 'payment', provider: 'venue', method: 'cash', status: 'paid', amount: '25.00' },
    ]);
    double.setOnline(desk.reader.reference, false);
    expect(asked(await desk.sell(event))).toMatchObject({ state: 'failed', fault: 'The reader is switched off or has no connection.' });
    double.setOnline(desk.reader.reference, true);
  });

  it('cannot be cancelled while the card is charged', async () => {
    const event = await newEvent(test, venue);
    const { payment } = asked(await desk.sell(event));
    double.setReading(true);
    expect(asked(await desk.step(payment, 'cancel'))).toMatchObject({ state: 'asking' });
    double.tap(desk.reader.reference);
    expect(soldOf(await desk.step(payment, 'cancel'))).toMatchObject({ method: 'reader', total: '25.00' });
  });

  it('have paid back what somebody paid in cash meanwhile, and what is cancelled', async () => {
    const event = await newEvent(test, venue);
    const { payment } = asked(await desk.sell(event));
    double.setReading(true);
    const { id } = await desk.reservationOf(payment);
    await staff.act('reservations', id, 'confirm', { method: 'cash' });
    double.tap(desk.reader.reference);
    await double.tell?.(payment, venue);
    await desk.refunded(payment);
    expect(await desk.reservationOf(payment)).toMatchObject({ status: 'V' });
    expect(await desk.paymentsOf(payment)).toEqual(
      expect.arrayContaining([
        { kind: 'payment', provider: 'venue', method: 'cash', status: 'paid', amount: '25.00' },
        { kind: 'payment', provider, method: 'reader', status: 'paid', amount: '25.00' },
        { kind: 'refund', provider, method: 'reader', status: 'refunded', amount: '25.00' },
      ]),
    );
    double.setReading(false);

    const paid = await desk.sold(event);
    await staff.act('reservations', (await desk.reservationOf(paid)).id, 'cancel');
    await desk.refunded(paid);
    expect(double.refunds).toEqual([2500, 2500]);
    // What was given back stands where it was taken.
    await desk.sold(event);
    const sums = await staff.call('get', `/sums/payments?filters.eventId=${event.id}`).set('Accept-Language', 'en').expect(200);
    expect(sums.body).toEqual({
      sum: '50.00',
      parts: expect.arrayContaining([
        { label: 'Cash', sum: '25.00' },
        { label: 'Card reader', sum: '25.00' },
      ]),
    });
    expect(sums.body.parts).toHaveLength(2);
  });

  it('are looked after when the page is closed, or the program ended', async () => {
    const event = await newEvent(test, venue);
    const closed = asked(await desk.sell(event));
    double.tap(desk.reader.reference);
    await desk.dueNow(closed.payment);
    await until(
      () => desk.stateOf(closed.payment),
      (state) => state === 'paid',
    );

    // The program ended before it asked the reader, and does not ask it later. SumUp has nothing to be prepared.
    if (provider === 'sumup') return;
    let open = (): void => undefined;
    test.stripe.gate = new Promise((resolve) => (open = resolve));
    const selling = desk.sell(event);
    const [row] = await until(
      () =>
        test.database.query<{ id: string }>(
          `select id from "${venue.schemaName}".payment where reader_id = '${desk.reader.id}' and status = 'pending'`,
        ),
      (rows) => rows.length > 0,
    );
    await desk.dueNow(row!.id);
    await until(
      () => desk.stateOf(row!.id),
      (state) => state === 'failed',
    );
    open();
    expect(asked(await selling)).toMatchObject({ state: 'failed' });
    expect(double.isAsking).toBe(false);
  });

  it('are taken back after four minutes, and not before', async () => {
    const event = await newEvent(test, venue);
    const { payment } = asked(await desk.sell(event));
    await desk.lookedAt(payment);
    expect(double.isAsking).toBe(true);
    await desk.age(payment);
    await until(
      async () => {
        await desk.dueNow(payment);
        return desk.stateOf(payment);
      },
      (state) => state === 'failed',
    );
    expect(double.isAsking).toBe(false);
    expect(asked(await desk.step(payment, 'look'))).toMatchObject({ fault: 'The payment was cancelled.' });
  });

  it('take memberships and tickets together, and nothing online beside', async () => {
    const event = await newEvent(test, venue);
    const plan = await newPlan(test, venue, '20');
    const free = await newPlan(test, venue, '0');
    const memberships = [plan, free].map(({ priceId }) => ({ priceId, quantity: 1 }));
    const { payment, amount } = asked(await desk.sell(event, { memberships }));
    expect(amount).toBe('45.00');
    const { id, email, event: sold, expiresAt } = await desk.reservationOf(payment);
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
    double.tap(desk.reader.reference);
    expect(soldOf(await desk.step(payment, 'look'))).toMatchObject({
      total: '45.00',
      parts: [{ tickets: [{}, {}] }],
      memberships: [{}, {}],
    });
    expect(saleErrors(await desk.sell(event, { giftCard: 'AAAA-BBBB' }))).toEqual({ giftCard: expect.stringContaining('does not go') });
    const priceId = await newPrice(test, venue, event.id, { amount: '0' });
    expect(soldOf(await desk.sell({ id: event.id, priceId }))).toMatchObject({ total: '0.00', method: 'reader' });
  });
});
