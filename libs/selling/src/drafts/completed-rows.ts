import {
  inQuestionOrder,
  type GivenAnswer,
  emailKey,
  endsEntrySql,
  followUpsSql,
  followUpValues,
  tenantParameter,
  type FollowUps,
  type ShownReservation,
  type WholeReservation,
  type DraftContact,
} from '#tickets';
import { placeOrderSql } from '#orders';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { draftExpiryJob } from './draft-jobs.js';
import type { CompletedState } from './completed-state.js';

/** A reservation that was a draft, as the pages show it. */
export type CompletedReservation = Omit<WholeReservation, 'answers'> & Pick<ShownReservation, 'answers'>;

/** The same with the answers to store. */
export type CompletedDraft = Omit<CompletedReservation, 'answers'> & { readonly answers: readonly GivenAnswer[] };

/** What is written when a draft becomes a reservation. */
export interface Completion extends FollowUps {
  readonly reservation: CompletedDraft;
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
  const { status, expiresAt, payAtVenue, payUntil, opensByMail, confirmation } = state;
  const isSettled = confirmation !== 'none' && (status === 'FA' || (payAtVenue && payUntil === null));
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
    confirmation,
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

const completeStatement: PreparedStatement = {
  name: 'draft-completion',
  text: `with
  completed as (
    update reservation set is_draft = false, sequence = 1, released_at = null, email = $3, email_key = $4, first_name = $5, last_name = $6,
      language = $7, status = $8, expires_at = $10::timestamptz, pay_at_venue = $11::boolean, pay_until = $12::timestamptz,
      network = case when $13::boolean then network end, network_site = case when $13::boolean then network_site end,
      terms_accepted_at = $14::timestamptz, confirmed_at = $15::timestamptz, opens_by_mail = $18::boolean, confirmation = $19::text,
      completed_at = (select now())
    where id = $1),
  named as (
    update ticket set status = $9, sequence = 1, first_name = given.first_name, last_name = given.last_name
    from unnest($2::uuid[], $16::text[], $17::text[]) as given (id, first_name, last_name)
    where ticket.reservation_id = $1 and ticket.id = given.id),
  ${placeOrderSql('(select coalesce(cart_id, id) from reservation where id = $1)', '$1', '$15::timestamptz')},
  waited as (
    update waiting_entry set ${endsEntrySql(`'booked'`)} where reservation_id = $1),
  unplanned as (
    delete from shared.job where tenant_id = $${tenantParameter(20)} and kind = '${draftExpiryJob}' and subject_id = $1),
  ${followUpsSql(20, '$3')}
  select 1`,
};

/**
 * Writes everything that makes a reservation of a locked draft, and ends its entry in a waiting list. The caller has the workers notified
 * of the message and the jobs.
 */
export async function writeCompletion(tx: Tx, { reservation, ...followUps }: Completion): Promise<void> {
  const { tickets } = reservation;
  await queryPrepared(tx, completeStatement, [
    reservation.id,
    tickets.map(({ id }) => id),
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
    reservation.confirmation,
    ...followUpValues(reservation.answers, followUps),
  ]);
}
