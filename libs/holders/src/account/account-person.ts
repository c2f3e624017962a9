import type { Tx } from '#tenancy';

/**
 * The owner of a verified e-mail address. An account shows what was booked with exactly this address, in any case of its letters: other
 * spellings that limits count as the same person (`ada+2@…`) may be another mailbox.
 */
export interface AccountPerson {
  readonly email: string;
  /** See `emailKey()`; it finds the rows by their indexes. */
  readonly emailKey: string;
}

/**
 * SQL: whether a row is of the person $1 (key) and $2 (address). The domains are compared by the key, because some have two spellings.
 * @param row alias of the table with a final point, or empty
 */
export function ofPersonSql(row: string, key = 'email_key', email = 'email'): string {
  return `(${row}${key} = $1 and lower(split_part(${row}${email}, '@', 1)) = lower(split_part($2, '@', 1)))`;
}

/** The first two parameters of statements with `ofPersonSql`. */
export const valuesOfPerson = ({ emailKey, email }: AccountPerson): [string, string] => [emailKey, email];

/** Whether the tenant has a booking, a ticket, a membership, an entry of a waiting list, a customer or a confirmed follower of a person. */
export async function isKnownPerson(tx: Tx, person: AccountPerson): Promise<boolean> {
  const [row] = await tx.query<{ known: boolean }[]>(
    `select exists (select 1 from reservation where ${ofPersonSql('')} and not is_draft)
       or exists (select 1 from membership where ${ofPersonSql('')})
       or exists (select 1 from ticket where ${ofPersonSql('', 'holder_key', 'holder_email')})
       or exists (select 1 from waiting_entry where ${ofPersonSql('')})
       or exists (select 1 from gift_card where lower(buyer_email) = lower($2) or lower(recipient_email) = lower($2))
       or exists (select 1 from customer where lower(email) = lower($2))
       or exists (select 1 from follower where ${ofPersonSql('')} and confirmed_at is not null) as known`,
    valuesOfPerson(person),
  );
  return row?.known === true;
}
