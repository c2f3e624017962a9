/** Type of an exported column; `word` is an enumeration's value or a boolean, already in the user's language. */
export type ExportType = 'text' | 'word' | 'number' | 'money' | 'datetime';

/** A value of a row: dates as ISO 8601, money as decimal text. */
export type ExportValue = string | number | boolean | null;

/** Invisible characters that may precede a formula: spaces of any width, joiners and marks. */
const unseen = /^[\s\u00a0\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/u;
/** Characters that XML does not allow. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g; // oxlint-disable-line no-control-regex
/** Signs alone, such as a dash for nothing. */
const signs = /^[-+=@\s]*$/;
/** A number with a sign, alone or followed by more words or digits: no formula has that shape. `+33 6 12 34 56 78`, `-5 °C`, `+1 (555)`. */
const signedNumber = /^[-+]\s*\d[\d.,]*\s*%?(?:$|\s+[^-+*/^&=<>:;,%!|]|\()/;

/** Maximum length of a cell's text in characters. */
const longestCell = 32_767;

/** A text as a cell of a workbook holds it: without characters that XML does not allow, and not longer than a cell. */
export function cellText(text: string): string {
  return text.replaceAll(unwritable, '').slice(0, longestCell);
}

/**
 * A text for CSV, whose cells have no types: what a spreadsheet would evaluate as a formula gets an apostrophe in front, which marks a
 * text (OWASP, CSV injection). Phone numbers, amounts and notes stay as they are.
 */
export function csvText(text: string): string {
  const written = cellText(text);
  return isFormula(written) ? cellText(`'${written}`) : written;
}

/** Whether a spreadsheet evaluates a text when it opens a CSV file. Full-width and other forms of the signs count as the signs. */
function isFormula(text: string): boolean {
  const start = text.replace(unseen, '').slice(0, 200).normalize('NFKC').replaceAll('\u2212', '-');
  return /^[-+=@]/.test(start) && !signs.test(start) && !signedNumber.test(start);
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
