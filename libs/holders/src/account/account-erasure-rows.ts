import { eventIsOverSql, type AssumedDuration } from '#catalogue';
import type { Tx } from '#tenancy';
import { erasePayersOf, isMoneyOpenSql, openOfCustomerSql } from '#transfers';
import { ofPersonSql, valuesOfPerson, type AccountPerson } from './account-person.js';

/** SQL: whether the event of a row is over. */
const overSql = (row: string, assumed: AssumedDuration): string =>
  `exists (select 1 from event where event.id = ${row}.event_id and ${eventIsOverSql('event', assumed)})`;

/** SQL: whether a mail about a reservation is to its buyer, at any address. Receipts of withdrawals are, although they name tickets. */
export const toBuyerSql = `(ticket_id is null or kind = 'withdrawal')`;

/** SQL: whether a payment or refund of a row, or of a donation in its order, is under way, or a transfer for it is not settled. */
export const isUnderWaySql = (column: string, row: string): string =>
  `(exists (select 1 from payment where payment.status in ('processing', 'refund_due') and (payment.${column} = ${row}.id
     or payment.order_id = ${row}.cart_id and payment.reservation_id is null and payment.membership_id is null))
   or ${isMoneyOpenSql(row)})`;

/**
 * Erases the buyer of a locked reservation that is cancelled, or whose event is over. Without an address it is one of a box office: its key
 * is its id. Links in mails stop working.
 * @returns whether it was erased
 */
export async function eraseReservationRows(tx: Tx, id: string, person: AccountPerson, assumed: AssumedDuration): Promise<boolean> {
  const [rows] = await tx.query<[unknown[], number]>(
    `update reservation set email = '', email_key = id::text, first_name = '', last_name = '', language = null, network = null,
       network_site = null, link_version = link_version + 1, sequence = sequence + 1
     where ${ofPersonSql('')} and id = $3 and (status = 'C' or ${overSql('reservation', assumed)})
       and not ${isUnderWaySql('reservation_id', 'reservation')} returning id`,
    [...valuesOfPerson(person), id],
  );
  if (rows.length === 0) return false;
  await tx.query(`update ticket set first_name = '', last_name = '' where reservation_id = $1 and holder_email is null`, [id]);
  await tx.query(`delete from mail where reservation_id = $1 and (${toBuyerSql} or lower(recipient) = lower($2))`, [id, person.email]);
  await forgetAbout(tx, 'reservation_id', id);
  await erasePayersOf(tx, id);
  return true;
}

/** The ids under which the buyer of a reservation appears in events: its own, and those of the tickets that the buyer holds. */
export async function idsOfReservation(tx: Tx, id: string): Promise<string[]> {
  const tickets = await tx.query<{ id: string }[]>('select id from ticket where reservation_id = $1 and holder_email is null', [id]);
  return [id, ...tickets.map((ticket) => ticket.id)];
}

/** Erases the holder of a ticket that was given to the person, when it is cancelled or its event is over. It stays given away. */
export async function eraseTicketRows(tx: Tx, id: string, person: AccountPerson, assumed: AssumedDuration): Promise<boolean> {
  const [rows] = await tx.query<[unknown[], number]>(
    `update ticket set holder_email = '', holder_key = id::text, first_name = '', last_name = '', sequence = sequence + 1
     where ${ofPersonSql('', 'holder_key', 'holder_email')} and id = $3 and (status = 'R' or ${overSql('ticket', assumed)}) returning id`,
    [...valuesOfPerson(person), id],
  );
  if (rows.length === 0) return false;
  await tx.query('delete from mail where ticket_id = $1 and lower(recipient) = lower($2)', [id, person.email]);
  return true;
}

/**
 * Erases the person from the transfers of tickets that are not of the person any more, also of those that the person gave on or
 * was offered, and the mails about them. Offers that wait end.
 * @returns the tickets
 */
export async function eraseTransferRows(tx: Tx, person: AccountPerson): Promise<string[]> {
  const isOther = `not exists (select 1 from ticket join reservation on reservation.id = ticket.reservation_id
    where ticket.id = ticket_transfer.ticket_id
      and (${ofPersonSql('reservation.')} or ${ofPersonSql('ticket.', 'holder_key', 'holder_email')}))`;
  const [rows] = await tx.query<[{ ticketId: string }[], number]>(
    `update ticket_transfer set
       first_name = null, last_name = null, message = null,
       state = case when state = 'pending' then 'withdrawn' else state end,
       from_name = case when lower(from_email) = lower($2) then '' else from_name end,
       from_email = case when lower(from_email) = lower($2) then '' else from_email end,
       to_name = case when lower(to_email) = lower($2) then '' else to_name end,
       to_key = case when lower(to_email) = lower($2) then null else to_key end,
       to_email = case when lower(to_email) = lower($2) then '' else to_email end
     where (lower(from_email) = lower($2) or lower(to_email) = lower($2)) and ${isOther} returning ticket_id as "ticketId"`,
    valuesOfPerson(person),
  );
  const tickets = rows.map(({ ticketId }) => ticketId);
  await tx.query('delete from mail where ticket_id = any($1) and lower(recipient) = lower($2)', [tickets, person.email]);
  return tickets;
}

