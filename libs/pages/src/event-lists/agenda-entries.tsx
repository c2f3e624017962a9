import { alterationLabel } from '#catalogue';
import { capitalized, dateOf, dayAndTimeWords, grouped, isoInZone, mapInSlices, type Language } from '#kernel';
import { htmlOf, SafeHtml } from '#http';
import { descriptionText, excerpt, Hours, leafWords, monthWords, pageWords, priceRangeWords, Sticker } from '#page-kit';
import type { VNode } from 'preact';
import { Facts } from './agenda-parts.js';
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
  /** More about an event; links in it need a place in the style sheet to be clickable above the link of the whole entry. */
  readonly under?: (event: ListedEvent) => VNode | null;
}

/** Events by month; running events come first. */
export async function agendaSections(agenda: AgendaEntries): Promise<VNode[]> {
  const { events, now } = agenda;
  // Cancelled events are not listed as running.
  const shown = events.filter(({ isCancelled, startsAt }) => !isCancelled || startsAt > now);
  const groups = groupsOf(shown, now, agenda.language, agenda.timeZone);
  // Rendered here and not with the page, because that would render all of them without a pause.
  const entries = await mapInSlices(
    groups.flatMap(({ members }) => members),
    (event) => htmlOf(<Entry event={event} agenda={agenda} />),
  );
  return groups.map(({ title, members }) => (
    <section>
      <h2>{title}</h2>
      <ul class="events">
        <SafeHtml html={entries.splice(0, members.length).join('\n')} />
      </ul>
    </section>
  ));
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

interface SenderProps {
  readonly sender: NonNullable<ListedEvent['sender']>;
  readonly language: Language;
}

/** Names the place that sent an event to the network. */
function Sender({ sender: { home, name }, language }: SenderProps): VNode {
  return (
    <p class="sender">
      {pageWords[language].sentBy}{' '}
      <a href={`${home}/`} rel="external">
        <bdi>{name}</bdi>
      </a>
    </p>
  );
}

function Entry({ event, agenda }: { readonly event: ListedEvent; readonly agenda: AgendaEntries }): VNode {
  const { name, subtitle, category, shortDescription, startsAt, pictureId, sameAs, isCancelled, sender } = event;
  const { now, language, under } = agenda;
  // Visitors need the local time of the place.
  const timeZone = sender?.timeZone ?? agenda.timeZone;
  const host = elsewhere(event);
  const place = placeWords(event);
  const summary = excerpt(descriptionText(shortDescription ?? ''), 240);
  const [weekday, day, month] = leafWords(startsAt, language, timeZone);
  const isPostponed = event.alteration === 'postponed';
  const state = isCancelled ? pageWords[language].cancelledShort : alterationLabel(event, language);
  const soon = isCancelled || isPostponed ? undefined : soonWords(startsAt, now, language, timeZone);
  const facts = [
    ...[state, soon].filter(Boolean).map((words) => <strong>{words}</strong>),
    <span class="hours">
      <Hours event={event} now={now} language={language} timeZone={timeZone} />
    </span>,
    ...(place ? [<bdi>{place}</bdi>] : []),
    ...(host
      ? [
          <>
            <bdi>{host}</bdi> ↗
          </>,
        ]
      : []),
    ...pricesOf(event, language, timeZone),
  ];
  return (
    <li class={`event${pictureId ? ' pictured' : ''}${isCancelled ? ' cancelled' : isPostponed ? ' postponed' : ''}`}>
      <time class="leaf" datetime={isoInZone(startsAt, timeZone).slice(0, 10)}>
        <span>{weekday}</span> <b>{day}</b> <span>{month}</span>
      </time>
      <div>
        <p class="kind">{kindWords(category, language)}</p>
        <h3 dir="auto">
          <a href={sameAs ?? ownPage(event)} rel={host ? 'external' : undefined}>
            {name}
          </a>
        </h3>
        {subtitle && (
          <p class="subtitle" dir="auto">
            {subtitle}
          </p>
        )}
        <Facts facts={facts} />
        {sender && <Sender sender={sender} language={language} />}
        {summary && (
          <p class="short" dir="auto">
            {summary}
          </p>
        )}
        {under?.(event)}
      </div>
      {pictureId && <Sticker imageId={pictureId} home={sender?.home} />}
    </li>
  );
}

/** The lowest price and when its sale opens, or that nothing is left; nothing for events of other places, cancelled and postponed ones. */
function pricesOf({ prices, isCancelled, alteration }: ListedEvent, language: Language, timeZone: string): VNode[] {
  if (!prices || isCancelled || alteration === 'postponed') return [];
  const { soldOut, salesEnded, salesFrom } = pageWords[language];
  if (prices.ended) return [<strong class="sold-out">{salesEnded}</strong>];
  if (prices.soldOut) return [<strong class="sold-out">{soldOut}</strong>];
  const range = <span class="from">{priceRangeWords(prices, language)}</span>;
  if (prices.opensAt === null) return [range];
  return [range, <span class="opens">{salesFrom(dayAndTimeWords(new Date(prices.opensAt), language, timeZone))}</span>];
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
