import type { Tx } from '#tenancy';
import { emailKey } from '../email-key.js';
import type { ReservationStatus } from '../entities/reservation-states.js';
import type { TicketStatus } from '../entities/ticket-states.js';
import type { DraftContact } from './contact.js';
import type { LockedDraft } from './draft-rows.js';

/** State of a completed draft and of its tickets. */
export interface CompletedState {
  readonly status: ReservationStatus;
  readonly tickets: TicketStatus;
  /** Duration of the hold; absent for reservations that are valid at once, and those that are held until `payUntil`. */
  readonly minutes?: number;
  /** To be paid at the venue before this time. With `minutes`, the e-mail address is to be confirmed first. */
  readonly payUntil?: Date;
}

/** Makes a reservation of a locked draft: writes the buyer, the names on the tickets, and the state. Ends its entry in a waiting list. */
export async function writeContact(tx: Tx, { id, isOffered }: LockedDraft, contact: DraftContact, state: CompletedState): Promise<void> {
  const email = contact.email.trim();
  const { minutes, payUntil } = state;
  const [firstName, lastName] = [contact.firstName.trim(), contact.lastName.trim()];
  await tx.query(
    `update reservation set is_draft = false, network = case when $7 = 'FA' or ($8 and $11::int is null) then null else network end,
       email = $2, email_key = $3, first_name = $4, last_name = $5, language = $6,
       status = $7, sequence = 1, released_at = null, pay_at_venue = $8, pay_until = $12,
       terms_accepted_at = case when $9 then (select now()) end,
       confirmed_at = case when $7 = 'FA' then (select now()) end,
       expires_at = coalesce($10::timestamptz, case when $11::int is not null then (select now() + make_interval(mins => $11::int)) end)
     where id = $1`,
    [
      id,
      email,
      emailKey(email),
      firstName,
      lastName,
      contact.language,
      state.status,
      payUntil !== undefined,
      contact.acceptsTerms === true,
      minutes === undefined ? (payUntil ?? null) : null,
      minutes ?? null,
      minutes === undefined ? null : (payUntil ?? null),
    ],
  );
  const booked = `update waiting_entry set status = 'booked', ended_at = coalesce(ended_at, (select now())) where reservation_id = $1`;
  if (isOffered) await tx.query(booked, [id]);
  const names = contact.ticketIds.map((_, index) => {
    const holder = contact.holders[index];
    const isNamed = holder !== undefined && `${holder.firstName}${holder.lastName}`.trim() !== '';
    return isNamed ? { firstName: holder.firstName.trim(), lastName: holder.lastName.trim() } : { firstName, lastName };
  });
  await tx.query(
    `update ticket set status = $2, sequence = 1, first_name = named.first_name, last_name = named.last_name
     from unnest($3::uuid[], $4::text[], $5::text[]) as named (id, first_name, last_name)
     where ticket.reservation_id = $1 and ticket.id = named.id`,
    [id, state.tickets, contact.ticketIds, names.map((name) => name.firstName), names.map((name) => name.lastName)],
  );
}
