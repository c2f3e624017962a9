import { In } from 'typeorm';
import type { Tx } from '#tenancy';
import { MembershipRenewal } from './membership-renewal.entity.js';

/** A renewal by itself, as its pages and mails show it. */
export interface AutomaticRenewal {
  /** Time of the charge; the announced one, or the expected one. */
  readonly dueAt: Date;
  /** Decimal text; the announced one, or that of today. */
  readonly amount: `${number}`;
  /** A charge was asked for, and its outcome is not known. */
  readonly isUnderWay: boolean;
}

/** Days before the end at which a membership is charged, so that two more attempts are left. */
export const chargeDays = 7;

/** SQL: the amount of a renewal; see `renewalAmount`. */
export const renewalAmountSql = 'case when price.free_amount then greatest(membership.amount, price.amount) else price.amount end';

/** SQL: whether a renewal that nobody stopped is wanted, and the venue allows it still. */
export const isWantedSql = (membership: string): string =>
  `exists (select from membership_renewal wanted join membership own on own.id = wanted.membership_id
     join product on product.id = own.product_id
     where wanted.membership_id = ${membership} and wanted.ended is null and product.auto_renewal)`;

/** Keeps the wish to renew a new membership by itself, where the venue allows it and the membership has an end. */
export async function keepRenewal(tx: Tx, membershipId: string): Promise<void> {
  await tx.query(
    `insert into membership_renewal (membership_id)
     select membership.id from membership join product on product.id = membership.product_id
     where membership.id = $1 and product.auto_renewal and membership.valid_until is not null and membership.amount > 0
     on conflict (membership_id) do nothing`,
    [membershipId],
  );
}

/** Whether one of these memberships is to be renewed by itself, so that the provider keeps the means of its payment. */
export function renewThemselves(tx: Tx, membershipIds: readonly string[]): Promise<boolean> {
  return tx.existsBy(MembershipRenewal, { membershipId: In(membershipIds) });
}

/** @returns undefined when it does not renew by itself */
export async function automaticRenewal(tx: Tx, membershipId: string): Promise<AutomaticRenewal | undefined> {
  const [row] = await tx.query<AutomaticRenewal[]>(
    `select coalesce(renewal.due_at, membership.valid_until - interval '${chargeDays} days') as "dueAt",
       coalesce(renewal.amount, ${renewalAmountSql})::text as amount, renewal.payment_id is not null as "isUnderWay"
     from membership_renewal renewal join membership on membership.id = renewal.membership_id
     join price on price.id = membership.price_id
     where renewal.membership_id = $1 and membership.status = 'active' and membership.valid_until > now()
       and ${isWantedSql('membership.id')}`,
    [membershipId],
  );
  return row;
}
