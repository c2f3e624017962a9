import {
  inQuestionOrder,
  type GivenAnswer,
  emailKey,
  queryDemanding,
  heldBySql,
  endsEntrySql,
  followUpsSql,
  followUpValues,
  tenantParameter,
  type FollowUps,
  type ShownReservation,
  type WholeReservation,
  type DraftContact,
} from '#tickets';
import { eventIsOverSql, type AssumedDuration } from '#catalogue';
import type { PreparedStatement, Tx } from '#tenancy';
import { draftExpiryJob } from './draft-rows.js';
import type { CompletedState } from './completed-state.js';
import { mayAwaitSql } from './unconfirmed-orders.js';

/** A reservation that was a draft, as the pages show it. */
export type CompletedReservation = Omit<WholeReservation, 'answers'> & Pick<ShownReservation, 'answers'>;

/** The same with the answers to store. */
export type CompletedDraft = Omit<CompletedReservation, 'answers'> & { readonly answers: readonly GivenAnswer[] };

/** What is written when a draft becomes a reservation. */
export interface Completion extends FollowUps {
  readonly reservation: CompletedDraft;
  /** See `AfterForm`. */
  readonly isTrusted: boolean;
}

/**
 * The reservation that a draft becomes.
 * @param draft as it was read before it was locked: with other tickets it is not completed
 * @param more.now start of the transaction
 */
export function completedReservation(
  draft: WholeReservation,
  contact: DraftContact,
  state: CompletedState,
  more: { readonly answers: readonly GivenAnswer[]; readonly now: Date },
): CompletedDraft {
  const [email, firstName, lastName] = [contact.email.trim(), contact.firstName.trim(), contact.lastName.trim()];
  const { status, expiresAt, payAtVenue, payUntil, opensByMail } = state;
  const isSettled = status === 'FA' || (payAtVenue && payUntil === null);
  const tickets = draft.tickets.map((ticket, index) => {
    const holder = contact.holders[index];
    const isNamed = holder !== undefined && `${holder.firstName}${holder.lastName}`.trim() !== '';
    const name = isNamed ? { firstName: holder.firstName.trim(), lastName: holder.lastName.trim() } : { firstName, lastName };
    return { ...ticket, ...name, status: state.tickets, sequence: 1 };
  });
  return {
    ...draft,
    isDraft: false,
    sequence: 1,
    email,
    emailKey: emailKey(email),
    firstName,
    lastName,
    language: contact.language,
    status,
    expiresAt,
    payAtVenue,
    payUntil,
    opensByMail,
    completedAt: more.now,
    network: isSettled ? null : draft.network,
    networkSite: isSettled ? null : draft.networkSite,
    releasedAt: null,
    termsAcceptedAt: contact.acceptsTerms === true ? more.now : null,
    confirmedAt: status === 'FA' ? more.now : null,
    tickets,
    answers: inQuestionOrder(more.answers),
  };
}

/** SQL: whether the order awaits the confirmation of its address. */
const awaitsSql = `($11::text = 'F' or $15::timestamptz is not null)`;

/**
 * SQL that finds a row when the draft holds its places still, and the person may have as many tickets. What the owner of a typed address
 * has is not looked at.
 */
const fitsSql = (assumed: AssumedDuration): string => `select 1 from reservation draft join event on event.id = draft.event_id
  where draft.id = $1 and draft.is_draft and draft.expires_at > statement_timestamp() and draft.released_at is null
    and event.published and not ${eventIsOverSql('event', assumed)}
    and (not ${awaitsSql} or ${mayAwaitSql('$7', '$1')})
    and array(select id from ticket where reservation_id = $1 order by position, id) = $3::uuid[]
    and ((select count(*) from wanted where admission) = 0 or coalesce(event.max_per_user, $5::int) is null
      or (select count(*) from wanted where admission) + (select count(*) from held where admission)
        <= coalesce(event.max_per_user, $5::int))
    and not exists (select 1 from wanted join price on price.id = wanted.price_id
      where (price.required_membership_id is not null and $22::boolean)
        or price.max_per_user < (select count(*) from wanted same where same.price_id = price.id)
          + (select count(*) from held where held.price_id = price.id))`;

const completeSql = (assumed: AssumedDuration): string => `with
  wanted as (select price_id, admission from ticket where reservation_id = $1 and status <> 'R'),
  held as (select * from (${heldBySql('$2', '$7', '$1')}) as mine where $22::boolean),
  completed as (
    update reservation set is_draft = false, sequence = 1, released_at = null, email = $6, email_key = $7, first_name = $8, last_name = $9,
      language = $10, status = $11, expires_at = $13::timestamptz, pay_at_venue = $14::boolean, pay_until = $15::timestamptz,
      network = case when $16::boolean then network end, network_site = case when $16::boolean then network_site end,
      terms_accepted_at = $17::timestamptz, confirmed_at = $18::timestamptz, opens_by_mail = $21::boolean,
      completed_at = (select now())
    where id = $1),
  named as (
    update ticket set status = $12, sequence = 1, first_name = given.first_name, last_name = given.last_name
    from unnest($3::uuid[], $19::text[], $20::text[]) as given (id, first_name, last_name)
    where ticket.reservation_id = $1 and ticket.id = given.id),
  waited as (
    update waiting_entry set ${endsEntrySql(`'booked'`)} where reservation_id = $1),
  unplanned as (
    delete from shared.job where tenant_id = $${tenantParameter(23)} and kind = '${draftExpiryJob}' and subject_id = $1),
  ${followUpsSql(23, '$6')}
  select case when not $4::boolean then 1 / (exists (${fitsSql(assumed)}))::int end`;

/**
 * Writes everything that makes a reservation of a draft whose event is locked, with one statement, and ends its entry in a waiting list.
 * The caller has the workers notified of the message and the jobs.
 * @param isChecked false: the statement checks that the draft holds its places and has these tickets, the event takes place and is
 *   published, the person stays below the limits, also of orders to be confirmed, and no price requires a membership, unless the
 *   address is a typed one
 * @param most tickets for one person where the event has no maximum; null: no limit
 * @throws ChecksNeeded
 */
export async function writeCompletion(
  tx: Tx,
  { reservation, isTrusted, ...followUps }: Completion,
  { isChecked, most, assumed }: { readonly isChecked: boolean; readonly most: number | null; readonly assumed: AssumedDuration },
): Promise<void> {
  const { tickets } = reservation;
  const statement: PreparedStatement = { name: 'draft-completion', text: completeSql(assumed) };
  await queryDemanding(tx, statement, [
    reservation.id,
    reservation.eventId,
    tickets.map(({ id }) => id),
    isChecked,
    most,
    reservation.email,
    reservation.emailKey,
    reservation.firstName,
    reservation.lastName,
    reservation.language,
    reservation.status,
    tickets[0]?.status,
    reservation.expiresAt,
    reservation.payAtVenue,
    reservation.payUntil,
    reservation.network !== null,
    reservation.termsAcceptedAt,
    reservation.confirmedAt,
    tickets.map(({ firstName }) => firstName),
    tickets.map(({ lastName }) => lastName),
    reservation.opensByMail,
    isTrusted,
    ...followUpValues(reservation.answers, followUps),
  ]);
}
