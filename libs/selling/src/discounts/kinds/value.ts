import { toCents } from '#kernel';
import type { DiscountRule, Piece } from './discount-rule.js';

const sumOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { amount }) => sum + amount, 0);

/** From an amount on, which the tickets cost together without savings, each is cheaper. */
export const value: DiscountRule = {
  isGiven: ({ leastAmount }, pieces) => sumOf(pieces) >= toCents(leastAmount ?? '0'),
  missing({ leastAmount }, pieces) {
    const count = toCents(leastAmount ?? '0') - sumOf(pieces);
    return pieces.length > 0 && count > 0 ? { what: 'amount', count } : undefined;
  },
};
