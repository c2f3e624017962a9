import { fromCents } from '#kernel';
import type { Tx } from '#tenancy';
import type { KeyedEntry } from '../statements/statement-entry.js';
import { signsOf } from './match.js';

interface Stored {
  readonly iban: string;
  readonly text: string;
  readonly orderId: string | null;
}

/** Letters and digits of a text that say something. */
const leastSigns = 6;
/** Entries that are compared: of one day and amount. */
const mostCompared = 100;

/**
 * Whether a file of before perhaps has the same credit in another form: banks word an entry otherwise in CSV than in CAMT, so that its key
 * differs. Of two uploads at once, who asks second, with the order locked, sees the entry of the first.
 * @param orderId of the order that it is for
 */
export async function hasTwin(tx: Tx, statementId: string, entry: KeyedEntry, orderId: string | undefined): Promise<boolean> {
  const stored = await tx.query<Stored[]>(
    `select iban, text, suggested_order_id as "orderId" from bank_entry
     where booked_on = $1::date and amount = $2 and currency = $3 and statement_id <> $4 limit ${mostCompared}`,
    [entry.bookedOn, fromCents(entry.cents), entry.currency, statementId],
  );
  const signs = signsOf(entry.text);
  return stored.some((one) => {
    if (one.iban !== '' && entry.iban !== '' && one.iban !== entry.iban) return false;
    if (one.orderId !== null && orderId !== undefined) return one.orderId === orderId;
    const others = signsOf(one.text);
    if (Math.min(signs.length, others.length) < leastSigns) return one.iban !== '' && one.iban === entry.iban;
    return others.includes(signs) || signs.includes(others);
  });
}
