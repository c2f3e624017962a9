import { RefusedInput } from '#kernel';
import type { Tx } from '#tenancy';
import type { Event } from '../entities/event.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/** Times that belong to an event and follow from its start. */
export type Times = Pick<Event, 'startsAt' | 'endsAt' | 'doorsAt'>;

/** How long before the start the doors open at most. */
const longestWaitMs = 86_400_000;

/** Whether the doors of an event may open then. */
export function mayOpen(doorsAt: Date, startsAt: Date): boolean {
  const wait = startsAt.getTime() - doorsAt.getTime();
  return wait >= 0 && wait <= longestWaitMs;
}

/** @throws RefusedInput on the first invalid time */
export function checkTimes({ startsAt, endsAt, doorsAt }: Partial<Times>): void {
  if (!startsAt || Number.isNaN(startsAt.getTime())) throw new RefusedInput('startsAt', texts.localized('eventRules.startMissing'));
  if (endsAt && endsAt < startsAt) throw new RefusedInput('endsAt', texts.localized('eventRules.endBeforeStart'));
  if (doorsAt && !mayOpen(doorsAt, startsAt)) throw new RefusedInput('doorsAt', texts.localized('eventRules.doorsInvalid'));
}

/**
 * Times that follow a change of the start, unless the change names them: doors and end move with it by the same amount, and an event that
 * is rescheduled keeps the start before.
 */
export function followingTimes(current: Event, change: Partial<Event>): Partial<Event> {
  const { alteration = current.alteration, startsAt, previousStartsAt } = change;
  if (startsAt === undefined || startsAt.getTime() === current.startsAt.getTime()) return {};
  const moved = startsAt.getTime() - current.startsAt.getTime();
  const follows = (name: 'endsAt' | 'doorsAt'): Partial<Event> => {
    const instant = current[name];
    return change[name] === undefined && instant ? { [name]: new Date(instant.getTime() + moved) } : {};
  };
  // A form of all fields sends the empty one, too.
  const isUnnamed = previousStartsAt === undefined || (previousStartsAt === null && current.previousStartsAt === null);
  return {
    ...(alteration === 'rescheduled' && isUnnamed && { previousStartsAt: current.startsAt }),
    ...follows('endsAt'),
    ...follows('doorsAt'),
  };
}

/**
 * The times of copies of an event, on the clocks of the tenant, by start, each start once. Doors and end are as far from the start as those
 * of the event.
 * @param starts SQL: the local starts (`starts`), from `original` with the local time of the event (`begins`) and from values from `$5` on
 */
export function copiedTimes(
  tx: Tx,
  { startsAt, endsAt, doorsAt }: Times,
  timeZone: string,
  starts: string,
  values: readonly unknown[],
): Promise<Times[]> {
  return tx.query<Times[]>(
    // The others follow from the start: a month after 30 and 31 March is 30 April for both.
    `with original as (
       select $1::timestamptz at time zone $4 as begins, $2::timestamptz at time zone $4 as ends, $3::timestamptz at time zone $4 as opens)
     select distinct on (1) starts at time zone $4 as "startsAt", (starts + (ends - begins)) at time zone $4 as "endsAt",
       (starts + (opens - begins)) at time zone $4 as "doorsAt"
     from original, lateral (${starts}) as wanted order by 1`,
    [startsAt, endsAt, doorsAt, timeZone, ...values],
  );
}
