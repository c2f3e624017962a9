/** The parameters of a statement in their order, with their types and what their values are made of. */
export type Parameters<Source> = Readonly<Record<string, readonly [type: string, value: (source: Source) => unknown]>>;

/**
 * Numbers the parameters of a statement.
 * @returns the SQL of each, a CTE `given` that says the types of those that a statement does not use, and what makes the values
 */
export function numbered<Source, Names extends string>(
  parameters: Readonly<Record<Names, Parameters<Source>[string]>>,
): { readonly sql: Readonly<Record<Names, string>>; readonly given: string; readonly values: (source: Source) => unknown[] } {
  const all = Object.entries(parameters) as [Names, Parameters<Source>[string]][];
  const sql = Object.fromEntries(all.map(([name, [type]], index) => [name, `$${index + 1}::${type}`])) as Record<Names, string>;
  return {
    sql,
    given: `given as (select ${Object.values(sql).join(', ')})`,
    values: (source) => all.map(([, [, value]]) => value(source)),
  };
}
