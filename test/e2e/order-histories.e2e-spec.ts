import { GiftCardRedemptionService, GiftCardsService } from '#gift-cards';
import { RefusedInput } from '#kernel';
import { CartCompletionService, CartsService, DonationsService } from '#selling';
import { CodesService, DiscountsService, ReservationChangesService } from '#tickets';
import { ArrivedMoneyService, BankTransfersService, StatementUploadsService, TransferAccountService } from '#transfers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { sparkasseCamt } from '../support/bank-files.js';
import { line } from '../support/bank-orders.js';
import { letHoldsLapse, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { cartOf, completeCart, sessionOfCart } from '../support/carts.js';
import { choice } from '../support/drafts.js';
import { longRun } from '../support/long-run.js';
import { OnlinePayments } from '../support/online-payments.js';
import { bounds, endOrder, isOver, OrderModel, savingAt, soldKinds, total, worthOf, type ModelOrder } from '../support/order-model.js';
import { historyStep, type HistoryStep, type StepOf } from '../support/order-steps.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

/** Random histories; without LONG=on the same ones in every run. A failure prints its seed: HISTORIES_SEED. */
const runs = Number(process.env['HISTORIES_RUNS'] ?? (longRun ? 100 : 3));
const seed = process.env['HISTORIES_SEED'] ?? (longRun ? undefined : '894703105');

let payments: OnlinePayments;
let files = 0;

beforeAll(async () => {
  payments = await OnlinePayments.start({ HELD_TICKETS_PER_NETWORK: '1000' });
  const account = { iban: 'DE89 3704 0044 0532 0130 00', bic: 'cobadeffxxx', holder: 'Le Lieu', days: 10, offered: true };
  await inside(() => payments.test.app.get(TransferAccountService).save(account));
  const three = { name: 'Three', kind: 'quantity', value: '30', least: 3 } as const;
  const shows = { name: 'Shows', kind: 'events', value: '25', least: 2 } as const;
  for (const one of [three, shows]) await inside(() => payments.test.app.get(DiscountsService).create(one));
});
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => payments);
const euros = (cents: number): string => (cents / 100).toFixed(2);

