import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { MailFolder } from './MailTrouble.js';
import { dayAndTime } from '#panel-kit/components/shared/times.js';
import type { ServerView } from '../../start-page/start-page.js';

function Categories({ view }: { readonly view: ServerView }) {
  const { tc } = useTranslation();
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">{tc('Tonight.byCategory')}</h2>
      <ul className="gt-panel gt-scans">
        {view.categories.map(({ label, count, href }) => (
          <li key={label}>
            <Link to={href}>{label}</Link>
            <strong>{count}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The start page of the server's own panel. */
export function ServerFigures({ view }: { readonly view: ServerView }) {
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
      <Categories view={view} />
      <p className={view.migrations.behind > 0 ? 'gt-stale' : 'gt-small'}>
        {view.migrations.behind > 0
          ? tc('Tonight.behind', { count: view.migrations.behind })
          : tc('Tonight.migrated', { version: view.migrations.version })}
      </p>
      {view.mailFolder ? (
        <p className="gt-mail-kept">
          <MailFolder folder={view.mailFolder} />
        </p>
      ) : null}
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
