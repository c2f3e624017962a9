import { randomInt } from 'node:crypto';

/** Letters and digits that are not taken for others, in print and in handwriting. */
const signs = '34679ACDEFGHJKMNPQRTWXY';
export const referenceLength = 8;

/** A new reference of an order. */
export function newReference(): string {
  return Array.from({ length: referenceLength }, () => signs[randomInt(signs.length)]).join('');
}

/** A reference in two groups, as people read it. */
export const referenceWords = (reference: string): string => `${reference.slice(0, 4)} ${reference.slice(4)}`;

/** The reference as a creditor reference of ISO 11649, `RF` with two check digits. */
export function creditorReference(reference: string): string {
  const rest = remainder(`${reference}RF00`);
  return `RF${String(98 - rest).padStart(2, '0')}${reference}`;
}

/** ISO 7064 (97-10) of letters and digits. */
function remainder(text: string): number {
  let rest = 0;
  for (const sign of text) for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}