/** Two events, a code and a gift card, and the model beside them. */
async function newShop() {
  const { test, tenant, stripe, deliver } = payments;
  const model = new OrderModel();
  const events: { id: string; priceId: string }[] = [];
  for (const { price, vat } of soldKinds) {
    const { id } = await newEvent(test, tenant, { capacity: bounds.places, startsAt: new Date(Date.now() + 60 * 24 * 3_600_000) });
    events.push({ id, priceId: await newPrice(test, tenant, id, { amount: euros(price), vat: String(vat) }) });
  }
  const eventIds = events.map(({ id }) => id);
  const limits = { value: '20', maxUses: bounds.uses, budget: euros(bounds.budget) };
  const code = await inside(() =>
    test.app.get(CodesService).create({ eventIds, effect: 'percent', code: `H${randomUUID().slice(0, 8)}`, ...limits }),
  );
  const card = await inside(() => test.app.get(GiftCardsService).issue({ amount: euros(bounds.card), note: 'test' }));
  const carts = test.app.get(CartsService);
  const changes = test.app.get(ReservationChangesService);
  const arrived = test.app.get(ArrivedMoneyService);

  async function order({ counts, hasCode, usesCard, gives, isOnline }: StepOf<'order'>): Promise<void> {
    const id = randomUUID();
    const isAllowed = model.allows(counts, hasCode);
    try {
      for (const [event, quantity] of counts.entries()) {
        const wanted = { ...choice(events[event]!, { quantity }), ...(hasCode && { code: code.code }) };
        if (quantity > 0) await inside(() => carts.add(id, wanted, { own: randomUUID(), site: null }));
      }
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const facts = [error.message, counts, hasCode, model.uses(), model.spent()];
      expect([...facts, isAllowed]).toEqual([...facts, false]);
      for (const one of (await cartOf(test, tenant, id)).parts) await inside(() => carts.remove(id, one.id));
      return;
    }
    expect(isAllowed).toBe(true);
    const donation = gives;
    if (donation > 0) await inside(() => carts.setDonation(id, euros(donation)));
    const parts = (await cartOf(test, tenant, id)).parts.map(({ id: partId, eventId }) => {
      const event = eventIds.indexOf(eventId);
      const { cents, codeSaves } = savingAt(event, counts, hasCode);
      return { id: partId, event, unit: soldKinds[event]!.price - cents, codeSaves, live: counts[event]! };
    });
    const money = { donation, card: 0, charged: 0, transferred: 0, atCounter: 0 };
    const made: ModelOrder = { id, parts, session: undefined, reference: undefined, state: 'waiting', ...money };
    const due = worthOf(made);
    if (isOnline) {
      if (usesCard) made.card = model.cardPays(made);
      if (usesCard) await inside(() => test.app.get(GiftCardRedemptionService).choose(id, card));
      const completed = await completeCart(test, tenant, id);
      const paying = await inside(() => test.app.get(CartCompletionService).pay(id, completed, `/cart/${id}/mark`));
      made.state = due > made.card ? 'paying' : 'sold';
      if (made.state === 'paying') made.session = sessionOfCart(paying);
      if (made.session) expect(stripe.sessions.get(made.session)!.amount_total).toBe(due - made.card);
    } else {
      await completeCart(test, tenant, id, { payment: 'transfer' });
      for (const one of parts) await inside(() => changes.verify(one.id));
      const instructions = await inside(() => test.app.get(BankTransfersService).instructionsOf({ id, cartId: id }));
      expect(instructions?.amount).toBe(euros(due));
      made.reference = instructions!.reference;
    }
    model.orders.push(made);
  }

  /** What became of an order whose places or checkout had ended when its payment arrived: only its money is computed. */
  async function see(one: ModelOrder): Promise<void> {
    const { parts, own: ownLines } = await cartOf(test, tenant, one.id);
    for (const own of one.parts) if (parts.find(({ id }) => id === own.id)?.status === 'C') own.live = 0;
    const [row] = await sql<{ cents: number }>(
      `select coalesce(sum(case when kind = 'refund' then -amount else amount end) * 100, 0)::int as cents from payment
       where order_id = $1 and provider = 'gift_card' and status <> 'failed'`,
      [one.id],
    );
    one.card = row!.cents;
    const isLeft = one.parts.some(({ live }) => live > 0);
    const isOpen = one.parts.some(({ id, live }) => live > 0 && ['R', 'U'].includes(parts.find((now) => now.id === id)?.status ?? ''));
    if (isOpen) return;
    one.donation = ownLines.some(({ isPaid }) => isPaid) ? one.donation : 0;
    one.state = isLeft || one.donation > 0 ? 'sold' : 'gone';
  }

  /** The provider says so often, at once, that a checkout was paid; perhaps after it had said that it ended. */
  async function charge(one: ModelOrder, times: number, hasEnded = false): Promise<void> {
    const session = stripe.sessions.get(one.session!)!;
    // A checkout that pays also for something cancelled is paid back as a whole, even when a card pays that part alone.
    const isWhole = one.state === 'paying' && !hasEnded && one.parts.every(({ live }) => live > 0);
    const paid = stripe.pay(session.id);
    if (hasEnded) await deliver(stripe.event('checkout.session.expired', { ...session, payment_status: 'unpaid', status: 'expired' }));
    one.charged = session.amount_total;
    await Promise.all(Array.from({ length: times }, () => deliver(paid)));
    if (isWhole) one.state = 'sold';
    else await see(Object.assign(one, { state: 'lapsed' }));
  }

  /** Whatever waits is paid once enough has arrived for it. */
  async function settle(): Promise<void> {
    await inside(() => arrived.settle());
    for (const one of model.orders)
      if (one.state === 'waiting' && one.transferred > 0 && one.transferred >= worthOf(one)) one.state = 'sold';
  }

  async function transfer(one: ModelOrder, more: number, times: number): Promise<void> {
    await settle();
    const missing = one.state === 'waiting' ? worthOf(one) - one.transferred : 700;
    const cents = Math.max(1, missing + more);
    files += 1;
    // Two equal amounts of one day for one order may be one credit in two files: staff decide about them.
    const day = new Date(Date.UTC(2026, 11, files)).toISOString().slice(0, 10);
    const file = sparkasseCamt([line(`${one.reference} ${randomUUID()}`, euros(cents), { day })], files);
    const upload = () => inside(() => test.app.get(StatementUploadsService).upload('statement', file));
    await Promise.all(Array.from({ length: times }, upload));
    one.transferred += cents;
    if (one.state === 'lapsed') await see(one);
    else if (one.state === 'waiting' && one.transferred >= worthOf(one)) one.state = 'sold';
  }

  async function cancel(one: ModelOrder, index: number, isTicket: boolean): Promise<void> {
    const own = one.parts[index % one.parts.length]!;
    const [ticket] = await sql<{ id: string }>(`select id from ticket where reservation_id = $1 and status <> 'R' limit 1`, [own.id]);
    if (!ticket || own.live === 0) return;
    const before = own.live;
    own.live = isTicket ? before - 1 : 0;
    if (isTicket) await inside(() => changes.cancelTickets(own.id, [ticket.id], { reason: 'staff' }));
    else await inside(() => changes.cancel(own.id, { reason: 'staff' }));
    if (one.state === 'paying') await see(one);
    else if (isOver(one)) endOrder(one);
    // What is taken back of a paid order goes back to the card last, because it paid first.
    else if (one.card > 0) await see(one);
  }

  const perform: { [Name in HistoryStep['do']]: (given: StepOf<Name>) => Promise<unknown> | undefined } = {
    order,
    charge: (given) => {
      const isOpen = ({ session, charged }: ModelOrder) =>
        session !== undefined && charged === 0 && stripe.sessions.get(session)!.status === 'open';
      const one = model.pick(given.which, isOpen);
      return one && charge(one, given.times);
    },
    runOut: (given) => {
      const one = model.pick(given.which, ({ state, charged }) => state === 'paying' && charged === 0);
      if (!one || stripe.sessions.get(one.session!)!.status !== 'open') return undefined;
      if (given.isPaid) return charge(one, 1, true);
      endOrder(one);
      return deliver(stripe.runOut(one.session!));
    },
    transfer: (given) => {
      const one = model.pick(given.which, ({ reference }) => reference !== undefined);
      return one && transfer(one, given.more, given.times);
    },
    counter: async (given) => {
      const one = model.pick(given.which, ({ state }) => state === 'waiting');
      if (!one) return;
      // Nobody gives at the counter what the order was to be paid with.
      one.donation = 0;
      one.atCounter = worthOf(one);
      one.state = 'sold';
      for (const { id, live } of one.parts) if (live > 0) await inside(() => changes.confirm(id, 'cash'));
    },
    cancel: (given) => {
      const one = model.pick(given.which, ({ state }) => state !== 'gone' && state !== 'lapsed');
      return one && cancel(one, given.part, false);
    },
    cancelTicket: (given) => {
      const one = model.pick(given.which, ({ state }) => state === 'sold' || state === 'waiting');
      return one && cancel(one, given.part, true);
    },
    giveBack: (given) => {
      const one = model.pick(given.which, ({ state, donation }) => state === 'sold' && donation > 0);
      if (!one) return undefined;
      one.donation = 0;
      if (worthOf(one) === 0) endOrder(one);
      return inside(() => test.app.get(DonationsService).giveBack(one.id));
    },
    lapse: async () => {
      await letHoldsLapse(test, tenant);
      for (const one of model.orders) if (one.state === 'paying' || one.state === 'waiting') one.state = 'lapsed';
    },
  };
  return { model, code, card, eventIds, settle, perform: (one: HistoryStep) => perform[one.do](one as never) };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

/** An order's money in cents. */
interface Money {
  readonly id: string;
  readonly lines: number;
  readonly vat: number;
  /** By provider: what was paid, and what was or is to be paid back. */
  readonly paid: Readonly<Record<string, number>>;
  readonly back: Readonly<Record<string, number>>;
}

const byProvider = (kind: string) => `(select coalesce(json_object_agg(provider, cents), '{}') from (
  select provider, sum(amount * 100)::int as cents from payment where payment.order_id = one.id and kind = '${kind}'
    and status in ('paid', 'refund_due', 'refunded') group by provider) sums)`;
const linesSql = (column: string) => `(select coalesce(sum(${column}) * 100, 0)::int from order_line
  where order_line.order_id = one.id and effective_at is not null)`;

/** Uses, budget, balance, lines, payments and VAT are those of the model, and what arrived is sold, paid back or left to staff. */
async function compare({ model, code, card, eventIds }: Shop): Promise<void> {
  const { app } = payments.test;
  const found = await inside(() => app.get(CodesService).find(code.id));
  expect([found?.uses, found?.spent]).toEqual([model.uses(), euros(model.spent())]);
  expect((await inside(() => app.get(GiftCardsService).find(card.id)))?.balance).toBe(euros(model.balance()));
  const tickets = `select count(*)::int from ticket join reservation on reservation.id = reservation_id
    where ticket.event_id = event.id and ticket.status <> 'R' and released_at is null and (expires_at is null or expires_at > now())`;
  const taken = await sql<{ tickets: number }>(
    `select (${tickets}) as tickets from event where id = any($1) order by array_position($1, id)`,
    [eventIds],
  );
  expect(taken.map((one) => one.tickets)).toEqual(soldKinds.map((_, event) => model.booked(event)));
  const ids = model.orders.map(({ id }) => id);
  const rows = await sql<Money>(
    `select one.id, ${linesSql('amount')} as lines, ${linesSql('vat_amount')} as vat, ${byProvider('payment')} as paid,
       ${byProvider('refund')} as back from unnest($1::uuid[]) with ordinality as one (id, at) order by at`,
    [ids],
  );
  for (const [index, { lines, vat, paid, back }] of rows.entries()) {
    const one = model.orders[index]!;
    const worth = one.state === 'sold' ? worthOf(one) : 0;
    const [all, returned] = [total(Object.values(paid)), total(Object.values(back))];
    expect([one, lines, all - returned]).toEqual([one, worth, worth]);
    expect([one, paid['stripe'] ?? 0, paid['venue'] ?? 0]).toEqual([one, one.charged, one.atCounter]);
    for (const [provider, cents] of Object.entries(back)) expect(cents).toBeLessThanOrEqual(paid[provider] ?? 0);
    const taxed = one.parts.map(({ event, unit, live }) => (unit * live * soldKinds[event]!.vat) / (100 + soldKinds[event]!.vat));
    // Each line that takes back a ticket is rounded of its own.
    expect(Math.abs(vat - (worth === 0 ? 0 : total(taxed)))).toBeLessThanOrEqual(worth === 0 ? 0 : 4);
    const [bank] = await sql<{ shares: number; rest: number }>(
      `select (select coalesce(sum(amount) * 100, 0)::int from bank_share where order_id = $1) as shares,
         (select coalesce(sum(case when state = 'open' then amount else excess end) * 100, 0)::int from bank_entry
          where suggested_order_id = $1) as rest`,
      [one.id],
    );
    expect([one, bank!.shares + bank!.rest]).toEqual([one, one.transferred]);
    expect(paid['transfer'] ?? 0).toBe(bank!.shares - (one.state === 'waiting' || one.state === 'lapsed' ? bank!.shares : 0));
  }
  await until(
    () => sql(`select id from payment where provider = 'stripe' and status = 'refund_due'`),
    (due) => due.length === 0,
  );
  for (const [index, { back }] of rows.entries()) {
    const session = payments.stripe.sessions.get(model.orders[index]!.session ?? '');
    const charged = payments.stripe.charges.get(session?.payment_intent ?? '');
    expect(charged?.amount_refunded ?? 0).toBe(back['stripe'] ?? 0);
  }
}

it('sells, owes and pays back what a model of the shop does, in every random history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(historyStep, { minLength: 20, maxLength: 40 }), async (steps) => {
      const shop = await newShop();
      for (const one of steps) await shop.perform(one);
      await shop.settle();
      await compare(shop);
      await payments.settle();
    }),
    { numRuns: runs, endOnFailure: !longRun, ...(seed !== undefined && { seed: Number(seed) }) },
  );
}, 1_200_000);
