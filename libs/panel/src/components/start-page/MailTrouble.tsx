import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import type { StartPageView } from '../../start-page/start-page.js';

/** A warning that mails are not delivered, in general or some of them. */
export function MailTrouble({ mail: { kept, waiting, refused, href } }: { readonly mail: NonNullable<StartPageView['mail']> }) {
  const { tc } = useTranslation();
  const counted = [
    refused > 0 ? tc('Tonight.mailRefused', { count: refused }) : null,
    waiting > 0 ? tc('Tonight.mailWaiting', { count: waiting }) : null,
  ].filter(Boolean);
  if (!kept && counted.length === 0) return null;
  return (
    <ul className="gt-alerts">
      {kept ? <li className="gt-mail-kept">{kept.folder ? <MailFolder folder={kept.folder} /> : tc('Tonight.mailKept')}</li> : null}
      {counted.length > 0 ? (
        <li className="gt-stale">
          <Link to={href}>{counted.join(' · ')}</Link>
        </li>
      ) : null}
    </ul>
  );
}

/** Names the folder that stores mails while there is no mail server. */
export function MailFolder({ folder }: { readonly folder: string }) {
  const { tc } = useTranslation();
  return (
    <>
      {tc('Tonight.mailFolder')} <code className="gt-code">{folder}</code>
    </>
  );
}
