import { currency, RefusedInput } from '#kernel';
import { parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { mostEntries } from '../bounds.js';
import { texts } from '../locales/transfers.texts.js';
import { bicIn, currencyIn, dayThatExists, ibanIn, isFitAmount, lineOf, nameOf, type StatementEntry } from './statement-entry.js';

/** What columns of a CSV file say. */
export const csvFields = [
  'bookedOn',
  'amount',
  'credit',
  'debit',
  'name',
  'iban',
  'bic',
  'text',
  'currency',
  'account',
  'reference',
  'status',
] as const;
export type CsvField = (typeof csvFields)[number];

/** Positions of the columns, from 0; several columns of a text are joined. */
export type CsvColumns = Readonly<Partial<Record<CsvField, readonly number[]>>>;

/** A CSV file with its heading. */
export interface BankTable {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Headings of banks, in small letters without accents, those that say most first. */
const usual: Readonly<Record<CsvField, readonly RegExp[]>> = {
  bookedOn: [
    /^(buchungstag|buchungsdatum|buchung|booking date|date operation|date de comptabilisation|date comptable|fecha operacion)$/,
    /^(date|datum|boekingsdatum|execution date|uitvoeringsdatum|date d'execution|fecha.*)$/,
  ],
  amount: [/^(betrag|umsatz|montant|amount|bedrag|importe)\b.*$/],
  credit: [/^(credit|credito)\b.*$/, /^(haben|entrees?|bij)$/],
  debit: [/^(debit|debet|debito)\b.*$/, /^(soll|sorties?|af|af bij|soll\/haben)$/],
  name: [
    /^(naam tegenpartij|counterparty name|nom contrepartie|nom de la contrepartie|beguenstigter.*|begunstigter.*|.*zahlungspflichtige.*)$/,
    /^(auftraggeber.*|name.*|nom.*|naam.*|contrepartie.*|libelle simplifie|tegenpartij.*)$/,
  ],
  iban: [
    /^(kontonummer\/iban|rekeningnummer tegenpartij|tegenrekening|counterparty account|iban.*)$/,
    /^(numero de )?compte (de )?(la )?contrepartie$/,
  ],
  bic: [/^(bic.*|swift.*)$/],
  text: [
    /^(verwendungszweck|kundenreferenz|communication|libelle (operation|complet)|libelle$|(vrije |gestructureerde )?mededeling(en)?)\b.*$/,
    /^(motif|message|concepto|description|omschrijving|details?)\b.*$/,
    /^(libelle|reference).*$/,
  ],
  currency: [/^(wahrung|waehrung|devise|currency|munt|muntsoort|divisa)$/],
  account: [/^(auftragskonto|compte|account|account number|rekening|rekeningnummer|numero de compte)$/],
  status: [/^(info|status|statut|etat|umsatzstatus|buchungsstatus|state|estado)$/],
  reference: [/^(transaction id|reference banque|volgnummer|sequence number|numero de sequence|bank reference)$/],
};

const announced = /vorgemerkt|nicht gebucht|unbooked|pending|announced|en attente|a venir|in behandeling|pendiente/;
/** ISO 4217: no currency. */
const unknownCurrency = 'XXX';

const refused = (): RefusedInput => new RefusedInput('file', texts.localized('upload.notCsv'));

/**
 * Reads a CSV file of a bank: UTF-8 or Windows-1252, separated by commas, semicolons or tabs. Lines above the heading, such as the name of
 * the account, are left out.
 * @throws RefusedInput on `file`
 */
export async function readBankCsv(bytes: Buffer): Promise<BankTable> {
  const text = decoded(bytes);
  const [sample] = [text.slice(0, 4000)];
  const count = (sign: string): number => sample.split(sign).length;
  const delimiter = [';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
  const lines: string[][] = [];
  try {
    const options = { bom: true, delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true };
    for await (const record of Readable.from(slices(text)).pipe(parse({ ...options, max_record_size: 10_000 })) as AsyncIterable<
      string[]
    >) {
      lines.push(record);
      if (lines.length > mostEntries + 50) throw new RefusedInput('file', texts.localized('upload.tooMany', { most: mostEntries }));
    }
  } catch (error) {
    if (error instanceof RefusedInput) throw error;
    throw refused();
  }
  const at = lines.slice(0, 30).findIndex((line) => line.length >= 3 && line.filter((cell) => /\p{L}/u.test(cell)).length >= 3);
  const heading = lines[at];
  if (!heading || heading.length > 60) throw refused();
  return { heading: heading.map((cell) => lineOf(cell, 60)), rows: lines.slice(at + 1) };
}

/**
 * The mapping that the headings suggest.
 * @param named headings that staff wrote for fields
 * @throws RefusedInput on the field whose heading the file lacks
 */
export function columnsOf({ heading }: BankTable, named: Readonly<Partial<Record<CsvField, string>>> = {}): CsvColumns {
  const names = heading.map(simple);
  const positionsOf = (field: CsvField): readonly number[] => {
    const wanted = simple(named[field] ?? '');
    if (wanted !== '') {
      const at = names.indexOf(wanted);
      if (at < 0) throw new RefusedInput(field, texts.localized('upload.noColumn', { columns: heading.join(' · ').slice(0, 500) }));
      return [at];
    }
    const all = usual[field].map((pattern) => names.flatMap((name, at) => (pattern.test(name) ? [at] : [])));
    const found = all.find(({ length }) => length > 0) ?? [];
    return field === 'text' ? found : found.slice(0, 1);
  };
  return Object.fromEntries(csvFields.map((field) => [field, positionsOf(field)] as const).filter(([, all]) => all.length > 0));
}

/** Whether a mapping names what entries need. */
export const isComplete = ({ bookedOn, amount, credit, text }: CsvColumns): boolean =>
  bookedOn !== undefined && (amount !== undefined || credit !== undefined) && text !== undefined;

/** The entries of a CSV file. Lines without a day or an amount, such as balances, are left out. @throws RefusedInput on `file` */
export function entriesOfCsv({ rows }: BankTable, columns: CsvColumns, usualAccount: string): StatementEntry[] {
  const entries = rows.flatMap((row): StatementEntry[] => {
    const cell = (field: CsvField): string =>
      (columns[field] ?? [])
        .map((at) => row[at] ?? '')
        .filter(Boolean)
        .join(' ');
    const bookedOn = dayIn(cell('bookedOn'));
    const cents = centsOf(cell);
    if (bookedOn === undefined || cents === undefined || cents === 0 || !isFitAmount(cents)) return [];
    // What is only announced may be booked later, or never.
    if (announced.test(simple(cell('status')))) return [];
    const account = ibanIn(cell('account'));
    return [
      {
        account: account || usualAccount,
        bankReference: lineOf(cell('reference'), 100),
        bookedOn,
        cents,
        currency: (cell('currency') === '' ? currency : currencyIn(cell('currency'))) ?? unknownCurrency,
        name: nameOf(cell('name')),
        iban: ibanIn(cell('iban')),
        bic: bicIn(cell('bic')),
        text: lineOf(cell('text')),
      },
    ];
  });
  if (entries.length === 0) throw refused();
  return entries;
}

/** Names a heading, so that its mapping is found again. */
export const headingKey = ({ heading }: BankTable): string =>
  heading
    .map((cell) => simple(cell))
    .join('|')
    .slice(0, 2000);

const simple = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').replaceAll('’', "'").trim();

/** UTF-8, UTF-16 with a mark, or the letters of Windows. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 64 * 1024) yield text.slice(at, at + 64 * 1024);
}

/** @returns undefined: no day */
function dayIn(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? [];
  if (year !== undefined) return existing(year, month ?? '', day ?? '');
  const [, first, second, last] = /^(\d\d?)[./-](\d\d?)[./-](\d{4}|\d\d)\b/.exec(text) ?? [];
  if (last === undefined) return undefined;
  return existing(last.length === 2 ? `20${last}` : last, (second ?? '').padStart(2, '0'), (first ?? '').padStart(2, '0'));
}

function existing(year: string, month: string, day: string): string | undefined {
  return dayThatExists(`${year}-${month}-${day}`);
}

function centsOf(cell: (field: CsvField) => string): number | undefined {
  const amount = centsIn(cell('amount'));
  if (amount === undefined) {
    const [credit, debit] = [centsIn(cell('credit')), centsIn(cell('debit'))];
    if (credit !== undefined && credit !== 0) return Math.abs(credit);
    return debit === undefined ? undefined : -Math.abs(debit);
  }
  // Some banks write the direction into a column of its own: S and H, Af and Bij, D and C.
  const sign = simple(cell('debit'));
  return /^(s|af|d|debit)$/.test(sign) ? -Math.abs(amount) : amount;
}

/** `1.234,56`, `1,234.56`, `1 234,56 €`, `-12,5`, `+12.50`, `12,50-`. @returns undefined: no number */
function centsIn(text: string): number | undefined {
  const compact = text.replaceAll(/[\s\u00A0\u202F'’]|EUR|€/g, '').replaceAll('−', '-');
  const [, before, number, after] = /^([+-]?)([\d.,]+)([+-]?)$/.exec(compact) ?? [];
  if (number === undefined) return undefined;
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(number) ?? [];
  const digits = whole.replaceAll(/[.,]/g, '');
  if (digits.length > 10 || (digits === '' && decimals === '')) return undefined;
  const cents = Number(digits) * 100 + Number(decimals.padEnd(2, '0'));
  return before === '-' || after === '-' ? -cents : cents;
}