/**
 * Erases the person from corrected addresses of bookings that are not of the person any more, and the mails sent before the correction.
 * @returns the reservations and memberships
 */
export async function eraseCorrectionRows(tx: Tx, person: AccountPerson): Promise<string[]> {
  const [rows] = await tx.query<[{ reservationId: string | null; membershipId: string | null }[], number]>(
    `update email_correction set
       old_email = case when lower(old_email) = lower($2) then '' else old_email end,
       new_email = case when lower(new_email) = lower($2) then '' else new_email end
     where (lower(old_email) = lower($2) or lower(new_email) = lower($2))
       and not exists (select 1 from reservation where reservation.id = email_correction.reservation_id and ${ofPersonSql('reservation.')})
       and not exists (select 1 from membership where membership.id = email_correction.membership_id and ${ofPersonSql('membership.')})
     returning reservation_id as "reservationId", membership_id as "membershipId"`,
    valuesOfPerson(person),
  );
  const reservations = rows.flatMap(({ reservationId }) => reservationId ?? []);
  const memberships = rows.flatMap(({ membershipId }) => membershipId ?? []);
  await tx.query('delete from mail where (reservation_id = any($1) or membership_id = any($2)) and lower(recipient) = lower($3)', [
    reservations,
    memberships,
    person.email,
  ]);
  return [...reservations, ...memberships];
}

/**
 * Erases the person from gift cards, as the buyer or the receiver, and the mails about them. The cards keep their value: whoever has the
 * code can pay.
 * @returns the cards
 */
export async function eraseGiftCardRows(tx: Tx, { email }: Pick<AccountPerson, 'email'>): Promise<string[]> {
  const [rows] = await tx.query<[{ id: string }[], number]>(
    `update gift_card set
       message = case when lower(recipient_email) = lower($1) then null else message end,
       recipient_name = case when lower(recipient_email) = lower($1) then '' else recipient_name end,
       recipient_email = case when lower(recipient_email) = lower($1) then null else recipient_email end,
       buyer_name = case when lower(buyer_email) = lower($1) then '' else buyer_name end,
       buyer_email = case when lower(buyer_email) = lower($1) then '' else buyer_email end
     where lower(recipient_email) = lower($1) and mailed_at is not null or lower(buyer_email) = lower($1) returning id`,
    [email],
  );
  const ids = rows.map(({ id }) => id);
  await tx.query('delete from mail where gift_card_id = any($1) and lower(recipient) = lower($2)', [ids, email]);
  return ids;
}

/** SQL: whether customers that buy on account have the address $2 and something to pay. */
export const owesAsCustomerSql = `exists (select 1 from customer where lower(customer.email) = lower($2)
  and ${openOfCustomerSql('customer.id')} > 0)`;

/**
 * Erases the person from customers that buy on account and have paid everything, and the mails about these orders. The customer stays: it
 * is a school or a company.
 */
export async function eraseCustomerRows(tx: Tx, { email }: Pick<AccountPerson, 'email'>): Promise<void> {
  const [rows] = await tx.query<[{ id: string }[], number]>(
    `update customer set email = '' where lower(email) = lower($1) and ${openOfCustomerSql('customer.id')} = 0 returning id`,
    [email],
  );
  const ids = rows.map(({ id }) => id);
  const ofThem = (column: string): string =>
    `${column} in (select line.${column} from order_line line join orders on orders.id = line.order_id where orders.customer_id = any($1))`;
  await tx.query(
    `delete from mail where kind = 'on-account' and lower(recipient) = lower($2)
       and (${ofThem('reservation_id')} or ${ofThem('membership_id')})`,
    [ids, email],
  );
}

/** Erases the member of a locked membership and ends it; not one that awaits its payment. @returns whether it was erased */
export async function eraseMembershipRows(tx: Tx, id: string, person: AccountPerson): Promise<boolean> {
  // One that has not begun ends at once, too: its end must be after its beginning.
  const [rows] = await tx.query<[unknown[], number]>(
    `update membership set email = '', email_key = id::text, first_name = '', last_name = '', language = null, network = null,
       valid_from = least(valid_from, (select now() - interval '1 second')), valid_until = least(valid_until, (select now())),
       link_version = link_version + 1, sequence = sequence + 1
     where ${ofPersonSql('')} and id = $3 and status <> 'pending' and not ${isUnderWaySql('membership_id', 'membership')} returning id`,
    [...valuesOfPerson(person), id],
  );
  if (rows.length === 0) return false;
  await tx.query('delete from mail where membership_id = $1', [id]);
  await tx.query('delete from membership_renewal where membership_id = $1', [id]);
  await forgetAbout(tx, 'membership_id', id);
  return true;
}

async function forgetAbout(tx: Tx, column: 'reservation_id' | 'membership_id', id: string): Promise<void> {
  await tx.query(`delete from answer where ${column} = $1`, [id]);
  await tx.query(`update email_correction set old_email = '', new_email = '' where ${column} = $1`, [id]);
}
