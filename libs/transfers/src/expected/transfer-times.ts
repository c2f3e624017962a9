import { currentTenant, queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { leastTransferDays } from '../bounds.js';

/** When what is reserved now is to be transferred. */
export interface TransferTimes {
  /** The last day for the transfer, as ISO date. */
  readonly dueOn: string;
  /** The end of the hold: that of the next working day after it. */
  readonly until: Date;
}

/**
 * SQL: `TransferTimes` of an event; no row when the venue offers no transfers, or too little time is left. After four days at most, the
 * hold has ended, whatever day of the week the last one is: the event begins later.
 * @param eventId SQL of the event's id
 * @param zone SQL of the time zone of the venue
 */
const timesSql = (eventId: string, zone: string): string => `
  select due::text as "dueOn",
    (due + case extract(isodow from due) when 5 then 4 when 6 then 3 else 2 end)::timestamp at time zone ${zone} as until
  from (
    select least((statement_timestamp() at time zone ${zone})::date + account.days, (event.starts_at at time zone ${zone})::date - 4) as due
    from event cross join transfer_account account where event.id = ${eventId} and account.offered) found
  where due >= (statement_timestamp() at time zone ${zone})::date + ${leastTransferDays}`;

const ofEvents: PreparedStatement = {
  name: 'transfer-times',
  text: `select * from (
      select found.* from unnest($1::uuid[]) one(id) left join lateral (${timesSql('one.id', '$2')}) found on true
      order by found."dueOn" nulls first limit 1) earliest
    where "dueOn" is not null`,
};
const ofReservation: PreparedStatement = {
  name: 'transfer-times-of-reservation',
  text: timesSql('(select event_id from reservation where id = $1)', '$2'),
};

/**
 * When a buyer who reserves for these events now pays by transfer: the earliest times of them.
 * @returns undefined when that is not possible for all of them, or there are none
 */
export async function transferTimes(tx: Tx, eventIds: readonly string[]): Promise<TransferTimes | undefined> {
  const [times] = await queryPrepared<TransferTimes>(tx, ofEvents, [eventIds, currentTenant().timeZone]);
  return times;
}

/** The same for the event of a reservation. */
export async function transferTimesOf(tx: Tx, reservationId: string): Promise<TransferTimes | undefined> {
  const [times] = await queryPrepared<TransferTimes>(tx, ofReservation, [reservationId, currentTenant().timeZone]);
  return times;
}

/** SQL: whether what is reserved now for an event can be paid by transfer. The day changes in UTC here, because lists bear hours. */
export const takesTransfersSql = (eventId: string): string => `exists (${timesSql(eventId, `'UTC'`)})`;
