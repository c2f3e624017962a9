import { wasPaidOnline, withdrawalEnd } from '#tickets';
import { databaseNow, dotted, toCents } from '#kernel';
import { currentTenant } from '#tenancy';
import type { WholeMembership } from './membership-rows.js';

type Sold = Pick<WholeMembership, 'status' | 'amount' | 'byUserId' | 'byKeyId' | 'createdAt' | 'payments'>;

/**
 * The end of the period in which a member may withdraw from a membership: 14 days from its payment, which concludes the contract.
 * @returns undefined when there is none: it was sold at the venue, cost nothing, is not paid, or is cancelled
 */
export function membershipWithdrawalEnd({ status, amount, byUserId, byKeyId, createdAt, payments }: Sold): Date | undefined {
  const isOnline = (byUserId === null && byKeyId === null) || wasPaidOnline(payments);
  if (status !== 'active' || !isOnline || toCents(amount) === 0) return undefined;
  const paidAt = payments.find(({ kind, status: state }) => kind === 'payment' && state === 'paid')?.paidAt;
  return withdrawalEnd(paidAt ?? createdAt, currentTenant().timeZone);
}

/** The end of that period while it lasts; undefined: one may not withdraw now. */
export function membershipWithdrawableUntil(membership: Sold): Date | undefined {
  const end = membershipWithdrawalEnd(membership);
  return end && end > databaseNow() ? end : undefined;
}

/** The name of a membership as a contract. */
export const membershipContractName = ({ product, price }: Pick<WholeMembership, 'product' | 'price'>): string =>
  dotted([...new Set([product.name, price.name])]);
