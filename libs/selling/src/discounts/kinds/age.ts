import type { DiscountRule } from './discount-rule.js';

/** A holder of some age pays less. The buyer says the age; the venue may look at the door. */
export const age: DiscountRule = {
  isGiven: () => true,
  reduces: ({ ageFrom, ageBelow }, { age: years }) =>
    years !== undefined && years >= (ageFrom ?? 0) && (ageBelow === null || years < ageBelow),
  missing: () => undefined,
};
