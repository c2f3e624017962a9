import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DraftsService } from '#selling';
import { CodesService, ReservationChangesService } from '#tickets';
import { RefusedInput } from '#kernel';
import { TenantDb, type TenantIdentity } from '#tenancy';
import fc from 'fast-check';
import { book, expectNoDrift, letHoldsLapse, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { longRun } from '../support/long-run.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Random histories. A failure prints its seed: CODES_SEED. */
const runs = Number(process.env['CODES_RUNS'] ?? (longRun ? 200 : 3));
const seed = process.env['CODES_SEED'];

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  inside(() => test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));

const capacity = 12;
const price = 1001;
const vat = 20;

/** Cents, in the model. */
interface ModelCode {
  readonly saves: number;
  readonly perPerson: number;
  readonly reserved: number;
  uses: number;
  budget: number;
  disabled: boolean;
}
const newCodes = (): ModelCode[] => [
  { saves: 334, perPerson: Infinity, reserved: 0, uses: 6, budget: 1700, disabled: false },
  { saves: 400, perPerson: 2, reserved: 3, uses: Infinity, budget: Infinity, disabled: false },
  { saves: 1001, perPerson: Infinity, reserved: 2, uses: 4, budget: Infinity, disabled: false },
];
/** The same codes for the program: a third less, four euros less, and nothing to pay. */
const effects = [
  { effect: 'percent', value: '33.33', maxUses: 6, budget: '17' },
  { effect: 'amount', value: '4', maxPerPerson: 2, reserved: 3 },
  { effect: 'price', value: '0', maxUses: 4, reserved: 2 },
] as const;

interface Order {
  readonly id: string;
  readonly person: number | undefined;
  code: number | undefined;
  tickets: number;
  state: 'draft' | 'held' | 'sold' | 'lapsed' | 'gone';
}

/** What a shop with codes does, without a database. */
class Model {
  readonly orders: Order[] = [];
  readonly codes = newCodes();

  private live = (without?: Order): Order[] => this.orders.filter((one) => one !== without && !['lapsed', 'gone'].includes(one.state));
  saves = (code: number | undefined): number => (code === undefined ? 0 : this.codes[code]!.saves);
  uses = (code: number, without?: Order, person?: number): number =>
    this.live(without)
      .filter((one) => one.code === code && (person === undefined || one.person === person))
      .reduce((sum, { tickets }) => sum + tickets, 0);
  /** Places that a code keeps and nobody has taken. */
  private kept = (code: number, without?: Order): number =>
    this.codes[code]!.disabled ? 0 : Math.max(0, this.codes[code]!.reserved - this.uses(code, without));
  booked = (without?: Order): number => this.live(without).reduce((sum, { tickets }) => sum + tickets, 0);
  /** @param changed whose places and uses are given back first @param isNew nothing of it is held */
  allows(code: number | undefined, tickets: number, person: number | undefined, changed?: Order, isNew = true): boolean {
    const others = [0, 1, 2].filter((one) => one !== code).reduce((sum, one) => sum + this.kept(one, changed), 0);
    if (isNew && tickets > capacity - this.booked(changed) - others) return false;
    if (code === undefined) return true;
    const { uses, budget, perPerson, disabled, saves } = this.codes[code]!;
    const used = this.uses(code, changed);
    if ((person === undefined ? 0 : this.uses(code, changed, person)) + tickets > perPerson) return false;
    if (!isNew || (changed?.code === code && changed.state !== 'lapsed' && tickets <= changed.tickets)) return true;
    return !disabled && used + tickets <= uses && (used + tickets) * saves <= budget;
  }
}

