/** Letters that NFKD does not decompose, and their plain spelling; the same in SQL and here. */
const pairs = { œ: 'oe', æ: 'ae', ß: 'ss' } as const;
const singles = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', '’': "'", '‘': "'", ʼ: "'", '‐': '-', '–': '-', '—': '-' } as const;

/**
 * SQL that removes case and accents from a text, to compare it with `folded`. PostgreSQL itself separates letters and accents: no
 * extension is needed, and every function is immutable.
 */
export function foldedSql(text: string): string {
  const plain = `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`;
  const sql = (letters: readonly string[]): string => letters.join('').replaceAll("'", "''");
  const translated = `translate(${plain}, '${sql(Object.keys(singles))}', '${sql(Object.values(singles))}')`;
  return Object.entries(pairs).reduce((inner, [letter, two]) => `replace(${inner}, '${letter}', '${two}')`, translated);
}

/**
 * The same for a column that is not null. Plain ASCII, the usual case, skips the removal of accents; the expression reads the column
 * several times.
 */
export function foldedColumnSql(column: string): string {
  return `case when octet_length(${column}) = char_length(${column}) then lower(${column}) else ${foldedSql(column)} end`;
}

/** The same for a search text, in JavaScript. */
export function folded(text: string): string {
  const others: Readonly<Record<string, string>> = { ...pairs, ...singles };
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, (letter) => others[letter] ?? letter);
}

/** Escapes a text for a LIKE pattern: none of its characters is a wildcard. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

/** Column options of a generated column with the searchable text of a row (names and address, last name first). Only SQL reads it. */
export const searchColumn = (...columns: readonly string[]) =>
  ({
    select: false,
    insert: false,
    update: false,
    nullable: true,
    generatedType: 'STORED',
    asExpression: foldedSql(columns.join(` || E'\\n' || `)),
  }) as const;

/** Maximum number of characters that are read of a search, and of words that are used. */
export const longestSearch = 200;
export const mostSearchWords = 8;

/** One word of a search. A record matches when it contains every word. */
export interface SearchWord {
  /** LIKE pattern for folded texts that contain the word. */
  readonly within: string;
  /** The range of UUIDs that begin with the word; undefined when the word is no beginning of a UUID (at least four digits). */
  readonly ids?: readonly [first: string, last: string];
  /** The word is at least as long as the part of a UUID that is printed as a reference. */
  readonly isReference: boolean;
}

/**
 * The words of a search without case, accents and punctuation between the parts of a name. Only the beginning of a long text is read.
 * @returns an empty list only for an empty text
 */
export function searchWords(text: string, most = mostSearchWords): SearchWord[] {
  // Numbers are printed with №, which would become the word "no".
  const read = folded(text.slice(0, longestSearch).replaceAll('№', ' ')).trim();
  const words = read
    .split(/[\s,;·<>"()#]+/)
    .flatMap((word) => (word[8] === '-' && /^[0-9a-f-]+$/.test(word) ? [word] : word.split(/['-]/)))
    .filter(Boolean);
  // Punctuation alone is not removed, so that the search does not match everything.
  return (words.length > 0 || read === '' ? words : [read]).slice(0, most).map(searchWord);
}

function searchWord(word: string): SearchWord {
  const within = `%${likeLiteral(word)}%`;
  const digits = word.replaceAll('-', '');
  if (!/^[0-9a-f]{4,32}$/.test(digits)) return { within, isReference: false };
  const ids = [uuidOf(digits.padEnd(32, '0')), uuidOf(digits.padEnd(32, 'f'))] as const;
  return { within, ids, isReference: digits.length >= 8 };
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
