import { RefusedBooking, lockValidMembershipSql } from '#tickets';
import { RefusedInput, toCents } from '#kernel';
import { currentTenant, type Tx } from '#tenancy';
import type { Membership } from '../rows/membership.entity.js';
import type { SoldPrice } from '../rows/membership-rows.js';
import type { NewMembership } from './new-membership.js';
import { texts } from '../locales/memberships.texts.js';

/**
 * Determines the validity of a new membership: by the price's subscription type in the tenant's time zone; a renewal starts when the
 * current membership ends.
 * @throws RefusedInput on `validUntil` when it is not after the start
 */
export async function timesOf(
  tx: Tx,
  { validFrom, validUntil }: Pick<NewMembership, 'validFrom' | 'validUntil'>,
  { productId, subscriptionType }: Pick<SoldPrice, 'productId' | 'subscriptionType'>,
  key: string,
): Promise<{ validFrom: Date; validUntil: Date | null }> {
  const [row] = await tx.query<{ from: Date; until: Date | null }[]>(
    `with recursive begins as (
       select coalesce($1::timestamptz, (select max(valid_until) from membership where product_id = $2 and email_key = $3
         and status = 'active' and valid_until > now()), now()) as at),
     -- The starts of the memberships that this one follows without a gap.
     chain as (
       select valid_from as start from membership join begins on valid_until = at
         where product_id = $2 and email_key = $3 and status = 'active'
       union select valid_from from membership join chain on valid_until = chain.start
         where product_id = $2 and email_key = $3 and status = 'active'),
     period as (
       select at, at at time zone $5 + $6::interval as ends, extract(day from at at time zone $5 + interval '1 day') = 1 as from_last_day,
         (select max(extract(day from start at time zone $5)) from chain) as day from begins),
     -- A period that began on the last day of a short month ends on the day of the month on which the first one began: 31, 28, 31.
     kept as (
       select *, case when from_last_day and day is not null then
         greatest(0, least(day, extract(day from date_trunc('month', ends) + interval '1 month - 1 day')) - extract(day from ends))
         end as days from period)
     select at as from, coalesce($4::timestamptz, (ends + make_interval(days => coalesce(days, 0)::int)) at time zone $5) as until
     from kept`,
    [
      validFrom ?? null,
      productId,
      key,
      validUntil ?? null,
      currentTenant().timeZone,
      { Y: '1 year', M: '1 month', none: null }[subscriptionType ?? 'none'],
    ],
  );
  const { from, until } = row as { from: Date; until: Date | null };
  if (until && until <= from) {
    throw new RefusedInput('validUntil', texts.localized('membershipTerms.validLonger'));
  }
  return { validFrom: from, validUntil: until };
}

/**
 * What buyers on the pages have not paid or confirmed yet does not count: anybody can type an address.
 * @param except id of a membership that does not count
 * @throws RefusedBooking when the person reached the limit of the price at time `at`, or lacks the required membership
 */
export async function checkMembershipLimits(tx: Tx, price: SoldPrice, key: string, at: Date, except?: string): Promise<void> {
  if (price.maxPerUser !== null) {
    // A sale that committed while this one waited for the lock may have begun later than this transaction.
    const [row] = await tx.query<{ count: number }[]>(
      `select count(*)::int as count from membership where price_id = $1 and email_key = $2 and id is distinct from $4::uuid
         and (status = 'active' or status = 'pending' and expires_at > statement_timestamp()
           and (by_user_id is not null or by_key_id is not null))
         and valid_from <= greatest($3, statement_timestamp()) and (valid_until is null or valid_until > $3)`,
      [price.id, key, at, except ?? null],
    );
    const held = row?.count ?? 0;
    if (held >= price.maxPerUser) throw new RefusedBooking('limit_per_user', 'priceId', { maximum: price.maxPerUser, held, mayBook: 0 });
  }
  if (price.requiredMembershipId === null) return;
  const held = await tx.query<unknown[]>(lockValidMembershipSql, [price.requiredMembershipId, key]);
  if (held.length === 0) throw new RefusedBooking('membership_required', 'priceId');
}

/** Amount of a renewal, decimal text: a freely chosen amount is kept unless the price's minimum is now higher; else the price's amount. */
export function renewalAmount({ amount, price }: Pick<Membership, 'amount' | 'price'>): string {
  return price.freeAmount && toCents(amount) > toCents(price.amount) ? amount : price.amount;
}
