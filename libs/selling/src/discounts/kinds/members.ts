import type { DiscountRule } from './discount-rule.js';

/** Who has a membership, or buys it with the same order, pays less. Whether a person has it is decided where the tickets are taken. */
export const members: DiscountRule = {
  isGiven: ({ membershipId }, _, { memberships }) => membershipId !== null && memberships.includes(membershipId),
  missing: ({ membershipId }, pieces, { memberships }) =>
    pieces.length > 0 && membershipId !== null && !memberships.includes(membershipId) ? { what: 'membership', count: 1 } : undefined,
};
