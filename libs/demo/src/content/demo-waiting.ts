import { emailKey } from '#tickets';
import { WaitingEntry } from '#waiting';
import type { Tx } from '#tenancy';
import { minute } from '../basics/demo-clock.js';
import type { DemoPeople } from '../basics/demo-people.js';
import type { DemoRandom } from '../basics/demo-random.js';
import type { StagedEvent } from './demo-bookings.js';
import { insertAll } from './demo-rows.js';

/** Between two people who join a list. */
const pause = 420 * minute;

/** People on the waiting lists of sold-out events; the last one has not opened the link of the first mail yet. Nothing is mailed. */
export async function queueUp(tx: Tx, events: readonly StagedEvent[], now: Date, people: DemoPeople, random: DemoRandom): Promise<void> {
  for (const { id: eventId, waiting, prices } of events) {
    const rows = Array.from({ length: waiting }, (_, index) => {
      const { email, language } = people.newcomer();
      const askedAt = new Date(now.getTime() - (waiting - index) * pause + random.whole(0, 90) * minute);
      const isConfirmed = index < waiting - 1;
      return {
        eventId,
        priceId: random.weighted(prices.slice(0, 2).map(({ id, share }) => [id, share] as const)),
        email,
        emailKey: emailKey(email),
        language,
        quantity: random.whole(1, 2),
        status: isConfirmed ? ('waiting' as const) : ('unconfirmed' as const),
        askedAt,
        createdAt: askedAt,
        confirmedAt: isConfirmed ? new Date(askedAt.getTime() + 4 * minute) : null,
      };
    });
    await insertAll(tx, WaitingEntry, rows);
  }
}
