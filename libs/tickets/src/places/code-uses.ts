import { isUncountedSql } from '../entities/reservation-states.js';

/**
 * SQL: the places at the only event of a code that others paid, and did not take back.
 * @param code alias of its row
 */
export const givenPlacesSql = (code: string, prefix = ''): string => `(select coalesce(sum(quantity), 0)::int from ${prefix}order_line
  where order_line.event_id = ${code}.event_ids[1] and order_line.kind = 'donation' and order_line.effective_at is not null)`;

/**
 * SQL: the places at the only event of a code in orders that are placed and not paid yet.
 * @param code alias of its row
 */
export const promisedPlacesSql = (code: string): string => `(select coalesce(sum(quantity), 0)::int from order_line
  join orders on orders.id = order_id and orders.state = 'placed'
  where order_line.event_id = ${code}.event_ids[1] and order_line.kind = 'donation' and order_line.effective_at is null)`;

/** SQL: how often a code can be used in all; null: as often as one wants. @param code alias of its row */
export const mostUsesSql = (code: string): string =>
  `case when ${code}.place_amount is null then ${code}.max_uses else least(${code}.max_uses, ${givenPlacesSql(code)}) end`;

/** SQL: whether a code can be used now, as far as its validity goes. @param code alias of its row */
export const isLiveSql = (code: string): string => `not ${code}.disabled and (${code}.valid_from is null
  or ${code}.valid_from <= statement_timestamp()) and (${code}.valid_until is null or ${code}.valid_until > statement_timestamp())`;

/**
 * SQL, a query: the tickets that use a code, each with what it saves. Cancelled tickets and holds that have ended do not count, whether or
 * not a job has released them. So nothing has to give uses back.
 * @param columns of `used` (`CodeUse`), `ticket` and `reservation`
 * @param codeId SQL of its id
 */
export const usesOfCodeSql = (columns: string, codeId: string, prefix = ''): string => `select ${columns} from ${prefix}code_use used
  join ${prefix}reservation on reservation.id = used.reservation_id and reservation.released_at is null
    and (reservation.expires_at is null or reservation.expires_at > statement_timestamp())
  join ${prefix}ticket on ticket.reservation_id = used.reservation_id and ticket.line_id = used.line_id and ticket.status <> 'R'
  where used.code_id = ${codeId}`;

/** SQL, a query: the same of memberships. @param columns of `used` and `membership` */
export const membershipUsesSql = (columns: string, codeId: string): string => `select ${columns} from code_use used
  join membership on membership.id = used.membership_id and membership.status <> 'cancelled'
    and (membership.expires_at is null or membership.expires_at > statement_timestamp())
  where used.code_id = ${codeId}`;

/** SQL, a query about all uses of a code, by tickets and memberships. @param columns of the uses, as `used` */
export const allUsesOfCodeSql = (columns: string, codeId: string): string => `select ${columns} from (
  ${usesOfCodeSql('used.saved', codeId)} union all ${membershipUsesSql('used.saved', codeId)}) used`;

/** SQL: whether a membership counts for its person: anybody can order on the pages for an address. */
const countsForPersonSql = `(membership.status = 'active' or membership.by_user_id is not null or membership.by_key_id is not null)`;

/**
 * SQL, a query: what others than a reservation or a membership use of a code: `uses`, `saved`, and `of_person`, the uses of one person.
 * @param codeId SQL of its id
 * @param who.self SQL of the id of the reservation or the membership
 * @param who.isPerson SQL of the condition of a row with an `email_key`, by its alias
 * @param when SQL of a condition: otherwise nothing is counted
 */
export const usesByOthersSql = (
  codeId: string,
  { self, isPerson }: { readonly self: string; readonly isPerson: (row: string) => string },
  when = 'true',
): string => `select count(*)::int as uses, coalesce(sum(used.saved), 0) as saved,
    (count(*) filter (where used.is_person))::int as of_person
  from (${usesOfCodeSql(
    `used.saved, ${isPerson('reservation')} and not ${isUncountedSql('reservation')} as is_person`,
    codeId,
  )} and reservation.id <> ${self} and ${when}
  union all ${membershipUsesSql(
    `used.saved, ${isPerson('membership')} and ${countsForPersonSql} as is_person`,
    codeId,
  )} and membership.id <> ${self} and ${when}) used`;

/**
 * SQL: the places that a code keeps and nobody has taken yet. Counts no further than to what the code keeps.
 * @param code alias of its row
 * @param others SQL condition on `reservation`: whose tickets count
 */
const keptByCodeSql = (code: string, prefix: string, others = 'true'): string => `greatest(0, ${code}.reserved - (select count(*)::int
  from (${usesOfCodeSql('1', `${code}.id`, prefix)} and ticket.admission and ${others} limit ${code}.reserved) taken))`;

/**
 * SQL: the same at an event; 0 where it keeps none, or cannot be used now.
 * @param code alias of its row
 * @param eventId SQL of the id of the event
 */
export const keptPlacesSql = (code: string, eventId: string, others?: string): string =>
  `case when ${code}.reserved > 0 and ${code}.event_ids[1] = ${eventId} and ${isLiveSql(code)}
    then ${keptByCodeSql(code, '', others)} else 0 end`;

/** SQL: whether codes keep places of an event now or later. @param eventId SQL of its id */
export const keepsPlacesSql = (eventId: string): string => `exists (select from code where code.reserved > 0
  and code.event_ids[1] = ${eventId} and not code.disabled and (code.valid_until is null or code.valid_until > statement_timestamp()))`;

/**
 * SQL: the number of places of an event that codes keep and nobody has taken yet.
 * @param event alias of its row
 * @param except SQL of the id of a code whose places count as free
 */
export const reservedSql = (event: string, prefix = '', except = 'null::uuid'): string => `coalesce((
  select sum(${keptByCodeSql('code', prefix)}) from ${prefix}code
  where code.reserved > 0 and code.event_ids[1] = ${event}.id and code.id is distinct from ${except} and ${isLiveSql('code')}), 0)::int`;
