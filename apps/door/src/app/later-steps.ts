import type { ScanResult } from '../core/types.js';
import type { Surroundings } from './result-words.js';

/** Steps whose words the first screen does not need; null: the result has another one. */
export function laterStep(
  { reason, direction, group, nextStep }: ScanResult,
  { t, locale }: Pick<Surroundings, 't' | 'locale'>,
): string | null {
  // The button below lets the others in: nobody reads at the same time that they go to the box office.
  if (reason === 'already_scanned' && direction === 'entry' && group !== null && group.expected > 0) return t('result.others');
  return nextStep?.code === 'pay' && nextStep.due ? t('result.collect', { amount: amountWords(nextStep.due, locale) }) : null;
}

/** @param amount decimal text, in the currency of the place */
function amountWords(amount: string, locale: string): string {
  const options = { style: 'currency', currency: 'EUR', trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(locale, options).format(amount as `${number}`);
}
