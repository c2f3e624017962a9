import type { Tx } from '#tenancy';
import type { DraftContact, PaymentWay } from './contact.js';

/** How a buyer pays who may not have had to choose. */
export function paymentWayOf({ payment }: Pick<DraftContact, 'payment'>, canPayOnline: boolean): PaymentWay {
  return payment ?? (canPayOnline ? 'online' : 'venue');
}

/**
 * Until when a buyer who reserves now may pay at the venue: some hours before the event's start, as the tenant set it.
 * @returns undefined when the tenant does not allow it, or the time is over
 */
export async function payAtVenueUntil(tx: Tx, eventId: string): Promise<Date | undefined> {
  const [row] = await tx.query<{ until: Date }[]>(
    `select until from (select event.starts_at - make_interval(hours => configuration.pay_at_venue_hours) as until
       from event cross join configuration where event.id = $1 and configuration.pay_at_venue_hours is not null) as found
     where until > statement_timestamp()`,
    [eventId],
  );
  return row?.until;
}
