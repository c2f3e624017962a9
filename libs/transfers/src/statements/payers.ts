import type { Tx } from '#tenancy';
import { orderOfSql } from '../expected/bank-transfers.service.js';

/** SQL: whether staff have settled an entry, or an order was paid with it: nothing will be paid back to its account. */
const isSettledSql = (entry: string): string => `${entry}.state in ('matched', 'ignored', 'refunded')`;

/**
 * SQL: whether an entry is of the order of a reservation: it paid it, or is probably for it.
 * @param entry alias of the entry @param row alias of a row with an id and the id of a cart
 */
const isForSql = (entry: string, row: string): string => `(${entry}.suggested_order_id = ${orderOfSql(row)}
  or exists (select 1 from bank_share share where share.entry_id = ${entry}.id and share.order_id = ${orderOfSql(row)}))`;

/** SQL: whether money that arrived for the order of a row waits for staff or is to be paid back: its payer is needed. */
export const isMoneyOpenSql = (row: string): string => `exists (select 1 from bank_entry entry
  where not (${isSettledSql('entry')}) and ${isForSql('entry', row)})`;

/** SQL of a query: the transfers that paid orders of a person alone, as JSON. @param isOwn condition on `reservation` */
export const payersSql = (isOwn: string): string => {
  const paid = `from bank_share share join reservation on share.order_id = ${orderOfSql('reservation')} and not reservation.is_draft
    where share.entry_id = entry.id`;
  return `select entry.created_at as at, json_build_object('bookedOn', entry.booked_on, 'amount', entry.amount::text,
      'currency', entry.currency, 'name', entry.name, 'iban', entry.iban, 'bic', entry.bic, 'text', entry.text,
      'state', entry.state) as data
    from bank_entry entry where exists (select 1 ${paid} and ${isOwn}) and not exists (select 1 ${paid} and not ${isOwn})`;
};

/**
 * Erases who paid the order of a reservation: names, accounts and what they wrote. Day, amount and what was paid with it stay, as in the
 * ledger; the venue has the rest in the statements of its bank. The key stays, so that the same file adds nothing.
 */
export async function erasePayersOf(tx: Tx, reservationId: string): Promise<void> {
  await tx.query(
    `update bank_entry set name = '', iban = '', bic = '', text = ''
     where ${isSettledSql('bank_entry')}
       and id in (select entry.id from bank_entry entry join reservation on ${isForSql('entry', 'reservation')} where reservation.id = $1)`,
    [reservationId],
  );
}

/** The same for settled entries of no order, so many months after the day on which they were booked. */
export async function erasePayersWithoutOrder(tx: Tx, months: number): Promise<void> {
  await tx.query(
    `update bank_entry set name = '', iban = '', bic = '', text = ''
     where ${isSettledSql('bank_entry')} and booked_on < (select now()) - make_interval(months => $1)
       and (name, iban, bic, text) <> ('', '', '', '')
       and not exists (select 1 from bank_share share where share.entry_id = bank_entry.id)`,
    [months],
  );
}
