import type { Language } from '#kernel';
import type { Tx } from '#tenancy';
import type { NoticeAudience } from './event-notice.entity.js';

/** Whom a notice is for. */
export interface Audience {
  readonly eventId: string;
  readonly audience: NoticeAudience;
  /** Only guests with these prices; null: all. */
  readonly priceIds: readonly string[] | null;
}

/** A guest who gets a mail: a buyer, a person to whom a ticket was given, or somebody who waits. */
export interface Recipient {
  readonly reservationId: string | null;
  readonly ticketId: string | null;
  readonly waitingEntryId: string | null;
  readonly email: string;
}

/** SQL: a ticket that admits or will, also one that is to be paid at the venue. */
const isValid = `(ticket.status in ('K', 'S') or (ticket.status in ('C', 'N') and reservation.status = 'R'
  and reservation.pay_at_venue and reservation.pay_until is null))`;

/** SQL: where a mail about a ticket goes; null or empty: nowhere. */
const address = 'coalesce(ticket.holder_email, reservation.email)';

const toldFrom = `from ticket join reservation on reservation.id = ticket.reservation_id
    where not reservation.is_draft and ${isValid} and ${address} <> ''`;

/** SQL: the number of people who are told of a change of the events that the condition on `ticket` chooses: those with an address. */
export const toldCountSql = (condition: string): string => `(select count(distinct lower(${address}))::int ${toldFrom} and ${condition})`;

const conditions: Readonly<Record<Exclude<NoticeAudience, 'waiting'>, string>> = {
  holders: 'true',
  entered: `ticket.status = 'S'`,
  expected: `ticket.status <> 'S' and ticket.admission`,
};

/** SQL: the guests of the event $1 with the prices $2, each once for a booking or a ticket that was given away. */
function guestsSql(audience: NoticeAudience): string {
  if (audience === 'waiting')
    return `select null::uuid as "reservationId", null::uuid as "ticketId", id as "waitingEntryId", email, language, confirmed_at as since
      from waiting_entry where event_id = $1 and status in ('waiting', 'offered') and ($2::uuid[] is null or price_id = any($2))`;
  return `select distinct reservation.id as "reservationId",
      case when ticket.holder_email is null then null else ticket.id end as "ticketId", null::uuid as "waitingEntryId",
      ${address} as email, reservation.language, reservation.created_at as since
    ${toldFrom} and ticket.event_id = $1 and ${conditions[audience]} and ($2::uuid[] is null or ticket.price_id = any($2))`;
}

/** The number of people, and the languages that they read; null: the venue's. */
export async function countGuests(tx: Tx, { eventId, audience, priceIds }: Audience): Promise<{ people: number; languages: Language[] }> {
  const [found] = await tx.query<{ people: number; languages: Language[] }[]>(
    `select count(distinct lower(email))::int as people,
       coalesce(array_agg(distinct language) filter (where language is not null), '{}') as languages from (${guestsSql(audience)}) guest`,
    [eventId, priceIds],
  );
  return found ?? { people: 0, languages: [] };
}

/**
 * Guests without a mail of the notice so far. A notice of a change is mailed for each booking, because each has its own entry in the
 * calendar; a message once to each address.
 * @param notice its guests are those that had booked when it was made
 */
export function nextGuests(
  tx: Tx,
  { eventId, audience, priceIds, id, createdAt, kind }: Audience & { readonly id: string; readonly createdAt: Date; readonly kind: string },
  limit: number,
): Promise<Recipient[]> {
  const isSame =
    kind === 'message'
      ? 'lower(mail.recipient) = lower(guest.email)'
      : 'mail.reservation_id = guest."reservationId" and mail.ticket_id is not distinct from guest."ticketId"';
  const each = kind === 'message' ? 'distinct on (lower(email))' : '';
  return tx.query<Recipient[]>(
    `select ${each} "reservationId", "ticketId", "waitingEntryId", email from (${guestsSql(audience)}) guest
     where since <= $3 and not exists (select 1 from mail where mail.notice_id = $4 and ${isSame})
     order by lower(email), "reservationId" limit $5`,
    [eventId, priceIds, createdAt, id, limit],
  );
}
