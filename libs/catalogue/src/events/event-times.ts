import { RefusedInput } from '#kernel';
import type { Tx } from '#tenancy';
import type { Event } from '../entities/event.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/** Times that belong to an event and follow from its start. */
type Times = Pick<Event, 'startsAt' | 'endsAt'>;

/** @throws RefusedInput on the first invalid time */
export function checkTimes({ startsAt, endsAt }: Partial<Times>): void {
  if (!startsAt || Number.isNaN(startsAt.getTime())) throw new RefusedInput('startsAt', texts.localized('eventRules.startMissing'));
  if (endsAt && endsAt < startsAt) throw new RefusedInput('endsAt', texts.localized('eventRules.endBeforeStart'));
}

/** Times that follow a change of the start. An event that is rescheduled keeps the start before, unless the change names it. */
export function followingTimes(current: Event, change: Partial<Event>): Partial<Event> {
  const { alteration = current.alteration, startsAt, previousStartsAt } = change;
  if (startsAt === undefined || startsAt.getTime() === current.startsAt.getTime()) return {};
  return alteration === 'rescheduled' && previousStartsAt === undefined ? { previousStartsAt: current.startsAt } : {};
}

/** The times of a copy of an event that starts so much later on the clocks of the tenant. @param step interval of PostgreSQL */
export async function laterTimes(tx: Tx, { startsAt, endsAt }: Times, step: string, timeZone: string): Promise<Times> {
  const [times] = await tx.query<Times[]>(
    // The others follow from the start: a month after 30 and 31 March is 30 April for both.
    `select starts at time zone $2 as "startsAt", (starts + ($4::timestamptz at time zone $2 - begins)) at time zone $2 as "endsAt"
     from (select $1::timestamptz at time zone $2 as begins, ($1::timestamptz at time zone $2) + $3::interval as starts) as copied`,
    [startsAt, timeZone, step, endsAt],
  );
  return times as Times;
}
