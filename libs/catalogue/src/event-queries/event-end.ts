import type { Settings } from '#kernel';

/** Assumed duration of an event without an end: the setting `EVENT_MINUTES`. */
export type AssumedDuration = Pick<Settings, 'eventMinutes'>;

interface Times {
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

/** The moment when an event is over. An event without an end is over `eventMinutes` after its start. */
export function eventEnd({ startsAt, endsAt }: Times, { eventMinutes }: AssumedDuration): Date {
  return endsAt ?? new Date(startsAt.getTime() + eventMinutes * 60_000);
}

/** The same in SQL. @param event the alias of the table `event` */
export function eventEndSql(event: string, { eventMinutes }: AssumedDuration): string {
  return `coalesce(${event}.ends_at, ${event}.starts_at + interval '${eventMinutes} minutes')`;
}

/** The same where the assumed duration is a column. @param minutes SQL */
export function eventEndAfterSql(event: string, minutes: string): string {
  return `coalesce(${event}.ends_at, ${event}.starts_at + make_interval(mins => ${minutes}))`;
}

/** SQL: whether an event is over. @param event the alias of the table `event` */
export function eventIsOverSql(event: string, assumed: AssumedDuration): string {
  return `${eventEndSql(event, assumed)} < now()`;
}

/** SQL: a number that orders events, the coming ones first, the next at the top, then those that are over, the last at the top. */
export function comingFirstSql(event: string, assumed: AssumedDuration): string {
  const start = `extract(epoch from ${event}.starts_at)`;
  return `(case when ${eventIsOverSql(event, assumed)} then 1e12 - ${start} else ${start} end)`;
}
