import { offersOthers } from '../core/scanning/results.js';
import type { ScanResult } from '../core/types.js';
import { format } from '../texts/times.js';
import type { Surroundings } from './result-words.js';

type Around = Pick<Surroundings, 't' | 'locale' | 'zone'>;

/** Steps whose words the first screen does not need; null: the result has another one. */
export function laterStep(result: ScanResult, { t, locale }: Around): string | null {
  const { nextStep, member } = result;
  // The button below lets the others in: nobody reads at the same time that they go to the box office.
  if (offersOthers(result)) return t('result.others');
  if (member) return t(validityOf(result) === 'valid' ? 'member.step' : 'steps.to_desk');
  return nextStep?.code === 'pay' && nextStep.due ? t('result.collect', { amount: amountWords(nextStep.due, locale) }) : null;
}

/** Until when a membership is valid, or why it is not; null: the result is about a ticket. */
export function laterDetail(result: ScanResult, { t, locale, zone }: Around): string | null {
  const { member } = result;
  if (!member) return null;
  const day = (at: number): string => format(at, locale, zone, { dateStyle: 'long' });
  const { valid_from: from, valid_until: until } = member;
  const validity = validityOf(result);
  if (validity === 'cancelled' || validity === 'not_paid') return t(`reasons.${validity}`);
  if (validity === 'not_yet_valid') return from ? t('member.from', { date: day(Date.parse(from)) }) : null;
  // The end is the first moment that does not count any more.
  if (until) return t(validity === 'valid' ? 'member.until' : 'member.ended', { date: day(Date.parse(until) - 1) });
  return t('member.noEnd');
}

/** Earlier versions of the server say the times only. */
function validityOf({ member, at }: ScanResult): string {
  const { validity, valid_until: until } = member ?? {};
  return validity ?? (until && Date.parse(until) <= at ? 'expired' : 'valid');
}

/** @param amount decimal text, in the currency of the place */
function amountWords(amount: string, locale: string): string {
  const options = { style: 'currency', currency: 'EUR', trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(locale, options).format(amount as `${number}`);
}
