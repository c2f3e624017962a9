import fc from 'fast-check';
import { total } from './order-model.js';

const few = fc.nat({ max: 3 });
const which = fc.nat({ max: 30 });
const part = fc.nat({ max: 1 });
const act = <Name extends string, More extends object>(
  weight: number,
  name: Name,
  more: { [Key in keyof More]: fc.Arbitrary<More[Key]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), which, ...more }) as unknown as fc.Arbitrary<{ do: Name; which: number } & More>,
});
/** What buyers, banks, the provider and staff do. `which` chooses among the orders to which it can happen. */
export const historyStep = fc.oneof(
  act(6, 'order', {
    counts: fc.tuple(few, few).filter((counts) => total(counts) > 0),
    hasCode: fc.boolean(),
    usesCard: fc.boolean(),
    gives: fc.constantFrom(0, 0, 333, 500),
    isOnline: fc.boolean(),
  }),
  act(5, 'charge', { times: fc.integer({ min: 1, max: 3 }) }),
  act(1, 'runOut', { isPaid: fc.boolean() }),
  act(5, 'transfer', { more: fc.constantFrom(0, 0, 0, -300, 250), times: fc.integer({ min: 1, max: 2 }) }),
  act(1, 'counter', {}),
  act(2, 'cancel', { part }),
  act(3, 'cancelTicket', { part }),
  act(1, 'giveBack', {}),
  act(1, 'lapse', {}),
);
export type HistoryStep = typeof historyStep extends fc.Arbitrary<infer Value> ? Value : never;
export type StepOf<Name extends HistoryStep['do']> = Extract<HistoryStep, { do: Name }>;
