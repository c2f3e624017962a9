import { foldedColumnSql } from '#kernel';
import type { SearchWord } from '#kernel';
import type { ObjectLiteral } from 'typeorm';

/** What a search looks in, as SQL. A record is found when every word is in one of these. */
export interface Searched {
  /** Folded texts of the record itself: names, addresses, references. */
  readonly own: readonly string[];
  /** UUID columns that printed references and codes begin with. */
  readonly ids: readonly string[];
  /** Conditions about what the record belongs to; they get the name of the parameter with the pattern. */
  readonly around?: readonly ((pattern: string) => string)[];
}

/** The condition of one word, and the part of it that is about the record itself. */
export interface WordCondition {
  readonly any: string;
  readonly own: string;
  readonly parameters: ObjectLiteral;
}

/** The conditions of the words of a search. @param prefix of the names of their parameters */
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

/** What belongs to a row of another table whose name has the word; those rows are few and read once a statement. */
export const namedBy =
  (column: string, table: string) =>
  (pattern: string): string =>
    `${column} in (select named.id from ${table} named where ${foldedColumnSql('named.name')} like ${pattern})`;

/** The property of a list's filter that looks where the search over everything looks. */
export const searchProperty = {
  name: 'search',
  type: 'string',
  editable: false,
  sortable: false,
} as const;
