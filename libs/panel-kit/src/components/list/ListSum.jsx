import React, { useEffect, useState } from 'react';
import { useTranslation } from 'adminjs';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router';
import { money } from '../shared/numbers.js';

/** The sum over all rows that match the filter, on all pages. */
export function ListSum({ resource, records }) {
  const { tc } = useTranslation();
  const rootPath = useSelector((state) => state.paths.rootPath);
  const { search } = useLocation();
  const [sum, setSum] = useState(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(`${rootPath}/sums/${resource.id}${search}`, { signal: leaving.signal })
      .then((answer) => (answer.ok ? answer.json() : null))
      .then((answer) => setSum(answer))
      .catch(() => undefined);
    return () => leaving.abort();
  }, [resource.id, search, records]);
  return sum === null ? null : (
    <p className="gt-list-sum" aria-live="polite">
      {tc('Export.sum', { amount: money(sum.sum) })}
      {(sum.parts ?? []).map(({ label, sum: part }) => (
        <span key={label} className="gt-list-part">
          {label} {money(part)}
        </span>
      ))}
    </p>
  );
}
