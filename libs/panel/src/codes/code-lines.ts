import type { Readable } from 'node:stream';
import {
  definedOf,
  currentLanguage,
  forEachLanguage,
  instantInZone,
  languages,
  readCsv,
  startOfDayInZone,
  addDaysInZone,
  type CsvTable,
  type Text,
} from '#kernel';
import { panelWords } from '#panel-kit';
import { currentTenant } from '#tenancy';
import { codeEffects, codeTargets, type CodeLine, type CodeLineFault, type NewCode } from '#tickets';
import { texts } from '../locales/panel.texts.js';

const columns = {
  code: ['code'],
  effect: ['effect'],
  appliesTo: ['applies_to', 'appliesto'],
  value: ['value'],
  validFrom: ['valid_from', 'validfrom'],
  validUntil: ['valid_until', 'validuntil', 'validthrough'],
  maxUses: ['max_uses', 'maxuses'],
  maxPerPerson: ['max_per_person', 'maxperperson', 'maxusesperperson'],
  budget: ['budget'],
  reserved: ['reserved'],
  tag: ['tag'],
  disabled: ['disabled'],
  eventIds: ['events', 'event'],
  productIds: ['products', 'product'],
  priceIds: ['prices', 'price', 'offers'],
} as const;
type Column = keyof typeof columns;

const words = texts.perLanguage('codes', ({ words: own }) => own);

const table: CsvTable<Column> = {
  names: columns,
  // Those of the exported list.
  headings: forEachLanguage((language) => {
    const { properties } = words[language];
    const heading = { eventIds: properties.events, productIds: properties.products, priceIds: properties.prices };
    return Object.fromEntries(
      (Object.keys(columns) as Column[]).map((column) => [column, { ...properties, ...heading }[column].toLowerCase()]),
    ) as Record<Column, string>;
  }),
  needed: 'code',
  noHeading: texts.localized('codes.import.noHeading'),
  mostLines: 5000,
  // Three lists of as many identifiers as a code may have.
  longestLine: 12_000,
  mostBytes: 2 * 1024 * 1024,
};

const targets = ['eventIds', 'productIds', 'priceIds'] as const;

/** A cell that has none of the allowed forms. */
class UnfitCell extends Error {
  constructor(
    readonly field: Column,
    text: Text,
  ) {
    super(text[currentLanguage()]);
  }
}

/**
 * Reads a CSV file of codes, such as the exported list in any language.
 * @returns its lines, and the faults of those that cannot be read
 * @throws RefusedInput on `file` as `readCsv`
 */
export async function readCodeLines(file: Readable): Promise<{ lines: CodeLine[]; faults: CodeLineFault[] }> {
  const faults: CodeLineFault[] = [];
  const lines = (await readCsv(file, table)).flatMap(({ line, cells }): CodeLine[] => {
    try {
      const named = targets.flatMap((name) => (cells[name] === undefined ? [] : [[name, namesIn(cells[name])] as const]));
      return [{ line, code: codeOf(cells), named: Object.fromEntries(named) }];
    } catch (error) {
      if (!(error instanceof UnfitCell)) throw error;
      faults.push({ line, field: error.field, message: error.message });
      return [];
    }
  });
  return { lines, faults };
}

type Cells = Readonly<Partial<Record<Column, string>>>;

function codeOf(cells: Cells): NewCode {
  const read = <Value>(column: Column, convert: (text: string) => Value): Value | undefined =>
    cells[column] === undefined ? undefined : convert(cells[column]);
  const effect = effectOf(cells);
  const members = {
    effect,
    appliesTo: read('appliesTo', targetIn),
    value: effect === 'none' ? null : read('value', (text) => amountIn(text.replace('%', ''))),
    validFrom: read('validFrom', (text) => instantIn('validFrom', text)),
    validUntil: read('validUntil', (text) => instantIn('validUntil', text)),
    maxUses: read('maxUses', wholeIn),
    maxPerPerson: read('maxPerPerson', wholeIn),
    budget: read('budget', amountIn),
    reserved: read('reserved', (text) => wholeIn(text) ?? 0),
    tag: read('tag', (text) => text || null),
    disabled: read('disabled', isYes),
  };
  return { code: cells.code ?? '', ...definedOf(members) };
}

/** Without a word for it, a value is an amount less, or a percentage when it says so. */
function effectOf({ effect = '', value = '' }: Cells): NonNullable<NewCode['effect']> {
  const word = effect.toLowerCase();
  if (word === '') return value === '' ? 'none' : value.includes('%') ? 'percent' : 'amount';
  const found = codeEffects.find(
    (one) => one === word || languages.some((language) => words[language].values.effect[one].toLowerCase() === word),
  );
  if (found === undefined) throw new UnfitCell('effect', texts.localized('codes.import.effect'));
  return found;
}

/** Without a word for it: tickets. */
function targetIn(text: string): NonNullable<NewCode['appliesTo']> {
  const word = text.toLowerCase() || 'tickets';
  const found = codeTargets.find(
    (one) => one === word || languages.some((language) => words[language].values.appliesTo[one].toLowerCase() === word),
  );
  if (found === undefined) throw new UnfitCell('appliesTo', texts.localized('codes.import.appliesTo'));
  return found;
}

const amountIn = (text: string): string | null => text.replaceAll(/[\s€]/g, '').replace(',', '.') || null;

/** NaN is refused where codes are checked. */
const wholeIn = (text: string): number | null => (text === '' ? null : Number(text));

function isYes(text: string): boolean {
  const word = text.toLowerCase();
  const means = (label: 'yes' | 'no', others: readonly string[]): boolean =>
    others.includes(word) || languages.some((language) => panelWords(language).labels[label].toLowerCase() === word);
  if (means('yes', ['true', '1'])) return true;
  if (word === '' || means('no', ['false', '0'])) return false;
  throw new UnfitCell('disabled', texts.localized('codes.import.yesOrNo'));
}

/** Several are separated by commas, semicolons or lines. */
const namesIn = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** A day, or a day and a time, in the time zone of the venue. A code is valid until the end of a day. */
function instantIn(field: 'validFrom' | 'validUntil', text: string): Date | null {
  if (text === '') return null;
  const { timeZone } = currentTenant();
  const [, year, month, date, dayFirst, monthFirst, yearLast, time] =
    /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d?)[./](\d\d?)[./](\d{4}))(?:[T ](\d\d:\d\d)(?::\d\d)?)?$/.exec(text) ?? [];
  const two = (part = ''): string => part.padStart(2, '0');
  const day = `${year ?? yearLast ?? ''}-${two(month ?? monthFirst)}-${two(date ?? dayFirst)}`;
  const start = startOfDayInZone(day, timeZone);
  if (!start || (time !== undefined && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)))
    throw new UnfitCell(field, texts.localized('codes.import.time'));
  if (time !== undefined) return instantInZone(`${day}T${time}`, timeZone);
  return field === 'validFrom' ? start : addDaysInZone(start, timeZone, 1);
}
