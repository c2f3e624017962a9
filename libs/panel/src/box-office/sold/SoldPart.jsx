import React, { useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { briefly, fullMoment } from '#panel-kit/components/shared/times.js';
import { Key } from '../sale/Key.jsx';

/** Sends the tickets to the buyer again. */
function SendButton({ part, resourceId }) {
  const { tc } = useTranslation();
  const notify = useNotice();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const request = { resourceId, recordId: part.id, actionName: 'resend', data: { confirmed: true } };
      const { data } = await new ApiClient().recordAction(request);
      if (data.notice) notify({ ...data.notice, resourceId });
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    setBusy(false);
  };
  return (
    <button type="button" className="gt-button gt-button-quiet" disabled={busy} onClick={() => void send()}>
      <Icon icon="Send" size={16} /> {tc('BoxOffice.send')}
    </button>
  );
}

function PrintLink({ href, label, isMain, printKey }) {
  return (
    <a href={href} target="_blank" rel="noopener" className={isMain ? 'gt-button gt-print' : 'gt-button gt-button-quiet gt-print'}>
      <Icon icon="Printer" size={16} /> {label} <Key of={printKey} />
    </a>
  );
}

/** The text beside a printed code; on the screen it is shown once above all codes. */
function OnPaper({ part, ticket }) {
  const { tc } = useTranslation();
  return (
    <div className="gt-on-paper">
      <strong>{part.event}</strong>
      <b>{fullMoment(part.startsAt)}</b>
      <span>{part.place}</span>
      {ticket.name === part.reference ? null : <b>{ticket.name}</b>}
      <span>{[ticket.price, ticket.amount].join(' · ')}</span>
      <span>{tc('BoxOffice.reference', { reference: part.reference })}</span>
    </div>
  );
}

/** What was sold for one event: the codes, large enough to scan from the screen. */
export function SoldPart({ part, email, resourceId, printKey }) {
  const { tc } = useTranslation();
  return (
    <section className="gt-sold-part" aria-label={part.event}>
      <div className="gt-sold-part-head">
        <p>
          <strong>{part.event}</strong> <span className="gt-small">{briefly(part.startsAt)}</span>
        </p>
        <div className="gt-header-actions">
          <PrintLink label={tc('BoxOffice.print')} href={part.printHref} isMain={!email} printKey={printKey} />
          {email ? <SendButton part={part} resourceId={resourceId} /> : null}
          <Link to={part.href} className="gt-button gt-button-quiet">
            {tc('BoxOffice.reservation')}
          </Link>
        </div>
      </div>
      <ol className="gt-sold-tickets">
        {part.tickets.map((ticket) => {
          const { id, name, price, picture, href } = ticket;
          return (
            <li key={id} className="gt-panel">
              {picture ? <img className="gt-qr" src={picture} alt={tc('BoxOffice.qr', { name })} /> : null}
              <Link to={href}>{name}</Link>
              <span className="gt-small">{price}</span>
              <OnPaper part={part} ticket={ticket} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** A membership that was sold, with the code of its card. */
export function SoldMembership({ membership, printKey }) {
  const { tc } = useTranslation();
  const { name, what, amount, validUntil, href, printHref, picture } = membership;
  return (
    <section className="gt-sold-part" aria-label={what}>
      <div className="gt-sold-part-head">
        <p>
          <strong>{what}</strong>{' '}
          <span className="gt-small">
            {[amount, validUntil && tc('BoxOffice.memberUntil', { time: briefly(validUntil) })].filter(Boolean).join(' · ')}
          </span>
        </p>
        <div className="gt-header-actions">
          <PrintLink label={tc('BoxOffice.printCard')} href={printHref} isMain={false} printKey={printKey} />
        </div>
      </div>
      <ol className="gt-sold-tickets">
        <li className="gt-panel">
          {picture ? <img className="gt-qr" src={picture} alt={tc('BoxOffice.qr', { name })} /> : null}
          <Link to={href}>{name}</Link>
          <span className="gt-small">{what}</span>
          <div className="gt-on-paper">
            <strong>{what}</strong>
            <b>{name}</b>
            {validUntil ? <span>{tc('BoxOffice.memberUntil', { time: briefly(validUntil) })}</span> : null}
          </div>
        </li>
      </ol>
    </section>
  );
}
