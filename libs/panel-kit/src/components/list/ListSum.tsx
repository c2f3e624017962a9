import { Fragment, useEffect, useState } from 'react';
import { useTranslation, type RecordJSON, type ResourceJSON } from 'adminjs';
import { useLocation } from 'react-router';
import { money } from '../shared/numbers.js';
import { useRootPath } from '../page/props.js';

interface Sum {
  /** Decimal text; null: the list has no sum. */
  readonly sum: string | null;
  readonly parts?: readonly { readonly label: string; readonly sum: string }[];
}

/** The sum over all rows that match the filter, on all pages. */
export function ListSum({ resource, records }: { readonly resource: ResourceJSON; readonly records: readonly RecordJSON[] }) {
  const { tc } = useTranslation();
  const rootPath = useRootPath();
  const { search } = useLocation();
  const [sum, setSum] = useState<Sum | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(`${rootPath}/sums/${resource.id}${search}`, { signal: leaving.signal })
      .then(async (answer) => setSum(answer.ok ? ((await answer.json()) as Sum) : null))
      .catch(() => undefined);
    return () => leaving.abort();
  }, [resource.id, search, records]);
  return !sum || sum.sum === null ? null : (
    <p className="gt-list-sum" aria-live="polite">
      {tc('Export.sum', { amount: money(sum.sum) })}
      {(sum.parts ?? []).map(({ label, sum: part }) => (
        <Fragment key={label}>
          {' '}
          <span className="gt-list-part">
            {label} {money(part)}
          </span>
        </Fragment>
      ))}
    </p>
  );
}
