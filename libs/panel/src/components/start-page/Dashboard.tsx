import { ApiClient, useTranslation } from 'adminjs';
import { Icon, Loader } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { Freshness } from '#panel-kit/components/list/Freshness.js';
import { LastScans } from './LastScans.js';
import { MailTrouble } from './MailTrouble.js';
import { usePolling } from '#panel-kit/components/shared/polling.js';
import { OwnEvents } from './OwnEvents.js';
import { RefundsDue } from './RefundsDue.js';
import { ServerFigures } from './ServerFigures.js';
import { ComingEvents } from './ComingEvents.js';
import { TonightEvents } from './TonightEvents.js';
import { WalletTrouble } from './WalletTrouble.js';
import { WebhookTrouble } from './WebhookTrouble.js';
import type { ServerView, StartPageView } from '../../start-page/start-page.js';

const EVERY = 15_000;
const api = new ApiClient();

/** The start page: today's events and scans. Shows a warning when its data is old. */
export default function Dashboard() {
  const { tb, tc, tm } = useTranslation();
  const { value: view, failed, at, reload } = usePolling(async () => (await api.getDashboard<StartPageView | ServerView>()).data, EVERY);
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
  return (
    <div className="gt-page">
      <header className="gt-header-line">
        <h1>{tc(view.kind === 'server' ? 'Tonight.rootTitle' : view.own ? 'Own.title' : 'Tonight.title')}</h1>
        <div className="gt-header-actions gt-header-even">
          <Freshness at={at} failed={failed} reload={reload} />
          {view.kind === 'tonight' && view.publicHref ? (
            <a href={view.publicHref} target="_blank" rel="noopener" className="gt-button gt-button-quiet">
              <Icon icon="ExternalLink" size={16} /> {tc('Tonight.publicPage')}
            </a>
          ) : null}
          {view.kind === 'tonight' && view.sellHref ? (
            <Link to={view.sellHref} className="gt-button">
              <Icon icon="ShoppingCart" size={16} /> {tc('Tonight.sell')}
            </Link>
          ) : null}
        </div>
      </header>
      {view.kind === 'server' ? (
        <ServerFigures view={view} />
      ) : view.own ? (
        <OwnEvents events={view.own} now={view.now} />
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
            {view.scans ? <LastScans refused={view.refused} scans={view.scans} /> : null}
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
