/** What a column of an exported list holds; `word` is one of an enumeration, or yes or no, already in the user's language. */
export type ExportType = 'text' | 'word' | 'number' | 'money' | 'datetime';

/** A value as the list reads it: dates as ISO 8601, money as decimal text. */
export type ExportValue = string | number | boolean | null;

/** Signs with which a spreadsheet takes a cell for a formula, in the spellings that it takes for the same. */
const formula = /^[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/;
/** What is not seen in front of them: blanks of any width, signs that only join or mark. */
const unseen = /^[\s\u00a0\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/u;
/** What no XML document may hold. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g; // oxlint-disable-line no-control-regex

/** The longest text that a cell of a spreadsheet takes. */
const longestCell = 32_767;

/**
 * A text as a cell that no spreadsheet takes for a formula: one that could be gets an apostrophe in front, which spreadsheets know as the
 * mark of a text (OWASP, CSV injection).
 */
export function defused(text: string): string {
  const written = text.replaceAll(unwritable, '');
  const isFormula = /^[\t\r\n]/.test(written) || formula.test(written.replace(unseen, ''));
  return `${isFormula ? "'" : ''}${written}`.slice(0, longestCell);
}

/** An instant on the clock of a place, as a UTC date of the same figures: spreadsheets know no zones. */
export function wallClock(timeZone: string): (instant: string) => Date | null {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (instant) => {
    const date = new Date(instant);
    if (Number.isNaN(date.getTime())) return null;
    return new Date(`${format.format(date).replace(' ', 'T')}Z`);
  };
}
