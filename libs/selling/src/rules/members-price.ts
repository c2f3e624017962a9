import { RefusedInput } from '#kernel';
import { texts } from '../locales/selling.texts.js';
import { priceOf, type Rule } from './sale.js';

/** A price for members needs the address of the member. Whether that person is a member is decided where the tickets are taken. */
export const membersPrice: Rule = {
  name: 'members-price',
  refuse: (sale) =>
    sale.email === '' && sale.items.some((item) => priceOf(sale, item).requiredMembershipId !== null)
      ? [new RefusedInput('email', texts.localized('bookings.emailRequiredForMembers'))]
      : [],
};
