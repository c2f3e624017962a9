import type { Tx } from '#tenancy';
import { awaitsConfirmationSql } from '../entities/reservation-states.js';
import { RefusedDraft } from './draft-refusals.js';

/** Orders of one address over all events that may await their confirmation. A cart is one order. */
const mostUnconfirmed = 10;

/**
 * SQL: whether the address may have one more order that is to be confirmed, beside those of the same cart. An order counts until it is
 * cancelled, a day after its hold has ended. Parameters are SQL.
 * @param draft id of the order
 */
export const mayAwaitSql = (emailKey: string, draft: string): string => `(select count(distinct coalesce(other.cart_id, other.id))
  from reservation other where other.email_key = ${emailKey} and other.origin = 'page' and not other.is_draft
  and ${awaitsConfirmationSql('other')} and other.id <> ${draft}::uuid
  and other.cart_id is distinct from coalesce((select cart_id from reservation where id = ${draft}::uuid), ${draft}::uuid))
  < ${mostUnconfirmed}`;

/** Refuses one more order to be confirmed, when its address is locked (`lockAddress`). @throws RefusedDraft `unconfirmed` */
export async function refuseUnconfirmed(tx: Tx, emailKey: string, draft: string): Promise<void> {
  const [row] = await tx.query<{ fits: boolean }[]>(`select ${mayAwaitSql('$1', '$2')} as fits`, [emailKey, draft]);
  if (!row?.fits) throw new RefusedDraft('unconfirmed', 'email');
}
