import type { PreparedStatement } from '#tenancy';

/** A reason for which a sale is refused. */
export interface RefusalReason<Source> {
  /** SQL of maximum and held number, and of where they come from; no row: the reason does not apply. */
  readonly rows: string;
  /** Whether it can apply at all, as far as it is known before; default: yes. */
  readonly asked?: (source: Source) => boolean;
}

/** By the kind of the refusal; the first one that applies is what the refusal says. */
export type RefusalReasons<Source> = Readonly<Record<string, RefusalReason<Source>>>;

/** CTEs `failed`, with a row for each reason that applies, and `allowed`, with a row when there is none. */
const failedSql = (reasons: readonly (readonly [string, RefusalReason<never>])[]): string => `failed (position, kind, maximum, held) as (
    ${reasons.map(([kind, { rows }], index) => `select ${index}, '${kind}', ${rows}`).join('\n union all ')}),
  allowed as (select where not exists (select from failed))`;

/** The reasons that apply, the one to name first. */
export const failuresSql = 'select kind, maximum, held from failed order by position';

/**
 * A statement that asks only for the reasons that can apply to a sale: PostgreSQL prepares the plan of each reason at every execution, also
 * of one whose first condition is false. Those of holds alone take a quarter of the time of the statement that writes a sale.
 * @param textFor SQL with the CTEs `failed` and `allowed`
 */
export function statementByReasons<Source>(
  name: string,
  reasons: RefusalReasons<Source>,
  textFor: (failed: string) => string,
): (source: Source) => PreparedStatement {
  const all = Object.entries(reasons);
  const made = new Map<string, PreparedStatement>();
  return (source) => {
    const asked = all.filter(([, reason]) => reason.asked?.(source) ?? true);
    const key = asked.map((reason) => all.indexOf(reason)).join('.');
    const known = made.get(key);
    if (known) return known;
    const statement = { name: `${name}-${key}`, text: textFor(failedSql(asked)) };
    made.set(key, statement);
    return statement;
  };
}
