import type { DiscountRule } from './discount-rule.js';

/** From a number of tickets on, each is cheaper. */
export const quantity: DiscountRule = {
  isGiven: ({ least }, pieces) => pieces.length >= (least ?? 1),
  missing: ({ least }, pieces) =>
    pieces.length > 0 && pieces.length < (least ?? 1) ? { what: 'tickets', count: (least ?? 1) - pieces.length } : undefined,
};
