import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { money } from '#panel-kit/components/shared/numbers.js';
import type { StartPageView } from '../../start-page/start-page.js';

/** A notice about refunds that staff must pay out. */
export function RefundsDue({ refunds: { count, amount, href } }: { readonly refunds: NonNullable<StartPageView['refunds']> }) {
  const { tc } = useTranslation();
  return (
    <ul className="gt-alerts">
      <li className="gt-stale">
        <Link to={href}>{tc('RefundsDue.due', { count, amount: money(amount) })}</Link>
      </li>
    </ul>
  );
}
