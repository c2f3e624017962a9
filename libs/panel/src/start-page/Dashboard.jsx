import React from 'react';
import { ApiClient, useTranslation } from 'adminjs';
import { Icon, Loader } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { Freshness } from '#panel-kit/components/list/Freshness.jsx';
import { LastScans } from './LastScans.jsx';
import { MailTrouble } from './MailTrouble.jsx';
import { usePolling } from '#panel-kit/components/shared/polling.js';
import { RefundsDue } from './RefundsDue.jsx';
import { ServerFigures } from './ServerFigures.jsx';
import { ComingEvents } from './ComingEvents.jsx';
import { TonightEvents } from './TonightEvents.jsx';
import { WalletTrouble } from './WalletTrouble.jsx';
import { WebhookTrouble } from './WebhookTrouble.jsx';

const EVERY = 15_000;
const api = new ApiClient();

/** The start page: today's events and scans. Shows a warning when its data is old. */
export default function Dashboard() {
  const { tb, tc, tm } = useTranslation();
  const { value: view, failed, at, reload } = usePolling(async () => (await api.getDashboard()).data, EVERY);
  if (!view) {
    return failed ? (
      <div className="gt-page gt-nothing">
        <p>{tm('failed')}</p>
        <button type="button" className="gt-button" onClick={() => void reload()}>
          {tb('retry')}
        </button>
      </div>
    ) : (
      <Loader />
    );
  }
  const server = view.kind === 'server';
  return (
    <div className="gt-page">
      <header className="gt-header-line">
        <h1>{tc(server ? 'Tonight.rootTitle' : 'Tonight.title')}</h1>
        <div className="gt-header-actions gt-header-even">
          <Freshness at={at} failed={failed} reload={reload} />
          {view.publicHref ? (
            <a href={view.publicHref} target="_blank" rel="noopener" className="gt-button gt-button-quiet">
              <Icon icon="ExternalLink" size={16} /> {tc('Tonight.publicPage')}
            </a>
          ) : null}
          {view.sellHref ? (
            <Link to={view.sellHref} className="gt-button">
              <Icon icon="ShoppingCart" size={16} /> {tc('Tonight.sell')}
            </Link>
          ) : null}
        </div>
      </header>
      {server ? (
        <ServerFigures view={view} />
      ) : (
        <>
          {view.welcome ? (
            <p className="gt-note gt-welcome">
              <a href={view.welcome.href}>{tc('Tonight.welcome', view.welcome)}</a>
            </p>
          ) : null}
          {view.mail ? <MailTrouble mail={view.mail} /> : null}
          {view.refunds ? <RefundsDue refunds={view.refunds} /> : null}
          {view.wallet ? <WalletTrouble wallet={view.wallet} /> : null}
          <WebhookTrouble webhooks={view.webhooks} />
          <div className="gt-tonight">
            <TonightEvents view={view} />
            {view.scans ? <LastScans view={view} /> : null}
            {view.upcoming ? <ComingEvents events={view.upcoming} /> : null}
          </div>
          {view.welcome || !view.stepsHref ? null : (
            <p className="gt-small">
              <a href={view.stepsHref}>{tc('Tonight.firstSteps')}</a>
            </p>
          )}
        </>
      )}
    </div>
  );
}
