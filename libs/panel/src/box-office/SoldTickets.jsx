import React, { useEffect, useRef, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { money } from '#panel-kit/components/shared/numbers.js';
import { briefly, fullMoment } from '#panel-kit/components/shared/times.js';

/** Sends the tickets to the buyer again. */
function SendButton({ sold, resourceId }) {
  const { tc } = useTranslation();
  const notify = useNotice();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const request = { resourceId, recordId: sold.id, actionName: 'resend', data: { confirmed: true } };
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

/** The text beside a printed code; on the screen it is shown once above all codes. */
function OnPaper({ sold, ticket }) {
  const { tc } = useTranslation();
  return (
    <div className="gt-on-paper">
      <strong>{sold.event}</strong>
      <b>{fullMoment(sold.startsAt)}</b>
      <span>{sold.place}</span>
      {ticket.name === sold.reference ? null : <b>{ticket.name}</b>}
      <span>{[ticket.price, ticket.amount].join(' · ')}</span>
      <span>{tc('BoxOffice.reference', { reference: sold.reference })}</span>
    </div>
  );
}

/** The result of a sale: the amount to collect, and the codes, large enough to scan from the screen. */
export function SoldTickets({ sold, another, resourceId }) {
  const { tc } = useTranslation();
  const heading = useRef(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const count = sold.tickets.length;
  const words = sold.tickets.every(({ admits }) => admits) ? 'BoxOffice.sold' : 'BoxOffice.itemsSold';
  const mail = sold.mailed ? 'BoxOffice.mailed' : 'BoxOffice.notMailed';
  return (
    <section className="gt-sold" aria-labelledby="sold">
      <div className="gt-panel gt-sold-head">
        <div>
          <h2 id="sold" ref={heading} tabIndex={-1}>
            <span className="gt-good">✓</span> {tc(words, { count })}
          </h2>
          <p className="gt-small">
            {sold.event} · {briefly(sold.startsAt)}
          </p>
          <p className="gt-small gt-breaks">{sold.email ? tc(mail, { email: sold.email }) : tc('BoxOffice.noAddress')}</p>
        </div>
        <p className="gt-collect" role="status">
          {sold.total ? tc('BoxOffice.collect', { amount: money(sold.total) }) : tc('BoxOffice.collectNothing')}
          <span className="gt-small">{sold.method}</span>
        </p>
        <div className="gt-header-actions">
          <button type="button" className="gt-button" onClick={another}>
            <Icon icon="Plus" size={16} /> {tc('BoxOffice.another')}
          </button>
          <a href={sold.printHref} target="_blank" rel="noopener" className={sold.email ? 'gt-button gt-button-quiet' : 'gt-button'}>
            <Icon icon="Printer" size={16} /> {tc('BoxOffice.print')}
          </a>
          {sold.email ? <SendButton sold={sold} resourceId={resourceId} /> : null}
          <Link to={sold.href} className="gt-button gt-button-quiet">
            {tc('BoxOffice.reservation')}
          </Link>
        </div>
      </div>
      <ol className="gt-sold-tickets">
        {sold.tickets.map((ticket) => {
          const { id, name, price, picture, href } = ticket;
          return (
            <li key={id} className="gt-panel">
              <img className="gt-qr" src={picture} alt={tc('BoxOffice.qr', { name })} />
              <Link to={href}>{name}</Link>
              <span className="gt-small">{price}</span>
              <OnPaper sold={sold} ticket={ticket} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
