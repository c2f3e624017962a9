import { currentLanguage, dayWords, escapeHtml, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { agendaSections } from '../event-lists/agenda-entries.js';
import { descriptionText, excerpt } from '../frame/description.js';
import { pageFrame } from '../frame/page-frame.js';
import { pageWords } from '../frame/pages.words.js';
import type { ListedEvent, Venue } from '../public-events/public-events.service.js';
import { dayAfter, turningHtml, wholeDays } from '../event-lists/whole-days.js';

export interface Agenda {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly venue: Venue;
  /** Ordered by start; one more than the limit when there are later ones. */
  readonly events: readonly ListedEvent[];
  readonly now: Date;
  /** The first shown day; undefined: from now on. */
  readonly from: { readonly date: string; readonly instant: Date } | undefined;
  readonly limit: number;
}

/** The page of the agenda: events by month, running ones first. */
export async function agendaPage({ tenant, settings, venue, events, now, from, limit }: Agenda): Promise<string> {
  const language = currentLanguage();
  const words = pageWords[language];
  const { timeZone } = tenant;
  const { shown, next, isTorn } = wholeDays(events, limit, timeZone);
  // Events of a day that do not fit on one page are not shown, because the links of pages contain days only.
  const nextPage = next && `/?from=${isTorn ? dayAfter(next) : next}`;
  const address = from ? `/?from=${from.date}` : '/';
  const heading = from ? words.agendaFrom(dayWords(from.instant, language, timeZone)) : words.agenda;
  const tagline = descriptionText(venue.shortDescription ?? '');
  // Opens the calendar program, which then reads the agenda again and again.
  const webcal = tenantUrl(settings, tenant, '/agenda.ics').replace(/^https?:/, 'webcal:');
  const sections = await agendaSections({ events: shown, now, language, timeZone });
  const main = [
    `<h1>${escapeHtml(heading)}</h1>`,
    ...(sections.length > 0
      ? sections
      : [`<div class="empty"><p>${escapeHtml(words.empty)}</p><p>${escapeHtml(words.emptyHint)}</p></div>`]),
    turningHtml(from && '/', nextPage, language),
    `<p class="subscribe"><a href="${escapeHtml(webcal)}">${escapeHtml(words.subscribeTo)}</a></p>`,
  ];
  return pageFrame({
    tenant,
    language,
    title: `${tenant.name} · ${heading}`,
    main: main.join('\n'),
    venue,
    home: { tagline },
    address,
    summary: {
      canonical: tenantUrl(settings, tenant, address),
      description: excerpt(tagline, 200),
    },
  });
}
