import React from 'react';
import { dayAndTime } from '#panel-kit/components/shared/times.js';

/** Who changed the record, and what, the newest first. */
export default function History({ view }) {
  const { lead, nothing, items } = view;
  return (
    <div className="gt-history">
      <p className="gt-small">{lead}</p>
      {items.length === 0 ? <p>{nothing}</p> : null}
      <ol>
        {items.map(({ at, sentence }, index) => (
          <li key={index}>
            <time dateTime={at}>{dayAndTime(at)}</time>
            <span>{sentence}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
