import { toCents } from '#kernel';

/** An amount as text. */
export const amountPattern = '^\\d{1,8}([.,]\\d{1,2})?$';
const amount = new RegExp(amountPattern);

/** Whether a number, or a text such as `12.50` or `12,5`, is an amount that a price can have. A float with more decimals is not rounded. */
export function isAmount(value: unknown): value is string | number {
  return (typeof value === 'number' || (typeof value === 'string' && value.length <= 50)) && amount.test(String(value).trim());
}

/** `12`, `12.5`, `12,50` → `12.50`, without a float. @param value one that `isAmount` accepts */
export function amountOf(value: string | number): string {
  const [whole = '0', cents = ''] = String(value).trim().replace(',', '.').split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}

/** `2 5,50` → `2.00 5.50`. @returns undefined when there are more than `most`, or one is no amount or nothing */
export function amountList(typed: string, most: number): string | undefined {
  const given = typed.split(/[\s;]+/).flatMap((one) => one.replace(',', '.') || []);
  const fits = given.length <= most && given.every((one) => isAmount(one) && toCents(amountOf(one)) > 0);
  return fits ? given.map(amountOf).join(' ') : undefined;
}
