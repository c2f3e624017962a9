import { isBIC, isIBAN } from 'class-validator';
import { createHash } from 'node:crypto';
import { compactIban } from '../account/transfer-account.service.js';
import { mostCents } from '../bounds.js';

/** An entry as a file has it. */
export interface StatementEntry {
  /** The IBAN of the statement; empty: unknown. */
  readonly account: string;
  /** The reference of the bank; empty: none. */
  readonly bankReference: string;
  /** ISO date. */
  readonly bookedOn: string;
  /** In hundredths; negative: a debit. */
  readonly cents: number;
  readonly currency: string;
  readonly name: string;
  readonly iban: string;
  readonly bic: string;
  readonly text: string;
}

/** An entry with what identifies it. */
export interface KeyedEntry extends StatementEntry {
  readonly key: string;
}

const longestText = 1000;
const longestName = 140;

/** A text of a bank on one line, without control characters. */
export function lineOf(text: string, longest = longestText): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}

/** An IBAN of a file; empty: it is none, so that nobody pays to it. */
export function ibanIn(text: string): string {
  const iban = compactIban(text.slice(0, 100));
  return isIBAN(iban) ? iban : '';
}

/** A BIC of a file; empty: it is none. */
export function bicIn(text: string): string {
  const bic = compactIban(text.slice(0, 100));
  return isBIC(bic) ? bic : '';
}

/** A currency of a file. @returns undefined: it is none */
export function currencyIn(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : undefined;
}

/** A day that exists. @param iso `YYYY-MM-DD` @returns undefined: it is none */
export function dayThatExists(iso: string): string | undefined {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(iso)) return undefined;
  const at = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : undefined;
}

/** Whether the database takes an amount. */
export const isFitAmount = (cents: number): boolean => Number.isSafeInteger(cents) && Math.abs(cents) <= mostCents;

export const nameOf = (text: string): string => lineOf(text, longestName);

/**
 * Identifies the entries of a file: by the reference of the bank, day and amount, or by all that the entry says where the bank gives none;
 * and by its occurrence, because two people may pay the same on one day.
 */
export function keyed(entries: readonly StatementEntry[]): KeyedEntry[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const { account, bankReference, bookedOn, cents, currency, name, iban, text } = entry;
    const says = bankReference === '' ? [bookedOn, cents, currency, name, iban, text] : [bankReference, bookedOn, cents, currency];
    const hash = createHash('sha256').update(JSON.stringify(says)).digest('hex').slice(0, 32);
    const occurrence = (seen.get(`${account} ${hash}`) ?? 0) + 1;
    seen.set(`${account} ${hash}`, occurrence);
    return { ...entry, key: `${hash}-${occurrence}` };
  });
}
