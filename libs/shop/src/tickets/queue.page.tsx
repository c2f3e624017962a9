import { pageDocument, personalReply, sitesOf } from '#page-kit';
import type { Waits } from '#waiting';
import type { Reply } from '#http';
import { currentLanguage, type Language } from '#kernel';
import type { SharedEventPage } from '#pages';
import { currentTenant } from '#tenancy';
import { EventArticle } from '../frame/order-summary.js';
import { Step } from '../frame/step.js';
import { queueWords } from './queue.words.js';

/** The page with the position of a buyer who waits. Without scripts the browser loads it again, with scripts only its text changes. */
export function queuePage({ found }: SharedEventPage, waits: Waits): Reply<string> {
  const tenant = currentTenant();
  const language = currentLanguage();
  const words = queueWords[language];
  const { event, venue } = found;
  const main = (
    <EventArticle event={event} timeZone={tenant.timeZone}>
      <Step title={words.title} lines={[words.text]}>
        <div role="status" data-look-again={waits.askAgainAfter}>
          <p class="display">{words.position(waits.position)}</p>
          <p>{remaining(waits.seconds, language)}</p>
        </div>
        <p>{words.keep}</p>
      </Step>
    </EventArticle>
  );
  const head = (
    <noscript>
      <meta http-equiv="refresh" content={String(waits.askAgainAfter)} />
    </noscript>
  );
  const sites = sitesOf(venue);
  const title = `${words.title} · ${event.name} · ${tenant.name}`;
  const html = pageDocument({ tenant, language, title, main, venue, hasScript: true, sheet: 'order', sites, head });
  return personalReply(html, { sites, looksAgain: true });
}

/** `About 20 s.`: seconds in tens, from a minute and a half on in minutes. */
function remaining(seconds: number, language: Language): string {
  const words = queueWords[language];
  if (seconds <= 5) return words.soon;
  if (seconds < 90) return words.seconds(Math.ceil(seconds / 10) * 10);
  return words.minutes(Math.ceil(seconds / 60));
}
