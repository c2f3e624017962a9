import { RefusedInput, startOfDayInZone } from '#kernel';
import { currentTenant, type Tx } from '#tenancy';
import { copiedTimes, type Times } from '../events/event-times.js';
import { limits } from '../limits.js';
import { texts } from '../locales/catalogue.texts.js';

/** How often a series takes place, as intervals of PostgreSQL. */
export const seriesSteps = { day: '1 day', week: '7 days', twoWeeks: '14 days', month: '1 month' } as const;

/** Further dates of an event, on the clocks of the tenant: each time of day on each day. */
export interface SeriesDates {
  readonly step?: keyof typeof seriesSteps;
  /** The last day of the steps, `2026-11-20`. */
  readonly until?: string;
  /** Further days. */
  readonly days?: readonly string[];
  /** Further times of day, `16:30`. */
  readonly clocks?: readonly string[];
}

export const isClock = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/**
 * The times of further dates of an event, by start. The days of the event's own steps are counted from it, so that a monthly series that
 * begins on the 31st returns to it.
 * @throws RefusedInput on step, until, days or clocks
 */
export async function timesOf(tx: Tx, event: Times, { step, until, days = [], clocks = [] }: SeriesDates): Promise<Times[]> {
  const { timeZone } = currentTenant();
  const refuse = (field: keyof SeriesDates, text: keyof typeof sentences): never => {
    throw new RefusedInput(field, sentences[text]);
  };
  const isDay = (day: string): boolean => startOfDayInZone(day, timeZone) !== undefined;
  const most = limits.dates.number;
  if (!step && until === undefined && days.length === 0 && clocks.length === 0) refuse('step', 'nothing');
  if (step && until === undefined) refuse('until', 'untilMissing');
  if (!step && until !== undefined) refuse('step', 'stepMissing');
  if (until !== undefined && !isDay(until)) refuse('until', 'noDay');
  if (!days.every(isDay)) refuse('days', 'noDay');
  if (!clocks.every(isClock)) refuse('clocks', 'noClock');
  if (days.length > most) refuse('days', 'tooMany');
  if (clocks.length > mostClocks) refuse('clocks', 'tooManyClocks');
  if (step && !(await isReached(tx, event, seriesSteps[step], until as string))) refuse('until', 'tooEarly');
  const times = await copiedTimes(tx, event, timeZone, dates, [step ? seriesSteps[step] : null, until ?? null, days, clocks, most]);
  if (times.length > most) refuse(step ? 'until' : 'days', 'tooMany');
  return times;
}

/** Whether the first step is on a day or before it. */
async function isReached(tx: Tx, { startsAt }: Times, step: string, until: string): Promise<boolean> {
  const [row] = await tx.query<{ reached: boolean }[]>(
    'select (($1::timestamptz at time zone $2) + $3::interval)::date <= $4::date as reached',
    [startsAt, currentTenant().timeZone, step, until],
  );
  return row?.reached === true;
}

/** Times of day that a series has on one day, beside that of the event. */
const mostClocks = 20;

/** One row more than the maximum says that there are too many. */
const dates = `select day + clock as starts from original,
  lateral (select begins::date as day
    union select (begins + number * $5::interval)::date from generate_series(1, $9::int + 1) number
      where (begins + number * $5::interval)::date <= $6::date
    union select unnest($7::date[])) as days,
  lateral (select begins::time as clock union select unnest($8::time[])) as times
  where day + clock <> begins order by 1 limit $9::int + 1`;

const sentences = {
  nothing: texts.localized('series.nothing'),
  untilMissing: texts.localized('series.untilMissing'),
  stepMissing: texts.localized('series.stepMissing'),
  noDay: texts.localized('series.noDay'),
  noClock: texts.localized('series.noClock'),
  tooMany: texts.localized('series.tooMany', { most: limits.dates.number }),
  tooManyClocks: texts.localized('series.tooManyClocks', { most: mostClocks }),
  tooEarly: texts.localized('series.tooEarly'),
} as const;
