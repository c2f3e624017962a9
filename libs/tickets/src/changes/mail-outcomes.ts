import { retryOnDeadlock } from '#kernel';
import type { PreparedStatement, TenantDb } from '#tenancy';
import type { Mail } from '../mails/mail.entity.js';
import { entersSql } from '../reservations/reservation-rows.js';

/** A mail whose outcome is stored. */
export type NotedMail = Pick<Mail, 'id' | 'recipient' | 'status' | 'answer'>;

/** A mail that was withdrawn while it was being sent counts as sent. */
const noteSql = (id: string, status: string, answer: string): string =>
  `update mail set status = ${status}, answer = ${answer}, attempts = attempts + 1,
     sent_at = case when ${status} = 'sent' then (select now()) end
   where id = ${id} and (status = 'waiting' or status = 'obsolete' and ${status} in ('sent', 'kept'))`;

const noteStatement: PreparedStatement = { name: 'mail-note', text: noteSql('$1', '$2::text', '$3') };

const lockStatement: PreparedStatement = {
  name: 'mail-outcome-lock',
  text: 'select 1 from reservation where id = $1 for no key update',
};

const outcomeStatement: PreparedStatement = {
  name: 'mail-outcome',
  text: `with noted as (${noteSql('$3::uuid', '$5::text', '$6::text')} returning 1)
    update reservation set ${entersSql('$2::text')}
    where id = $1 and status in ('P', 'FA') and ($3::uuid is null or (email = $4 and exists (select from noted)))`,
};

/** Stores the outcome of a mail. */
export function noteMail(db: TenantDb, { id, status, answer }: NotedMail): Promise<unknown> {
  return db.atOnce([{ statement: noteStatement, values: [id, status, answer] }]);
}

/**
 * Records the outcome of the mail with the tickets: P, FA→V, PE, PN. Later outcomes, and outcomes of mails to a previous address, have no
 * effect. Locks the reservation without its event, because no place changes; a lock of the event would delay bookings.
 * @param mail its outcome is stored in the same transaction; when it does not wait any more, the reservation stays unchanged
 */
export async function recordMailOutcome(db: TenantDb, id: string, to: 'V' | 'PE' | 'PN', mail?: NotedMail): Promise<void> {
  const values = [id, to, mail?.id, mail?.recipient, mail?.status, mail?.answer];
  await retryOnDeadlock(() =>
    // The lock comes first, as everywhere: reservations before their mails. The second statement sees what the first one waited for.
    db.atOnce([
      { statement: lockStatement, values: [id] },
      { statement: outcomeStatement, values },
    ]),
  );
}
