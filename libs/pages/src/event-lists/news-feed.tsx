import { alterationWords, alteredTitle, eventLines, eventTimeText } from '#catalogue';
import { currentLanguage, mapInSlices, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { htmlOf } from '#http';
import { type Venue, addressLine, descriptionText, pageWords } from '#page-kit';
import { eventLink } from './event-link.js';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { kindWords } from './kind-words.js';
import { xmlText } from './xml-text.js';

/** The future events as RSS 2.0, most recently published first. */
export async function newsFeed(events: readonly ListedEvent[], venue: Venue, tenant: TenantIdentity, settings: Settings): Promise<string> {
  const language = currentLanguage();
  const address = (path: string): string => xmlText(tenantUrl(settings, tenant, path));
  const description = descriptionText(venue.shortDescription ?? '') || pageWords[language].agenda;
  const item = (event: ListedEvent): string => {
    const { sender, name } = event;
    const timeZone = sender?.timeZone ?? tenant.timeZone;
    const when = [alterationWords(event, language, timeZone), eventTimeText(event, language, timeZone)].filter(Boolean).join(' ');
    const title = event.isCancelled ? pageWords[language].cancelledTitle(name) : alteredTitle(name, event, language, timeZone);
    const facts = [when, addressLine(event.postalAddress), sender?.name];
    const lines = [facts.filter(Boolean).join(' — '), ...eventLines(event, language), descriptionText(event.shortDescription ?? '')].filter(
      Boolean,
    );
    // Feed readers interpret the description as HTML: it is escaped for HTML and then for XML.
    const html = htmlOf(lines.map((line) => <p>{line}</p>));
    const source = sender ? `\n<source url="${xmlText(`${sender.home}/agenda.rss`)}">${xmlText(sender.name)}</source>` : '';
    return `<item>
<title>${xmlText(title)}</title>
<link>${xmlText(eventLink(event, tenant, settings))}</link>
<guid isPermaLink="false">urn:uuid:${event.id}</guid>
<pubDate>${event.createdAt.toUTCString()}</pubDate>
<category>${xmlText(kindWords(event.category, language))}</category>
<description>${xmlText(html)}</description>${source}
</item>`;
  };
  const newestFirst = events.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const items = await mapInSlices(newestFirst, item);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xmlText(tenant.name)}</title>
<link>${address('/')}</link>
<atom:link href="${address('/agenda.rss')}" rel="self" type="application/rss+xml"/>
<description>${xmlText(description)}</description>
<language>${language}</language>
<ttl>60</ttl>
${items.join('\n')}
</channel>
</rss>
`;
}
