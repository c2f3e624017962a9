import React from 'react';
import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { dayAndTime } from './times.js';

/** The start page of the server's own panel. */
export function ServerFigures({ view }) {
  const { tc, tl } = useTranslation();
  return (
    <>
      <ul className="gt-figures">
        {view.figures.map(({ resource, count, href }) => (
          <li key={resource} className="gt-panel">
            <Link to={href}>
              <strong>{count}</strong> {tl(resource, resource)}
            </Link>
          </li>
        ))}
      </ul>
      <section aria-labelledby="newest">
        <h2 id="newest">{tc('Tonight.newest')}</h2>
        <ol className="gt-panel gt-scans">
          {view.newest.map(({ id, name, host, createdAt, href }) => (
            <li key={id}>
              <span className="gt-scan-who">
                <Link to={href}>{name}</Link>
              </span>
              <time className="gt-small" dateTime={createdAt}>
                {dayAndTime(createdAt)}
              </time>
              <span className="gt-small">{host}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
