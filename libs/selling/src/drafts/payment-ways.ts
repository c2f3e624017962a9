import type { DraftContact, PaymentWay } from '#tickets';
import type { Tx } from '#tenancy';

/** How a buyer pays who may not have had to choose. */
export function paymentWayOf({ payment }: Pick<DraftContact, 'payment'>, canPayOnline: boolean): PaymentWay {
  return payment ?? (canPayOnline ? 'online' : 'venue');
}

/** SQL: when the time to pay at the venue ends for an event, as the tenant set it; null when the tenant does not allow it. */
export const venueDeadlineSql = 'event.starts_at - make_interval(hours => configuration.pay_at_venue_hours)';

/**
 * SQL: until when a buyer who reserves now may pay at the venue: some hours before the event's start, as the tenant set it; null when the
 * tenant does not allow it, or the time is over.
 * @param eventId SQL of the event's id
 */
export const payAtVenueUntilSql = (eventId: string): string => `(select until from (
    select ${venueDeadlineSql} as until
    from event cross join configuration where event.id = ${eventId} and configuration.pay_at_venue_hours is not null) as found
  where until > statement_timestamp())`;

/**
 * Until when a buyer who reserves for these events now may pay at the venue: the earliest time of them.
 * @returns undefined when that is not possible for all of them, or there are none
 */
export async function payAtVenueUntil(tx: Tx, eventIds: readonly string[]): Promise<Date | undefined> {
  const [row] = await tx.query<{ until: Date | null }[]>(
    `select ${payAtVenueUntilSql('one.id')} as until from unnest($1::uuid[]) one(id) order by until nulls first limit 1`,
    [eventIds],
  );
  return row?.until ?? undefined;
}
