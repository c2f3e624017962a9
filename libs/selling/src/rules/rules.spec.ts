import { describe, expect, it } from '@jest/globals';
import type { Question } from '#catalogue';
import { RefusedInput, RefusedInputs } from '#kernel';
import type { OfferedCode, OfferedEvent, OfferedPrice } from '#tickets';
import { reduced } from './code.js';
import { judge, judgeHeld, rules } from './index.js';
import type { Sale } from './sale.js';

const event: OfferedEvent = {
  id: 'e',
  name: 'Concert',
  category: 'CON',
  startsAt: new Date('2027-01-01T19:00:00Z'),
  published: true,
  isPostponed: false,
  isOver: false,
  maxPerUser: null,
  places: 10,
};
const price: OfferedPrice = {
  id: 'p',
  productId: 'x',
  name: 'Full price',
  product: 'Ticket',
  amount: '12.50',
  freeAmount: false,
  vatRate: null,
  maxPerUser: null,
  requiredMembershipId: null,
  wholeSeries: false,
  published: true,
  hidden: false,
  sale: 'open',
  salesFrom: null,
  category: 'B',
  linked: true,
};
const code: OfferedCode = {
  id: 'c',
  appliesTo: 'tickets',
  kept: 0,
  effect: 'percent',
  value: '10.00',
  priceIds: [],
  productIds: [],
  eventIds: [],
  disabled: false,
  version: 1,
  time: 'now',
};
const radio = (id: string) => ({ id, name: `Option ${id}`, kind: 'radio' as const });

const question: Question = {
  id: 'q',
  productId: 'x',
  name: 'diet',
  label: 'Diet',
  help: null,
  kind: 'text',
  scope: 'reservation',
  required: true,
  choices: [],
  position: 0,
  archivedAt: null,
  createdAt: new Date('2026-01-01T00:00:00Z'),
};

interface Changes extends Partial<Omit<Sale, 'offer'>> {
  readonly questions?: readonly Question[];
  readonly event?: Partial<OfferedEvent>;
  readonly prices?: readonly Partial<OfferedPrice>[];
  readonly offered?: Partial<OfferedCode> | null;
}

/** A sale that all rules allow, but for the changes. */
const saleWith = ({ event: changed, prices = [{}], questions = [], offered = null, ...sale }: Changes = {}): Sale => ({
  items: prices.map((one) => ({ priceId: one.id ?? price.id, quantity: 1 })),
  options: [],
  email: 'ada@example.org',
  decides: false,
  ...sale,
  offer: {
    event: { ...event, ...changed },
    prices: new Map(prices.map((one) => [one.id ?? price.id, { ...price, ...one }])),
    options: [radio('a'), radio('b')],
    questions,
    code: offered && { ...code, ...offered },
    discounts: [],
  },
});

/** The rules that refuse, each with the fields that it names. */
const refusals = (sale: Sale): Record<string, string[]> =>
  Object.fromEntries(
    rules.map(({ name, refuse }) => [name, refuse(sale).map(({ field }) => field)] as const).filter(([, fields]) => fields.length > 0),
  );

const verdict = (sale: Sale) => {
  try {
    return judge(sale);
  } catch (error) {
    if (error instanceof RefusedInput) return error;
    throw error;
  }
};

