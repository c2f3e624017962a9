/**
 * SQL of the moment the running day began on the clock of the zone `:zone`: days run from 04:00 to 04:00, because evenings
 * do not end at midnight.
 */
export const startOfDay = `((date_trunc('day', (now() at time zone cast(:zone as text)) - interval '4 hours') + interval '4 hours')
  at time zone cast(:zone as text))`;

/** SQL of the moment the running day ends; a day's length follows the clocks. */
export const endOfDay = `((date_trunc('day', (now() at time zone cast(:zone as text)) - interval '4 hours') + interval '28 hours')
  at time zone cast(:zone as text))`;
