import type { Tx } from '#tenancy';
import { emailKey } from '../email-key.js';
import type { ReservationStatus } from '../entities/reservation-states.js';
import type { TicketStatus } from '../entities/ticket-states.js';
import type { DraftContact } from './contact.js';
import type { LockedDraft } from './draft-rows.js';

/** State of a completed draft and of its tickets. `minutes`: a hold for so long; `until`: paid at the venue, held until then. */
export type CompletedState = { readonly status: ReservationStatus; readonly tickets: TicketStatus } & (
  { readonly minutes?: number; readonly until?: undefined } | { readonly until: Date; readonly minutes?: undefined }
);

/** Makes a reservation of a locked draft: writes the buyer, the names on the tickets, and the state. */
export async function writeContact(tx: Tx, { id }: LockedDraft, contact: DraftContact, state: CompletedState): Promise<void> {
  const email = contact.email.trim();
  const [firstName, lastName] = [contact.firstName.trim(), contact.lastName.trim()];
  await tx.query(
    `update reservation set is_draft = false, network = case when $7 = 'FA' then null else network end,
       email = $2, email_key = $3, first_name = $4, last_name = $5, language = $6,
       status = $7, sequence = 1, released_at = null, pay_at_venue = $8,
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
      state.until !== undefined,
      contact.acceptsTerms === true,
      state.until ?? null,
      state.minutes ?? null,
    ],
  );
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
