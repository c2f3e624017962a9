import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { briefly } from '#panel-kit/components/shared/times.js';
import type { StartPageView } from '../../start-page/start-page.js';

const WORDS = { gone: 'webhookGone', givenUp: 'webhookGivenUp', failing: 'webhookFailing' };

/** A warning about webhook endpoints that receive nothing. */
export function WebhookTrouble({ webhooks }: Pick<StartPageView, 'webhooks'>) {
  const { tc } = useTranslation();
  if (webhooks.length === 0) return null;
  return (
    <ul className="gt-alerts">
      {webhooks.map(({ url, trouble, since, href }) => (
        <li key={href} className="gt-stale">
          Webhook <Link to={href}>{url}</Link> – {tc(`Tonight.${WORDS[trouble]}`, { time: briefly(since) })}
        </li>
      ))}
    </ul>
  );
}
