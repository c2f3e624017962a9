import { codedMemberships, isForCart, membershipOffer, membershipOffersSql, type MembershipOffer } from '#memberships';
import { costsNothing, RefusedInput } from '#kernel';
import { addLines, linesOfSold, removeLines } from '#orders';
import type { Tx } from '#tenancy';
import { forgetCodeUses, noteCodeUse, withCode, type Code } from '#tickets';
import { codesOfOrder } from '../codes/used-codes.js';
import { inCart } from '../donations/donation.js';
import { RefusedDraft } from '../sales/draft-refusals.js';

/** A membership in an open cart, with its price as it is now: it may be sold out or not published any more. */
export interface ChosenMembership extends MembershipOffer {
  /** Of its line; becomes the id of the membership. */
  readonly id: string;
  /** What it costs without its code, decimal text; `amount` is reduced. */
  readonly fullAmount: string;
  /** null: it uses none. */
  readonly code: string | null;
}

/** Maximum number of memberships in one cart, each of another product. */
const mostMemberships = 5;

/** The memberships of an open cart, in the order in which they were added. They take no stock and no use of a code. */
export async function membershipsIn(tx: Tx, cartId: string): Promise<ChosenMembership[]> {
  const rows = await tx.query<(MembershipOffer & { id: string; used: Pick<Code, 'code' | 'effect' | 'value'> | null })[]>(
    `select line.id, offer.*, (select json_build_object('code', code.code, 'effect', code.effect, 'value', code.value::text)
         from code_use join code on code.id = code_id where code_use.line_id = line.id) as used
     from order_line line join (${membershipOffersSql}) offer on offer."priceId" = line.price_id
     where line.order_id = $1 and line.kind = 'membership' and line.membership_id is null order by line.created_at, line.id`,
    [cartId],
  );
  return rows.map(({ used, ...offer }) => {
    const amount = used ? (withCode(used, offer.amount).amount as `${number}`) : offer.amount;
    return { ...offer, amount, fullAmount: offer.amount, code: used?.code ?? null };
  });
}

/**
 * Uses a code for each membership of a locked cart that it is for, instead of the code before; without one, none uses one any more.
 * @returns whether one uses it, and why another one does not
 */
export async function useCodeForMemberships(
  tx: Tx,
  cartId: string,
  code: string | undefined,
): Promise<{ readonly isUsed: boolean; readonly fault: RefusedInput | undefined }> {
  const chosen = await membershipsIn(tx, cartId);
  if (code === undefined) {
    await forgetCodeUses(
      tx,
      chosen.map(({ id }) => id),
    );
    return { isUsed: false, fault: undefined };
  }
  const faults: (RefusedInput | undefined)[] = [];
  for (const one of chosen) faults.push(await useCodeFor(tx, one, code));
  return { isUsed: faults.includes(undefined), fault: faults.find((fault) => fault !== undefined) };
}

/** @returns why a membership of a cart cannot use a code: its line stays as it is */
async function useCodeFor(
  tx: Tx,
  { id, priceId, productId, fullAmount: amount }: Pick<ChosenMembership, 'id' | 'priceId' | 'productId' | 'fullAmount'>,
  code: string,
): Promise<RefusedInput | undefined> {
  try {
    const coded = (await codedMemberships(tx, code, [{ id: priceId, productId, amount }])).get(priceId);
    // What is free is confirmed by mail.
    if (!coded || costsNothing(coded.amount)) return new RefusedDraft('free_with_code', 'code');
    await forgetCodeUses(tx, [id]);
    await noteCodeUse(tx, coded, { lineId: id, membershipId: null });
    return undefined;
  } catch (error) {
    if (error instanceof RefusedInput) return error;
    throw error;
  }
}

/**
 * Adds a membership to a locked cart, with the code of the cart, if it is for it. Another price of the same product replaces the one
 * before.
 * @throws RefusedDraft `membership_gone`, `too_many_memberships`
 */
export async function chooseMembership(tx: Tx, cartId: string, priceId: string): Promise<void> {
  const offer = await membershipOffer(tx, priceId);
  if (!offer || !isForCart(offer)) throw new RefusedDraft('membership_gone', 'memberships');
  const { productId, product, name, amount, vatRate } = offer;
  const chosen = await membershipsIn(tx, cartId);
  const same = chosen.find((one) => one.productId === productId);
  if (same?.priceId === priceId) return;
  const codes = await codesOfOrder(tx, cartId);
  if (same) await removeLines(tx, cartId, [same.id]);
  else if (chosen.length >= mostMemberships) throw new RefusedDraft('too_many_memberships', 'memberships');
  const { lines, lineIds } = linesOfSold([{ kind: 'membership', priceId, productId, name: `${product} · ${name}`, amount, vatRate }]);
  await addLines(tx, lines, inCart(cartId));
  const line = { id: lineIds[0] as string, priceId, productId, fullAmount: amount };
  for (const { code } of codes.slice(0, 1)) await useCodeFor(tx, line, code);
}
