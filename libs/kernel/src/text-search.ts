/** SQL of a text without case and accents, to compare with `folded`. PostgreSQL splits letters and accents itself; no extension is needed. */
export function foldedSql(text: string): string {
  return `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`;
}

/** The same for a column that is not null. Plain ASCII, which most texts are, skips the accents; the column is read several times. */
export function foldedColumnSql(column: string): string {
  return `case when octet_length(${column}) = char_length(${column}) then lower(${column}) else ${foldedSql(column)} end`;
}

/** The same for a text that is searched for. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

/** The text as a part of a LIKE pattern: none of its characters is a wildcard. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}
