import { alterationWords, alteredTitle } from '#catalogue';
import { currentLanguage, escapeHtml, mapInSlices, type Settings, whenText } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { type Venue, addressLine, descriptionText, pageWords, withoutControls } from '#page-kit';
import { eventLink } from './event-link.js';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { kindWords } from './kind-words.js';

/** The future events as RSS 2.0, most recently published first. */
export async function newsFeed(events: readonly ListedEvent[], venue: Venue, tenant: TenantIdentity, settings: Settings): Promise<string> {
  const language = currentLanguage();
  const text = (value: string): string => escapeHtml(withoutControls(value));
  const address = (path: string): string => text(tenantUrl(settings, tenant, path));
  const description = descriptionText(venue.shortDescription ?? '') || pageWords[language].agenda;
  const item = (event: ListedEvent): string => {
    const { sender } = event;
    const timeZone = sender?.timeZone ?? tenant.timeZone;
    const when = [alterationWords(event, language, timeZone), whenText(event, language, timeZone)].filter(Boolean).join(' ');
    const facts = [when, addressLine(event.postalAddress), sender?.name];
    const lines = [facts.filter(Boolean).join(' — '), event.subtitle ?? '', descriptionText(event.shortDescription ?? '')].filter(Boolean);
    // Feed readers interpret the description as HTML: it is escaped for HTML and then for XML.
    const html = lines.map((line) => `<p>${text(line)}</p>`).join('');
    const source = sender ? `\n<source url="${text(`${sender.home}/agenda.rss`)}">${text(sender.name)}</source>` : '';
    return `<item>
<title>${text(event.isCancelled ? pageWords[language].cancelledTitle(event.name) : alteredTitle(event.name, event, language))}</title>
<link>${text(eventLink(event, tenant, settings))}</link>
<guid isPermaLink="false">urn:uuid:${event.id}</guid>
<pubDate>${event.createdAt.toUTCString()}</pubDate>
<category>${text(kindWords(event.category, language))}</category>
<description>${escapeHtml(html)}</description>${source}
</item>`;
  };
  const newestFirst = events.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const items = await mapInSlices(newestFirst, item);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${text(tenant.name)}</title>
<link>${address('/')}</link>
<atom:link href="${address('/agenda.rss')}" rel="self" type="application/rss+xml"/>
<description>${text(description)}</description>
<language>${language}</language>
<ttl>60</ttl>
${items.join('\n')}
</channel>
</rss>
`;
}
