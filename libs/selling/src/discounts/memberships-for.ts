import type { ReadingIn } from '#tenancy';
import { emailKey, validMembershipSql, type Offer } from '#tickets';

/**
 * The memberships of a person on which discounts of an offer depend. Nothing is read without such a discount. What a sale counts on is
 * asked again where it is written.
 * @returns ids of products; undefined: no discount asks
 */
export async function membershipsFor({ discounts }: Offer, email: string, read: ReadingIn): Promise<string[] | undefined> {
  const asked = discounts.flatMap(({ membershipId }) => membershipId ?? []);
  if (asked.length === 0 || email === '') return undefined;
  const rows = await read((tx) =>
    tx.query<{ id: string }[]>(
      `select distinct product_id as id from membership where product_id = any($1) and email_key = $2 and ${validMembershipSql()}`,
      [asked, emailKey(email)],
    ),
  );
  return rows.map(({ id }) => id);
}