/** What is thrown. */
function outcomeOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the rules of selling', () => {
  it('leave a hold the code that it uses, for as many tickets or fewer', () => {
    const keptCode = { id: 'c', uses: 2, saved: '4.00' };
    const kept = (quantity: number, offered: Partial<OfferedCode>, more: Partial<Sale> = { keptCode }) =>
      refusals(saleWith({ code: 'X', offered, items: [{ priceId: 'p', quantity }], ...more }));
    const endings: Partial<OfferedCode>[] = [{ time: 'late' }, { disabled: true }, { priceIds: ['other'] }];
    for (const ended of endings) {
      expect(kept(2, ended)).toEqual({});
      expect(kept(2, { ...ended, id: 'another' })).toEqual({ code: ['code'] });
      expect(kept(2, ended, {})).toEqual({ code: ['code'] });
    }
    expect(kept(3, { time: 'late' })).toEqual({ code: ['code'] });
  });

  it('allow a usual sale, with amounts and options', () => {
    const sale = saleWith({ prices: [{}, { id: 'free', amount: '5.00', freeAmount: true }], options: ['Option b'] });
    const items = [
      { priceId: 'p', quantity: 2 },
      { priceId: 'free', quantity: 1, amount: '7' },
    ];
    expect(judge({ ...sale, items })).toEqual({
      lines: [
        {
          price: sale.offer.prices.get('p'),
          pieces: [12.5, 12.5].map((amount) => ({ amount: amount.toFixed(2), saved: null, discount: null })),
        },
        { price: sale.offer.prices.get('free'), pieces: [{ amount: '7.00', saved: null, discount: null }] },
      ],
      options: [radio('b')],
    });
  });

  it.each<[string, string, Changes, readonly string[]]>([
    ['size', 'nothing', { items: [] }, ['tickets']],
    ['size', 'half a ticket', { items: [{ priceId: 'p', quantity: 1.5 }] }, ['tickets']],
    ['size', '101 tickets', { items: [{ priceId: 'p', quantity: 101 }] }, ['tickets']],
    ['event-on-sale', 'an event that is not published', { event: { published: false } }, ['eventId']],
    ['event-on-sale', 'an event that is over', { event: { isOver: true } }, ['eventId']],
    ['event-on-sale', 'an event without a date', { event: { isPostponed: true } }, ['eventId']],
    ['price-on-sale', 'a price that is not published', { prices: [{}, { id: 'q', published: false }] }, ['tickets.1.priceId']],
    ['price-on-sale', 'a price of a membership', { prices: [{ category: 'A' }] }, ['tickets.0.priceId']],
    ['price-on-sale', 'a price of another event', { prices: [{ linked: false }] }, ['tickets.0.priceId']],
    ['code', 'a code that does not exist', { code: 'NONE' }, ['code']],
    ['code', 'a code that is switched off', { code: 'C', offered: { disabled: true } }, ['code']],
    ['code', 'a code before its time', { code: 'C', offered: { time: 'early' } }, ['code']],
    ['code', 'a code after its time', { code: 'C', offered: { time: 'late' } }, ['code']],
    ['code', 'a code for another event', { code: 'C', offered: { eventIds: ['other'] } }, ['code']],
    ['code', 'a code for another price', { code: 'C', offered: { priceIds: ['other'] } }, ['code']],
    ['code', 'a hidden price without a code', { prices: [{ hidden: true }] }, ['tickets.0.priceId']],
    [
      'code',
      'a hidden price with a code for all',
      { prices: [{}, { id: 'h', hidden: true }], code: 'C', offered: {} },
      ['tickets.1.priceId'],
    ],
    ['sale-window', 'a sale that has not begun', { prices: [{ sale: 'upcoming' }] }, ['tickets.0.priceId']],
    ['sale-window', 'a sale that has ended', { prices: [{ sale: 'ended' }] }, ['tickets.0.priceId']],
    ['whole-series', 'a pass for one date', { prices: [{ wholeSeries: true }] }, ['tickets.0.priceId']],
    ['amounts', 'another amount', { items: [{ priceId: 'p', quantity: 1, amount: '1' }] }, ['tickets.0.amount']],
    ['amounts', 'a text', { items: [{ priceId: 'p', quantity: 1, amount: 'much' }] }, ['tickets.0.amount']],
    ['amounts', 'a sum that cannot be stored', { prices: [{ amount: '99999999.99' }, { id: 'q' }] }, ['tickets']],
    ['members-price', 'a member without an address', { prices: [{ requiredMembershipId: 'm' }], email: '' }, ['email']],
    ['options', 'an unknown option', { options: ['c'] }, ['options']],
    ['options', 'two of which one may be chosen', { options: ['a', 'b'] }, ['options']],
    ['answers', 'a question that is not answered', { questions: [question] }, ['answers.diet']],
    ['answers', 'one that each ticket asks', { questions: [{ ...question, scope: 'ticket' }] }, ['tickets.0.answers.diet']],
    ['answers', 'an answer without a question', { answers: new Map([['name', 'Ada']]) }, ['answers.name']],
  ])('%s refuses %s', (name, _what, changes, fields) => {
    const sale = saleWith(changes);
    expect(refusals(sale)).toEqual({ [name]: fields });
    expect(verdict(sale)).toBeInstanceOf(RefusedInput);
  });

  it('refuses an unknown price before all rules that look at it', () => {
    const sale = saleWith({ items: [{ priceId: 'unknown', quantity: 1 }] });
    expect(verdict(sale)).toMatchObject({ field: 'tickets.0.priceId' });
  });

  it('let staff sell without a date and outside of the sale window, but nothing that is over or not published', () => {
    expect(refusals(saleWith({ decides: true, event: { isPostponed: true }, prices: [{ sale: 'ended' }] }))).toEqual({});
    expect(refusals(saleWith({ decides: true, event: { isOver: true } }))).toEqual({ 'event-on-sale': ['eventId'] });
    expect(refusals(saleWith({ decides: true, event: { published: false } }))).toEqual({ 'event-on-sale': ['eventId'] });
  });

  it('let staff sell a pass for one date, and everybody for all dates', () => {
    for (const who of [{ decides: true }, { allDates: true }]) {
      expect(refusals(saleWith({ ...who, prices: [{ wholeSeries: true }] }))).toEqual({});
    }
  });

  it('let tickets for members, and those that ask questions, be held before the buyer is known', () => {
    expect(refusals(saleWith({ prices: [{ requiredMembershipId: 'm' }], questions: [question], email: undefined }))).toEqual({});
  });

  it.each<[string, string, Partial<OfferedCode>, string, string | null]>([
    ['10 percent', '12.50', {}, '11.25', '1.25'],
    ['a third, in favour of the buyer', '10.00', { value: '33.33' }, '6.66', '3.34'],
    ['all', '12.50', { value: '100.00' }, '0.00', '12.50'],
    ['an amount', '12.50', { effect: 'amount', value: '2.00' }, '10.50', '2.00'],
    ['more than the price', '12.50', { effect: 'amount', value: '20.00' }, '0.00', '12.50'],
    ['a fixed price', '12.50', { effect: 'price', value: '5.00' }, '5.00', '7.50'],
    ['a fixed price above that of the ticket', '12.50', { effect: 'price', value: '20.00' }, '12.50', '0.00'],
    ['nothing', '12.50', { effect: 'none', value: null }, '12.50', '0.00'],
    ['another product', '12.50', { priceIds: ['other'], productIds: ['y'] }, '12.50', null],
  ])('reduce by %s', (_what, amount, offered, paid, saved) => {
    const sale = saleWith({ prices: [{ amount }], offered });
    expect(reduced(sale, sale.offer.prices.get('p')!, amount)).toEqual({ amount: paid, saved });
  });

  it('open a hidden price with a code that names it or its product, and to staff without one', () => {
    const hidden = { prices: [{ hidden: true }], code: 'C' };
    for (const named of [{ priceIds: ['p'] }, { productIds: ['x'] }]) {
      const offered = { ...named, effect: 'none', value: null } as const;
      expect(verdict(saleWith({ ...hidden, offered }))).toMatchObject({ lines: [{ pieces: [{ amount: '12.50', saved: '0.00' }] }] });
    }
    expect(refusals(saleWith({ prices: [{ hidden: true }], decides: true }))).toEqual({});
  });

  it('leave the price of a pass as it is', () => {
    const sale = saleWith({ prices: [{ wholeSeries: true }, { id: 'q' }], allDates: true, code: 'C', offered: {} });
    expect(verdict(sale)).toMatchObject({
      lines: [{ pieces: [{ amount: '12.50', saved: null }] }, { pieces: [{ amount: '11.25', saved: '1.25' }] }],
    });
  });

  it('let staff leave questions without an answer', () => {
    expect(refusals(saleWith({ questions: [question], answersOptional: true }))).toEqual({});
  });

  it('let a buyer order what is held when its sale has ended since, but not once the hold has ended, or the event sells nothing', () => {
    const held = (changes: Changes, lapsed: boolean) => () => judgeHeld({ offer: saleWith(changes).offer, lapsed, answers: [] });
    for (const sale of ['open', 'upcoming'] as const) expect(held({ prices: [{ sale }] }, true)).not.toThrow();
    expect(held({ prices: [{ sale: 'ended', published: false }] }, false)).not.toThrow();
    const refused = (reason: string): unknown => expect.objectContaining({ reason, field: 'tickets' });
    expect(outcomeOf(held({ prices: [{}, { id: 'q', sale: 'ended' }] }, true))).toEqual(refused('sale_ended'));
    expect(outcomeOf(held({ event: { isOver: true } }, false))).toEqual(refused('event_over'));
    expect(outcomeOf(held({ event: { published: false }, prices: [{ sale: 'ended' }] }, true))).toEqual(refused('event_not_published'));
  });

  it('name every fault of the first rule that refuses', () => {
    const items = ['1', '2'].map((amount) => ({ priceId: 'p', quantity: 1, amount }));
    const refused = verdict(saleWith({ items, options: ['unknown'] }));
    expect(refused).toBeInstanceOf(RefusedInputs);
    expect((refused as RefusedInputs).faults.map(({ field }) => field)).toEqual(['tickets.0.amount', 'tickets.1.amount']);
  });
});
