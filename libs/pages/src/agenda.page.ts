import { eventCategories } from '#catalogue';
import {
  currentLanguage,
  escapeHtml,
  grouped,
  isoInZone,
  type Language,
  type Settings,
  capitalized,
  dateOf,
  dayWords,
} from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { descriptionText, excerpt } from './description.js';
import { hoursHtml, leafWords, monthWords } from './event-times.js';
import { pageFrame } from './page-frame.js';
import { pageWords } from './pages.words.js';
import { stickerHtml } from './pictures.js';
import { elsewhere } from './event-link.js';
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
  // What is cancelled is not on now.
  const groups = groupsOf(
    shown.filter(({ isCancelled, startsAt }) => !isCancelled || startsAt > now),
    now,
    language,
    timeZone,
  ).map(
    ({ title, members }) => `<section>
<h2>${escapeHtml(title)}</h2>
<ul class="events">
${members.map((event) => entry(event, now, language, timeZone)).join('\n')}
</ul>
</section>`,
  );
  const main = [
    `<h1>${escapeHtml(heading)}</h1>`,
    ...(groups.length > 0
      ? groups
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

function groupsOf(
  events: readonly ListedEvent[],
  now: Date,
  language: Language,
  timeZone: string,
): { title: string; members: ListedEvent[] }[] {
  const groups = grouped(events, ({ startsAt }) =>
    startsAt <= now ? pageWords[language].onNow : capitalized(monthWords(startsAt, language, timeZone)),
  );
  return [...groups].map(([title, members]) => ({ title, members }));
}

function entry(event: ListedEvent, now: Date, language: Language, timeZone: string): string {
  const { name, slug, category, shortDescription, postalAddress, startsAt, pictureId, sameAs, isCancelled } = event;
  const host = elsewhere(event);
  const place = postalAddress ? postalAddress.name || postalAddress.addressLocality : '';
  const summary = excerpt(descriptionText(shortDescription ?? ''), 240);
  const [weekday, day, month] = leafWords(startsAt, language, timeZone).map(escapeHtml);
  const soon = isCancelled ? pageWords[language].cancelledShort : soonWords(startsAt, now, language, timeZone);
  const facts = [
    ...(soon ? [`<strong>${escapeHtml(soon)}</strong>`] : []),
    `<span class="hours">${hoursHtml(event, now, language, timeZone)}</span>`,
    ...(place ? [`<bdi>${escapeHtml(place)}</bdi>`] : []),
    ...(host ? [`<bdi>${escapeHtml(host)}</bdi> ↗`] : []),
  ];
  return `<li class="event${pictureId ? ' pictured' : ''}${isCancelled ? ' cancelled' : ''}">
<time class="leaf" datetime="${isoInZone(startsAt, timeZone).slice(0, 10)}"><span>${weekday}</span> <b>${day}</b> <span>${month}</span></time>
<div>
<p class="kind">${escapeHtml(eventCategories[category][language])}</p>
<h3 dir="auto"><a href="${escapeHtml(sameAs ?? `/event/${slug}`)}"${host ? ' rel="external"' : ''}>${escapeHtml(name)}</a></h3>
<p class="facts">${facts.join(' <span aria-hidden="true">·</span> ')}</p>
${summary ? `<p class="short" dir="auto">${escapeHtml(summary)}</p>` : ''}
</div>${pictureId ? `\n${stickerHtml(pictureId)}` : ''}
</li>`;
}

function soonWords(startsAt: Date, now: Date, language: Language, timeZone: string): string | undefined {
  const date = dateOf(startsAt, timeZone);
  if (date === dateOf(now, timeZone)) return pageWords[language].today;
  // Noon of the next day, which no change of the clocks moves to another one.
  const tomorrow = new Date(Date.parse(`${dateOf(now, timeZone)}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return date === tomorrow ? pageWords[language].tomorrow : undefined;
}

function turning(isLater: boolean, next: string | undefined, language: Language): string {
  const words = pageWords[language];
  const links = [
    ...(isLater ? [`<a href="/">← ${escapeHtml(words.backToNow)}</a>`] : []),
    ...(next ? [`<a href="/?from=${next}" rel="next">${escapeHtml(words.later)} →</a>`] : []),
  ];
  return links.length > 0 ? `<nav class="turning">${links.join('\n')}</nav>` : '';
}
