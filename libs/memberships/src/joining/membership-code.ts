import { amountToPay, Code, isLiveSql, namesPrice, RefusedBooking, usesByOthersSql, withCode, type BookingConflict } from '#tickets';
import { databaseNow, toCents } from '#kernel';
import type { Tx } from '#tenancy';
import type { SoldPrice } from '../rows/membership-rows.js';
import type { NewMembership } from './new-membership.js';

/** A price of a membership, as codes see it. */
interface PriceOfMembership {
  readonly id: string;
  readonly productId: string;
}

/** What a membership costs with a code. */
export interface CodedMembership {
  readonly codeId: string;
  /** Decimal texts. */
  readonly amount: string;
  readonly saved: string;
}

/** Whether a code reduces a membership: what it names, or all memberships when it names nothing. */
function isFor({ effect, appliesTo, ...code }: Code, price: PriceOfMembership): boolean {
  if (effect === 'none' || appliesTo === 'tickets') return false;
  return namesPrice(code, price) || code.priceIds.length + code.productIds.length === 0;
}

function faultOf(code: Code, price: PriceOfMembership): BookingConflict | undefined {
  const now = databaseNow();
  if (code.disabled) return 'code_unknown';
  if (code.validFrom !== null && code.validFrom > now) return 'code_early';
  if (code.validUntil !== null && code.validUntil <= now) return 'code_expired';
  return isFor(code, price) ? undefined : 'code_elsewhere';
}

/** @throws RefusedBooking on `code` when it cannot be used for the membership now */
function coded(code: Code | null, price: PriceOfMembership, full: string): CodedMembership {
  const fault = code ? faultOf(code, price) : 'code_unknown';
  if (!code || fault) throw new RefusedBooking(fault ?? 'code_unknown', 'code');
  return { codeId: code.id, ...withCode(code, full) };
}

/**
 * What memberships cost with a code, as far as it is for them.
 * @param typed as `codeKey` writes it
 * @param prices with what they cost without it, decimal text
 * @param asksUses a code without a use left is refused; otherwise that is left to the purchase
 * @returns by the id of the price, at least one
 * @throws RefusedBooking on `code` when it is for none, or cannot be used now
 */
export async function codedMemberships(
  tx: Tx,
  typed: string,
  prices: readonly (PriceOfMembership & { readonly amount: string })[],
  asksUses = true,
): Promise<ReadonlyMap<string, CodedMembership>> {
  const code = await tx.findOneBy(Code, { code: typed });
  const used = new Map<string, CodedMembership>();
  const isFound = prices.filter((price) => code !== null && isFor(code, price));
  for (const price of isFound.length > 0 ? isFound : prices.slice(0, 1)) used.set(price.id, coded(code, price, price.amount));
  const [first] = used.values();
  if (!first) throw new RefusedBooking('code_elsewhere', 'code');
  if (asksUses) await refuseUsedUpCode(tx, { codeId: first.codeId, saved: '0' }, { emailKey: undefined });
  return used;
}

/**
 * What a new membership costs. The row of its code is locked: who comes second waits.
 * @throws RefusedInput on `amount`; RefusedBooking on `code`
 */
export async function amountToBuy(
  tx: Tx,
  wanted: Pick<NewMembership, 'agreedAmount' | 'amount' | 'code'>,
  price: SoldPrice,
): Promise<{ readonly amount: string; readonly coded?: CodedMembership }> {
  const full = wanted.agreedAmount ?? amountToPay(price, wanted.amount, 'amount');
  if (wanted.code === undefined) return { amount: full };
  const code = await tx.findOne(Code, { where: { code: wanted.code }, lock: { mode: 'for_no_key_update' } });
  const used = coded(code, price, full);
  return { amount: used.amount, coded: used };
}

/** Of no membership. */
const none = '00000000-0000-0000-0000-000000000000';

/** Whose use of a code is asked for. */
interface Using {
  /** What it uses already does not count; undefined: nothing yet. */
  readonly membershipId?: string | undefined;
  /** undefined: the person is not known, so that nothing is said about it. */
  readonly emailKey: string | undefined;
  /** It has its use already: only its person is asked. Default: it takes one, or takes again what had expired. */
  readonly isHeld?: boolean;
}

/**
 * Asks whether one more use of a code is left, beside what others use of it. The row of the code is locked, so that nobody else takes it.
 * @throws RefusedBooking `code_used_up`, `code_limit`
 */
export async function refuseUsedUpCode(
  tx: Tx,
  { codeId, saved }: Pick<CodedMembership, 'codeId' | 'saved'>,
  { membershipId = none, emailKey, isHeld = false }: Using,
): Promise<void> {
  const [row] = await tx.query<
    {
      maxUses: number | null;
      maxPerPerson: number | null;
      budget: string | null;
      isLive: boolean;
      uses: number;
      saved: string;
      of: number;
    }[]
  >(
    `select code.max_uses as "maxUses", code.max_per_person as "maxPerPerson", code.budget::text, ${isLiveSql('code')} as "isLive",
       others.uses, others.saved::text, others.of_person as "of"
     from code cross join lateral (${usesByOthersSql('code.id', {
       self: '$2::uuid',
       isPerson: (one) => `${one}.email_key = $3::text`,
     })}) others where code.id = $1`,
    [codeId, membershipId, emailKey ?? null],
  );
  if (!row) throw new RefusedBooking('code_unknown', 'code');
  const isSpent = row.budget !== null && toCents(row.saved) + toCents(saved) > toCents(row.budget);
  const isUsedUp = isSpent || (row.maxUses !== null && row.uses >= row.maxUses) || !row.isLive;
  if (isUsedUp && !isHeld) throw new RefusedBooking('code_used_up', 'code');
  if (row.maxPerPerson !== null && row.of >= row.maxPerPerson) throw new RefusedBooking('code_limit', 'code');
}

/**
 * Asks again for the use of a membership that is paid or confirmed now: its time had expired, or its person is known since.
 * @throws RefusedBooking as `refuseUsedUpCode`
 */
export async function claimCodeAgain(tx: Tx, membershipId: string, emailKey: string, hasLapsed: boolean): Promise<void> {
  const [used] = await tx.query<CodedMembership[]>(
    `select code.id as "codeId", used.saved::text from order_line line join code_use used on used.line_id = line.id
     join code on code.id = used.code_id where line.membership_id = $1 for no key update of code`,
    [membershipId],
  );
  if (used) await refuseUsedUpCode(tx, used, { membershipId, emailKey, isHeld: !hasLapsed });
}
