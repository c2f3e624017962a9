/** Letters that NFKD does not take apart, and the plain ones that people type; the same in SQL and here. */
const pairs = { œ: 'oe', æ: 'ae', ß: 'ss' } as const;
const singles = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', '’': "'", '‘': "'", ʼ: "'", '‐': '-', '–': '-', '—': '-' } as const;

/**
 * SQL of a text without case and accents, to compare with `folded`. PostgreSQL splits letters and accents itself: no extension is needed, and
 * every function is immutable.
 */
export function foldedSql(text: string): string {
  const plain = `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`;
  const sql = (letters: readonly string[]): string => letters.join('').replaceAll("'", "''");
  const translated = `translate(${plain}, '${sql(Object.keys(singles))}', '${sql(Object.values(singles))}')`;
  return Object.entries(pairs).reduce((inner, [letter, two]) => `replace(${inner}, '${letter}', '${two}')`, translated);
}

/** The same for a column that is not null. Plain ASCII, which most texts are, skips the accents; the column is read several times. */
export function foldedColumnSql(column: string): string {
  return `case when octet_length(${column}) = char_length(${column}) then lower(${column}) else ${foldedSql(column)} end`;
}

/** The same for a text that is searched for. */
export function folded(text: string): string {
  const others: Readonly<Record<string, string>> = { ...pairs, ...singles };
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, (letter) => others[letter] ?? letter);
}

/** The text as a part of a LIKE pattern: none of its characters is a wildcard. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

/**
 * Options of a column that PostgreSQL derives from the names and the address of a row: what searches look in, last name first. It is read in
 * SQL only.
 */
export const searchColumn = (...columns: readonly string[]) =>
  ({
    select: false,
    insert: false,
    update: false,
    nullable: true,
    generatedType: 'STORED',
    asExpression: foldedSql(columns.join(` || E'\\n' || `)),
  }) as const;

/** Characters of a search that are read, and its words that count. */
export const longestSearch = 200;
export const mostSearchWords = 8;

/** One word of a search. A record is found when every word is in it. */
export interface SearchWord {
  /** LIKE pattern for folded texts that contain the word. */
  readonly within: string;
  /** The first and the last UUID that begin with the word; undefined when it is not the beginning of one (four digits at least). */
  readonly ids?: readonly [first: string, last: string];
  /** The word is as much of a UUID as is printed as a reference, or more of it. */
  readonly isReference: boolean;
}

/**
 * The words of a search: without case and accents, and without the signs between the parts of a name. The rest of a long text is not read.
 * @returns no word for an empty text only
 */
export function searchWords(text: string, most = mostSearchWords): SearchWord[] {
  const read = folded(text.slice(0, longestSearch)).trim();
  const words = read
    .split(/[\s,;·<>"()#]+/)
    .flatMap((word) => (word[8] === '-' && /^[0-9a-f-]+$/.test(word) ? [word] : word.split(/['-]/)))
    .filter(Boolean);
  // Signs alone are searched as they are: they find less than everything.
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