const few = fc.integer({ min: 1, max: 3 });
const which = fc.nat({ max: 30 });
const code = fc.constantFrom(undefined, 0, 0, 1, 1, 2);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('book' as const), code, tickets: few, person: fc.nat({ max: 2 }), sold: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), code, tickets: few }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const), which, code, tickets: few }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('confirm' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancelTicket' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lapse' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      uses: fc.nat({ max: 8 }),
      euros: fc.integer({ min: 1, max: 30 }),
      disabled: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A venue's event with the three codes, and the model beside it. */
async function newShop() {
  const { id } = await newEvent(test, tenant, { capacity });
  const priceId = await newPrice(test, tenant, id, { amount: '10.01', vat: '20' });
  const make = (index: number) =>
    inside(() =>
      test.app.get(CodesService).create({ code: `${id.slice(0, 8)}-${index}`, eventIds: [id], priceIds: [priceId], ...effects[index]! }),
    );
  const codes = [await make(0), await make(1), await make(2)];
  const model = new Model();
  const textOf = (index: number | undefined): { code?: string } => (index === undefined ? {} : { code: codes[index]!.code });
  const changes = test.app.get(ReservationChangesService);
  const drafts = test.app.get(DraftsService);
  const choice = (index: number | undefined, quantity: number) => ({
    eventId: id,
    lines: [{ priceId, quantity }],
    options: [],
    ...textOf(index),
  });
  const pick = (states: readonly Order['state'][], index: number): Order | undefined => {
    const fit = model.orders.filter((one) => states.includes(one.state));
    return fit[index % Math.max(1, fit.length)];
  };
  /** Both agree on whether it is possible. @returns what was made */
  const agree = async <Made>(isAllowed: boolean, what: string, work: () => Promise<Made>): Promise<Made | undefined> => {
    try {
      const made = await work();
      expect([what, true]).toEqual([what, isAllowed]);
      return made;
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      expect([what, error.message, false]).toEqual([what, error.message, isAllowed]);
      return undefined;
    }
  };

  async function perform(one: Step): Promise<void> {
    const what = JSON.stringify(one);
    if (one.do === 'book') {
      const { person, tickets, sold } = one;
      const wanted = { quantity: tickets, email: `p${person}@${id}.example.org`, ...textOf(one.code), ...(sold && { confirmed: true }) };
      const made = await agree(model.allows(one.code, tickets, person), what, () => book(test, tenant, { id, priceId }, wanted));
      if (made) model.orders.push({ id: made.id, person, code: one.code, tickets, state: made.status === 'V' ? 'sold' : 'held' });
    } else if (one.do === 'hold') {
      const made = await agree(model.allows(one.code, one.tickets, undefined), what, () =>
        inside(() => drafts.hold(choice(one.code, one.tickets), { own: `${model.orders.length}.${id}`, site: null })),
      );
      if (made !== undefined) model.orders.push({ id: made, person: undefined, code: one.code, tickets: one.tickets, state: 'draft' });
    } else if (one.do === 'change') {
      const order = pick(['draft'], one.which);
      if (!order) return;
      const made = await agree(model.allows(one.code, one.tickets, undefined, order), what, () =>
        inside(() => drafts.change(order.id, choice(one.code, one.tickets))),
      );
      if (made === true) Object.assign(order, { code: one.code, tickets: one.tickets });
    } else if (one.do === 'confirm') {
      const order = pick(['held', 'lapsed'], one.which);
      if (!order || order.person === undefined) return;
      const isAllowed = model.allows(order.code, order.tickets, order.person, order, order.state === 'lapsed');
      if (await agree(isAllowed, `${what} ${order.state}`, () => inside(() => changes.confirm(order.id)))) order.state = 'sold';
    } else if (one.do === 'cancel') {
      const order = pick(['held', 'sold'], one.which);
      if (!order) return;
      await inside(() => changes.cancel(order.id, { reason: 'staff' }));
      order.state = 'gone';
    } else if (one.do === 'cancelTicket') {
      const order = pick(['sold'], one.which);
      if (!order) return;
      const [ticket] = await sql<{ id: string }>(`select id from ticket where reservation_id = $1 and status <> 'R' limit 1`, [order.id]);
      await inside(() => changes.cancelTicket(ticket!.id, { reason: 'staff' }));
      order.tickets -= 1;
      if (order.tickets === 0) order.state = 'gone';
    } else if (one.do === 'lapse') {
      await letHoldsLapse(test, tenant);
      for (const order of model.orders)
        if (order.state === 'draft') order.state = 'gone';
        else if (order.state === 'held') order.state = 'lapsed';
    } else {
      const maxUses = one.uses === 0 ? null : one.uses;
      await inside(() => test.app.get(CodesService).update(codes[0]!.id, { maxUses, budget: String(one.euros), disabled: one.disabled }));
      Object.assign(model.codes[0]!, { uses: maxUses ?? Infinity, budget: one.euros * 100, disabled: one.disabled });
    }
  }

  /** Uses, budgets, places, lines, payments and VAT are those of the model. */
  async function compare(): Promise<void> {
    for (const [index, { id: codeId }] of codes.entries()) {
      const found = await inside(() => test.app.get(CodesService).find(codeId));
      const uses = model.uses(index);
      expect([index, found?.uses, Number(found?.spent)]).toEqual([index, uses, (uses * model.saves(index)) / 100]);
    }
    const sold = model.orders.filter(({ state, person }) => person !== undefined && (state === 'sold' || state === 'gone'));
    const rows = await sql<{ id: string; lines: number; vat: number; paid: number }>(
      `select one.id, (select coalesce(sum(amount) * 100, 0)::int from order_line line where line.reservation_id = one.id
           and line.effective_at is not null) as lines,
         (select coalesce(sum(vat_amount) * 100, 0)::int from order_line line where line.reservation_id = one.id
           and line.effective_at is not null) as vat,
         (select coalesce(sum(case when kind = 'refund' then -amount else amount end) * 100, 0)::int from payment
           where payment.reservation_id = one.id and status in ('paid', 'refunded', 'refund_due')) as paid
       from unnest($1::uuid[]) as one (id)`,
      [sold.map((order) => order.id)],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { id: orderId, code: used, tickets, state } of sold) {
      const due = state === 'gone' ? 0 : tickets * (price - model.saves(used));
      const { lines, paid, vat: taxed } = byId.get(orderId)!;
      expect([orderId, lines, paid]).toEqual([orderId, due, due]);
      // Each line that takes back a ticket is rounded of its own.
      expect(Math.abs(taxed - (due * vat) / (100 + vat))).toBeLessThanOrEqual(due === 0 ? 0 : 2);
    }
  }
  return { perform, compare };
}

it('counts what a model of the shop counts, in every random history of sales with codes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 45 }), async (steps) => {
      const { perform, compare } = await newShop();
      for (const one of steps) await perform(one);
      await compare();
      await expectNoDrift(test, tenant);
    }),
    { numRuns: runs, endOnFailure: !longRun, ...(seed !== undefined && { seed: Number(seed) }) },
  );
});
