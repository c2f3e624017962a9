import { foldedColumnSql } from '#kernel';
import type { SearchWord } from '#kernel';
import type { ObjectLiteral } from 'typeorm';

/** The SQL that a search looks in. A record matches when every word is in one of these. */
export interface Searched {
  /** Texts of the record itself, without case and accents: names, addresses, references. */
  readonly own: readonly string[];
  /** UUID columns whose first characters are printed as references. */
  readonly ids: readonly string[];
  /** Conditions on related records; each gets the name of the parameter with the pattern. */
  readonly around?: readonly ((pattern: string) => string)[];
}

/** The condition for one word; `own` is its part about the record itself. */
export interface WordCondition {
  readonly any: string;
  readonly own: string;
  readonly parameters: ObjectLiteral;
}

/** The conditions for the words of a search. @param prefix prefix of the parameter names */
export function wordConditions({ own, ids, around = [] }: Searched, words: readonly SearchWord[], prefix = 'search'): WordCondition[] {
  return words.map(({ within, ids: range }, index) => {
    const name = `${prefix}Word${index}`;
    const itself = own.map((text) => `${text} like :${name}`);
    if (range) itself.push(...ids.map((id) => `${id} between :${name}First and :${name}Last`));
    const parameters = { [name]: within, ...(range && { [`${name}First`]: range[0], [`${name}Last`]: range[1] }) };
    const beside = around.map((condition) => condition(`:${name}`));
    return { any: `(${[...itself, ...beside].join(' or ')})`, own: `(${itself.join(' or ')})`, parameters };
  });
}

/**
 * A condition for records that belong to a row of another table whose name contains the word. The other table must be small: it is read
 * once per statement.
 */
export const namedBy =
  (column: string, table: string) =>
  (pattern: string): string =>
    `${column} in (select named.id from ${table} named where ${foldedColumnSql('named.name')} like ${pattern})`;

/** The filter property of a list that searches the same texts as the global search. */
export const searchProperty = {
  name: 'search',
  type: 'string',
  editable: false,
  sortable: false,
} as const;
