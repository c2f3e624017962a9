/** Type of an exported column; `word` is an enumeration's value or a boolean, already in the user's language. */
export type ExportType = 'text' | 'word' | 'number' | 'money' | 'datetime';

/** A value of a row: dates as ISO 8601, money as decimal text. */
export type ExportValue = string | number | boolean | null;

/** Characters that make a spreadsheet treat a cell as a formula, with their Unicode variants. */
const formula = /^[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/;
/** Invisible characters that may precede them: spaces of any width, joiners and marks. */
const unseen = /^[\s\u00a0\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/u;
/** Characters that XML does not allow. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g; // oxlint-disable-line no-control-regex

/** Maximum length of a cell's text in characters. */
const longestCell = 32_767;

/**
 * A text that no spreadsheet evaluates as a formula: a possible formula gets an apostrophe in front, which marks a text (OWASP, CSV
 * injection). Removes characters that XML does not allow, and shortens it to {@link longestCell}.
 */
export function defused(text: string): string {
  const written = text.replaceAll(unwritable, '');
  const isFormula = /^[\t\r\n]/.test(written) || formula.test(written.replace(unseen, ''));
  return `${isFormula ? "'" : ''}${written}`.slice(0, longestCell);
}

/** Converts an instant to the local time of a zone, as a UTC date with the same digits, because spreadsheets have no time zones. */
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
