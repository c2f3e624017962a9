import React, { useEffect, useRef } from 'react';
import { useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { money } from './numbers.js';
import { briefly } from './times.js';

/** What was just sold: what to collect, and the codes, large enough to be scanned from the screen. */
export function SoldTickets({ sold, another }) {
  const { tc } = useTranslation();
  const heading = useRef(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const count = sold.tickets.length;
  const words = sold.tickets.every(({ admits }) => admits) ? 'BoxOffice.sold' : 'BoxOffice.itemsSold';
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
          <p className="gt-small gt-breaks">
            {tc(sold.mailed ? 'BoxOffice.mailed' : 'BoxOffice.notMailed', { email: sold.email })}
          </p>
        </div>
        <p className="gt-collect" role="status">
          {sold.total ? tc('BoxOffice.collect', { amount: money(sold.total) }) : tc('BoxOffice.collectNothing')}
          <span className="gt-small">{sold.method}</span>
        </p>
        <div className="gt-header-actions gt-noprint">
          <button type="button" className="gt-button" onClick={another}>
            <Icon icon="Plus" size={16} /> {tc('BoxOffice.another')}
          </button>
          <button type="button" className="gt-button gt-button-quiet" onClick={() => window.print()}>
            <Icon icon="Printer" size={16} /> {tc('BoxOffice.print')}
          </button>
          <Link to={sold.href} className="gt-button gt-button-quiet">
            {tc('BoxOffice.reservation')}
          </Link>
        </div>
      </div>
      <ol className="gt-sold-tickets">
        {sold.tickets.map(({ id, name, price, picture, href }) => (
          <li key={id} className="gt-panel">
            <img className="gt-qr" src={picture} alt={tc('BoxOffice.qr', { name })} />
            <Link to={href}>{name}</Link>
            <span className="gt-small">{price}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
