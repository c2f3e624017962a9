import { awaitsConfirmationSql, isAtOnceSql, mostConfirmationMails } from '#tickets';
import type { Tx } from '#tenancy';
import { RefusedDraft } from '../sales/draft-refusals.js';

/** Orders of one address, over all events, that buyers of one network may have to confirm within an hour. A cart is one order. */
const mostUnconfirmed = 10;

/** The mail with the link to confirm is sent so often for one reservation: once, and twice because its buyer asks for it. */
const mostMailsEach = 3;

/**
 * SQL: whether the owner of an address has not confirmed an order of the pages yet. One whose tickets were given at once, which nobody
 * confirms, counts for a day, also when it is cancelled. Parameters are SQL.
 */
const awaitsOwnerSql = (order: string, emailKey: string): string =>
  `${order}.email_key = ${emailKey} and ${order}.origin = 'page' and not ${order}.is_draft and (${awaitsConfirmationSql(order)}
    or ${order}.${isAtOnceSql} and ${order}.completed_at > statement_timestamp() - interval '1 day')`;

/** SQL: number of orders of an address that its owner has not confirmed. @param emailKey SQL */
export const unconfirmedSql = (emailKey: string): string =>
  `(select count(distinct coalesce(other.cart_id, other.id))::int from reservation other where ${awaitsOwnerSql('other', emailKey)})`;

/**
 * SQL: whether the network of a buyer may order once more for an address that is to be confirmed, beside the same cart. Orders from other
 * networks do not count, so that strangers cannot keep the owner of an address from booking. Parameters are SQL.
 * @param draft id of the order
 */
export const mayAwaitSql = (emailKey: string, draft: string): string => `(
  select count(distinct coalesce(other.cart_id, other.id)) < ${mostUnconfirmed} from reservation own
  left join reservation other on ${awaitsOwnerSql('other', emailKey)}
    and other.completed_at > statement_timestamp() - interval '1 hour'
    and coalesce(other.network_site, other.network) is not distinct from coalesce(own.network_site, own.network)
    and other.id <> own.id and other.cart_id is distinct from coalesce(own.cart_id, own.id)
  where own.id = ${draft}::uuid)`;

/** Refuses one more order to be confirmed, when its address is locked (`lockAddress`). @throws RefusedDraft `unconfirmed` */
export async function refuseUnconfirmed(tx: Tx, emailKey: string, draft: string): Promise<void> {
  const [row] = await tx.query<{ fits: boolean }[]>(`select ${mayAwaitSql('$1', '$2')} as fits`, [emailKey, draft]);
  if (!row?.fits) throw new RefusedDraft('unconfirmed', 'email');
}

/**
 * Refuses one more mail with the link to confirm an order, when its address is locked (`lockAddress`).
 * @param emailKey of the recipient
 * @throws RefusedDraft `mailed_often` when the order caused enough of them, `unconfirmed` when the orders of the address did
 */
export async function refuseMoreMails(tx: Tx, emailKey: string, order: string): Promise<void> {
  const [row] = await tx.query<{ own: number; orders: number }[]>(
    `select ${unconfirmedSql('$1')} as orders,
       (select count(*)::int from mail where reservation_id = $2 and kind in ('confirm-email', 'confirm-venue')) as own`,
    [emailKey, order],
  );
  const { own, orders } = row as NonNullable<typeof row>;
  if (own >= mostMailsEach) throw new RefusedDraft('mailed_often', 'email');
  if (orders > mostConfirmationMails) throw new RefusedDraft('unconfirmed', 'email');
}
