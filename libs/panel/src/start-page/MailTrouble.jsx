import React from 'react';
import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';

/** That mails reach nobody, in general or some of them: staff should learn of it without looking for it. */
export function MailTrouble({ mail: { kept, waiting, refused, href } }) {
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

/** Where mails are as long as there is no mail server. */
export function MailFolder({ folder }) {
  const { tc } = useTranslation();
  return (
    <>
      {tc('Tonight.mailFolder')} <code className="gt-code">{folder}</code>
    </>
  );
}
