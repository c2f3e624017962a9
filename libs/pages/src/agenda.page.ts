import { currentLanguage, dateOf, dayWords, escapeHtml, type Language, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { agendaSections } from './agenda-entries.js';
import { descriptionText, excerpt } from './description.js';
import { pageFrame } from './page-frame.js';
import { pageWords } from './pages.words.js';
import type { ListedEvent, Venue } from './public-events.service.js';

export interface Agenda {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly venue: Venue;
  /** In the order of their start; one more than the limit when there are later ones. */
  readonly events: readonly ListedEvent[];
  readonly now: Date;
  /** The first day that is shown; undefined: now. */
  readonly from: { readonly date: string; readonly instant: Date } | undefined;
  readonly limit: number;
}

/** What is on, by month, with what is running first. */
export function agendaPage({ tenant, settings, venue, events, now, from, limit }: Agenda): string {
  const language = currentLanguage();
  const words = pageWords[language];
  const { timeZone } = tenant;
  const { shown, next } = wholeDays(events, limit, timeZone);
  const heading = from ? words.agendaFrom(dayWords(from.instant, language, timeZone)) : words.agenda;
  const tagline = descriptionText(venue.shortDescription ?? '');
  const sections = agendaSections({ events: shown, now, language, timeZone });
  const main = [
    `<h1>${escapeHtml(heading)}</h1>`,
    ...(sections.length > 0
      ? sections
      : [`<div class="empty"><p>${escapeHtml(words.empty)}</p><p>${escapeHtml(words.emptyHint)}</p></div>`]),
    turning(from !== undefined, next, language),
  ];
  return pageFrame({
    tenant,
    language,
    title: `${tenant.name} · ${heading}`,
    main: main.join('\n'),
    venue,
    home: { tagline },
    summary: {
      canonical: tenantUrl(settings, tenant, from ? `/?from=${from.date}` : '/'),
      description: excerpt(tagline, 200),
    },
  });
}

/**
 * What fits on the page and the day on which the next page begins. A day is not torn apart, unless it alone is too long: then
 * the next page begins with the day after it.
 */
function wholeDays(
  events: readonly ListedEvent[],
  limit: number,
  timeZone: string,
): { shown: readonly ListedEvent[]; next?: string } {
  const extra = events[limit];
  if (!extra) return { shown: events };
  const date = dateOf(extra.startsAt, timeZone);
  const shown = events.filter(({ startsAt }) => dateOf(startsAt, timeZone) < date);
  if (shown.length > 0) return { shown, next: date };
  const dayAfter = new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return { shown: events.slice(0, limit), next: dayAfter };
}

function turning(isLater: boolean, next: string | undefined, language: Language): string {
  const words = pageWords[language];
  const links = [
    ...(isLater ? [`<a href="/">← ${escapeHtml(words.backToNow)}</a>`] : []),
    ...(next ? [`<a href="/?from=${next}" rel="next">${escapeHtml(words.later)} →</a>`] : []),
  ];
  return links.length > 0 ? `<nav class="turning">${links.join('\n')}</nav>` : '';
}
