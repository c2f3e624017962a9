import React, { useEffect, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { dayAndTime } from '#panel-kit/components/shared/times.js';

const api = new ApiClient();

/** Who changed the record, and what, the newest first. */
export default function History({ record, resource, action }) {
  const { tl } = useTranslation();
  const notify = useNotice();
  const [view, setView] = useState(null);
  useEffect(() => {
    api
      .recordAction({ resourceId: resource.id, recordId: record.id, actionName: action.name })
      .then(({ data }) => setView(data.view))
      .catch(() => notify({ message: 'failed', type: 'error' }));
  }, [record.id]);
  if (!view) return <p className="gt-panel">{tl('loading')}</p>;
  return (
    <section className="gt-panel gt-history">
      <p className="gt-small">{view.lead}</p>
      {view.items.length === 0 ? <p>{view.nothing}</p> : null}
      <ol>
        {view.items.map(({ at, sentence }, index) => (
          <li key={index}>
            <time dateTime={at}>{dayAndTime(at)}</time>
            <span>{sentence}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
