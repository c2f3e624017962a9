import { dayInZone, partsInZone } from '#kernel';

/** Days to withdraw (article 9 of Directive 2011/83/EU). */
const days = 14;

/**
 * The end of the period to withdraw. The day of the beginning does not count; the last day counts to its midnight in the time zone of the
 * venue, and one that is a Saturday, Sunday or public holiday is followed by the next working day (Regulation 1182/71, article 3).
 * @param from the contract of a membership, the delivery of goods
 */
export function withdrawalEnd(from: Date, timeZone: string): Date {
  let last = days;
  while (isRestDay(dayInZone(from, timeZone, last), timeZone)) last += 1;
  return dayInZone(from, timeZone, last + 1);
}

/** Month and day of public holidays in most of these countries. Where one is none, buyers have a day more. */
const fixed: ReadonlySet<string> = new Set(['01-01', '01-06', '05-01', '08-15', '11-01', '12-24', '12-25', '12-26']);
/** Days after Easter Sunday: Good Friday, Easter Monday, Ascension, Whit Monday. */
const movable: ReadonlySet<number> = new Set([-2, 1, 39, 50]);

function isRestDay(midnight: Date, timeZone: string): boolean {
  const { year, month, day } = partsInZone(midnight, timeZone);
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const weekday = new Date(date).getUTCDay();
  if (weekday === 0 || weekday === 6 || fixed.has(`${month}-${day}`)) return true;
  return movable.has((date - easter(Number(year))) / 86_400_000);
}

/** Easter Sunday of the Gregorian calendar at midnight UTC (Meeus, Astronomical Algorithms). */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const n = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}
