import { fromCents, sumOf, toCents } from '#kernel';
import { giftCard, type Payment } from '#payments';
import type { ChosenGiftCard } from './gift-card-redemption.service.js';

/**
 * What is left to pay of an order: without what its cards have reserved; before that, without what they have.
 * @param amount decimal text
 */
export function restWithCards(
  amount: string,
  payments: readonly Pick<Payment, 'provider' | 'status' | 'amount'>[],
  chosen: readonly Pick<ChosenGiftCard, 'balance'>[] = [],
): string {
  const reserved = payments.filter(({ provider, status }) => provider === giftCard && status === 'pending');
  const paid = reserved.length > 0 ? sumOf(reserved) : sumOf(chosen.map(({ balance }) => ({ amount: balance })));
  return fromCents(Math.max(0, toCents(amount) - toCents(paid)));
}
