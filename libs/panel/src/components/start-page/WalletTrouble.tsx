import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { briefly } from '#panel-kit/components/shared/times.js';
import type { StartPageView } from '../../start-page/start-page.js';

/** A warning that the certificate for passes ends soon or has ended. */
export function WalletTrouble({ wallet: { state, expiresAt, href } }: { readonly wallet: NonNullable<StartPageView['wallet']> }) {
  const { tc } = useTranslation();
  return (
    <ul className="gt-alerts">
      <li className="gt-stale">
        <Link to={href}>{tc(state === 'ended' ? 'Tonight.walletEnded' : 'Tonight.walletEnding', { day: briefly(expiresAt) })}</Link>
      </li>
    </ul>
  );
}
