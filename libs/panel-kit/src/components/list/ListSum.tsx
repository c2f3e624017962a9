import { useEffect, useState } from 'react';
import { useTranslation, type RecordJSON, type ResourceJSON } from 'adminjs';
import { useLocation } from 'react-router';
import { money } from '../shared/numbers.js';
import { useRootPath } from '../page/props.js';

/** The sum over all rows that match the filter, on all pages. */
export function ListSum({ resource, records }: { readonly resource: ResourceJSON; readonly records: readonly RecordJSON[] }) {
  const { tc } = useTranslation();
  const rootPath = useRootPath();
  const { search } = useLocation();
  const [sum, setSum] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(`${rootPath}/sums/${resource.id}${search}`, { signal: leaving.signal })
      .then(async (answer) => {
        const { sum: read = null } = answer.ok ? ((await answer.json()) as { sum?: string | null }) : {};
        setSum(read);
      })
      .catch(() => undefined);
    return () => leaving.abort();
  }, [resource.id, search, records]);
  return sum === null ? null : (
    <p className="gt-list-sum" aria-live="polite">
      {tc('Export.sum', { amount: money(sum) })}
    </p>
  );
}
