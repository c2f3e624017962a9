import { pageFrame, personalReply, sitesOf, whenHtml } from '#page-kit';
import type { Waits } from '#waiting';
import type { Reply } from '#http';
import { currentLanguage, escapeHtml, type Language } from '#kernel';
import type { SharedEventPage } from '#pages';
import { currentTenant } from '#tenancy';
import { orderWords } from '../order/order.words.js';
import { queueWords } from './queue.words.js';

/** The page with the position of a buyer who waits. Without scripts the browser loads it again, with scripts only its text changes. */
export function queuePage({ found }: SharedEventPage, waits: Waits): Reply<string> {
  const tenant = currentTenant();
  const language = currentLanguage();
  const words = queueWords[language];
  const { event, venue } = found;
  const main = `<p class="back"><a href="/event/${escapeHtml(event.slug)}">← ${escapeHtml(orderWords[language].backToEvent)}</a></p>
<article class="holder order-page">
<header>
<p class="kind">${escapeHtml(orderWords[language].kind)}</p>
<h1 dir="auto"${event.name.length > 90 ? ' class="long"' : ''}>${escapeHtml(event.name)}</h1>
<p>${whenHtml(event, language, tenant.timeZone)}</p>
</header>
<section class="step"><h2>${escapeHtml(words.title)}</h2>
<p>${escapeHtml(words.text)}</p>
<div role="status" data-look-again="${waits.askAgainAfter}"><p class="position">${escapeHtml(words.position(waits.position))}</p>
<p>${escapeHtml(remaining(waits.seconds, language))}</p></div>
<p>${escapeHtml(words.keep)}</p></section>
</article>`;
  const head = `<noscript><meta http-equiv="refresh" content="${waits.askAgainAfter}"></noscript>\n`;
  const sites = sitesOf(venue);
  const title = `${words.title} · ${event.name} · ${tenant.name}`;
  const html = pageFrame({ tenant, language, title, main, venue, hasScript: true, sites, head });
  return personalReply(html, { sites, looksAgain: true });
}

/** `About 20 s.`: seconds in tens, from a minute and a half on in minutes. */
function remaining(seconds: number, language: Language): string {
  const words = queueWords[language];
  if (seconds <= 5) return words.soon;
  if (seconds < 90) return words.seconds(Math.ceil(seconds / 10) * 10);
  return words.minutes(Math.ceil(seconds / 60));
}
