import { alterationLabel } from '#catalogue';
import { capitalized, dateOf, dayAndTimeWords, escapeHtml, grouped, isoInZone, mapInSlices, type Language } from '#kernel';
import { descriptionText, excerpt, hoursHtml, leafWords, monthWords, pageWords, priceRangeWords, stickerHtml } from '#page-kit';
import { elsewhere, ownPage } from './event-link.js';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { kindWords } from './kind-words.js';

export interface AgendaEntries {
  /** Ordered by start. */
  readonly events: readonly ListedEvent[];
  readonly now: Date;
  readonly language: Language;
  /** Time zone of month headings; times of an event are in the time zone of its place. */
  readonly timeZone: string;
  /**
   * Additional HTML for an event, already escaped; its links need the class `over-link` to be clickable above the link of the whole
   * entry.
   */
  readonly under?: (event: ListedEvent) => string;
}

/** Events by month as HTML; running events come first. */
export async function agendaSections(agenda: AgendaEntries): Promise<string[]> {
  const { events, now } = agenda;
  // Cancelled events are not listed as running.
  const shown = events.filter(({ isCancelled, startsAt }) => !isCancelled || startsAt > now);
  const groups = groupsOf(shown, now, agenda.language, agenda.timeZone);
  const entries = await mapInSlices(
    groups.flatMap(({ members }) => members),
    (event) => entry(event, agenda),
  );
  return groups.map(
    ({ title, members }) => `<section>
<h2>${escapeHtml(title)}</h2>
<ul class="events">
${entries.splice(0, members.length).join('\n')}
</ul>
</section>`,
  );
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

const dot = ' <span aria-hidden="true">·</span> ';

/** Names the place that sent an event to the network. */
function senderHtml({ home, name }: NonNullable<ListedEvent['sender']>, language: Language): string {
  const link = `<a href="${escapeHtml(home)}/" rel="external"><bdi>${escapeHtml(name)}</bdi></a>`;
  return `<p class="sender">${escapeHtml(pageWords[language].sentBy)} ${link}</p>\n`;
}

function entry(event: ListedEvent, agenda: AgendaEntries): string {
  const { name, subtitle, category, shortDescription, startsAt, pictureId, sameAs, isCancelled, sender } = event;
  const { now, language, under } = agenda;
  // Visitors need the local time of the place.
  const timeZone = sender?.timeZone ?? agenda.timeZone;
  const host = elsewhere(event);
  const place = placeWords(event);
  const summary = excerpt(descriptionText(shortDescription ?? ''), 240);
  const short = summary ? `<p class="short" dir="auto">${escapeHtml(summary)}</p>` : '';
  const date = isoInZone(startsAt, timeZone).slice(0, 10);
  const [weekday, day, month] = leafWords(startsAt, language, timeZone).map(escapeHtml);
  const isPostponed = event.alteration === 'postponed';
  const state = isCancelled ? pageWords[language].cancelledShort : alterationLabel(event, language);
  const soon = isCancelled || isPostponed ? undefined : soonWords(startsAt, now, language, timeZone);
  const facts = [
    ...[state, soon].filter(Boolean).map((words) => `<strong>${escapeHtml(words ?? '')}</strong>`),
    `<span class="hours">${hoursHtml(event, now, language, timeZone)}</span>`,
    ...(place ? [`<bdi>${escapeHtml(place)}</bdi>`] : []),
    ...(host ? [`<bdi>${escapeHtml(host)}</bdi> ↗`] : []),
    ...pricesHtml(event, language, timeZone),
  ];
  return `<li class="event${pictureId ? ' pictured' : ''}${isCancelled ? ' cancelled' : isPostponed ? ' postponed' : ''}">
<time class="leaf" datetime="${date}"><span>${weekday}</span> <b>${day}</b> <span>${month}</span></time>
<div>
<p class="kind">${escapeHtml(kindWords(category, language))}</p>
<h3 dir="auto"><a href="${escapeHtml(sameAs ?? ownPage(event))}"${host ? ' rel="external"' : ''}>${escapeHtml(name)}</a></h3>
${subtitle ? `<p class="subtitle" dir="auto">${escapeHtml(subtitle)}</p>\n` : ''}<p class="facts">${facts.join(dot)}</p>
${sender ? senderHtml(sender, language) : ''}${short}${under?.(event) ?? ''}
</div>${pictureId ? `\n${stickerHtml(pictureId, sender?.home)}` : ''}
</li>`;
}

/** The lowest price and when its sale opens, or that nothing is left; nothing for events of other places, cancelled and postponed ones. */
function pricesHtml({ prices, isCancelled, alteration }: ListedEvent, language: Language, timeZone: string): string[] {
  if (!prices || isCancelled || alteration === 'postponed') return [];
  const { soldOut, salesEnded, salesFrom } = pageWords[language];
  if (prices.ended) return [`<strong class="sold-out">${escapeHtml(salesEnded)}</strong>`];
  if (prices.soldOut) return [`<strong class="sold-out">${escapeHtml(soldOut)}</strong>`];
  const range = `<span class="from">${escapeHtml(priceRangeWords(prices, language))}</span>`;
  if (prices.opensAt === null) return [range];
  return [range, `<span class="opens">${escapeHtml(salesFrom(dayAndTimeWords(new Date(prices.opensAt), language, timeZone)))}</span>`];
}

/** The hall and, for events of another place, its town, which readers of this agenda may not know. */
function placeWords({ postalAddress, sender }: ListedEvent): string {
  if (!postalAddress) return '';
  const { name, addressLocality } = postalAddress;
  if (!sender || !name || !addressLocality || name.includes(addressLocality)) return name || addressLocality || '';
  return `${name}, ${addressLocality}`;
}

function soonWords(startsAt: Date, now: Date, language: Language, timeZone: string): string | undefined {
  const date = dateOf(startsAt, timeZone);
  if (date === dateOf(now, timeZone)) return pageWords[language].today;
  // Noon of the next day, because a clock change cannot move it to another day.
  const tomorrow = new Date(Date.parse(`${dateOf(now, timeZone)}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return date === tomorrow ? pageWords[language].tomorrow : undefined;
}
