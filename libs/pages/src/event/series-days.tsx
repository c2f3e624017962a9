import { isoInZone, timeWords, type Language } from '#kernel';
import { leafWords, pageWords } from '#page-kit';
import { usualFewLeft } from '#places';
import type { VNode } from 'preact';
import type { SeriesDate } from '../public-events/series-dates.js';
import type { EventPageInput } from './event-json-ld.js';
import { seriesWords } from './series.words.js';

/** Number of dates that are shown; a fold has the others. */
const mostShown = 8;
/** Number of them before the date of the page, where it is a later one. */
const shownBefore = 2;

interface SeriesDaysProps {
  readonly input: EventPageInput;
  readonly language: Language;
}

/** The coming dates of the series of an event, each with a link to its page; nothing for an event without further dates. */
export function SeriesDays({ input, language }: SeriesDaysProps): VNode | null {
  const { event, series } = input;
  if (!hasSeriesDays(input) || !series) return null;
  const { dates } = series;
  const present = Math.max(
    0,
    dates.findIndex(({ id }) => id === event.id),
  );
  const start = present < mostShown ? 0 : Math.min(present - shownBefore, dates.length - mostShown);
  const shown = dates.slice(start, start + mostShown);
  const others = [...dates.slice(0, start), ...dates.slice(start + mostShown)];
  const words = seriesWords[language];
  return (
    <nav aria-label={words.dates}>
      <Days dates={shown} input={input} language={language} />
      {others.length > 0 && (
        <details class="fold">
          <summary class="line">{words.furtherDates(others.length)}</summary>
          <Days dates={others} input={input} language={language} />
        </details>
      )}
    </nav>
  );
}

/** Whether there is another date to choose. Tickets that an order has already are changed for their date. */
export function hasSeriesDays({ event, series, booking, isPreview }: EventPageInput): boolean {
  return !isPreview && booking?.form.order === undefined && series !== null && series.dates.some(({ id }) => id !== event.id);
}

function Days({ dates, ...rest }: SeriesDaysProps & { readonly dates: readonly SeriesDate[] }): VNode {
  const { series, tenant } = rest.input;
  const hours = new Set(series?.dates.map(({ startsAt }) => timeWords(new Date(startsAt), rest.language, tenant.timeZone)));
  return (
    <ul class="days">
      {dates.map((date) => (
        <Day date={date} hasTime={hours.size > 1} {...rest} />
      ))}
    </ul>
  );
}

/** @param hasTime the dates of the series begin at different times of day */
function Day({ date, hasTime, input, language }: SeriesDaysProps & { readonly date: SeriesDate; readonly hasTime: boolean }): VNode {
  const { event, tenant, venue } = input;
  const { timeZone } = tenant;
  const start = new Date(date.startsAt);
  const [weekday, day, month] = leafWords(start, language, timeZone);
  const gone = goneWords(date, language);
  const few = date.left !== null && date.left > 0 && date.left <= (venue.fewLeft ?? usualFewLeft);
  const state = gone ?? (few ? seriesWords[language].left(date.left) : undefined);
  return (
    <li>
      <a
        class={gone === undefined ? 'day' : 'day day-gone'}
        href={`/event/${date.slug}#tickets`}
        aria-current={date.id === event.id ? 'date' : undefined}
      >
        <time datetime={isoInZone(start, timeZone)}>
          <span>{weekday}</span> {gone === undefined ? <b>{day}</b> : <s>{day}</s>} <span>{month}</span>
          {hasTime && <span class="number"> {timeWords(start, language, timeZone)}</span>}
        </time>
        {state !== undefined && <span> {state}</span>}
      </a>
    </li>
  );
}

/** Why nobody can come to a date. */
function goneWords({ isCancelled, isPostponed, soldOut }: SeriesDate, language: Language): string | undefined {
  if (isCancelled) return pageWords[language].cancelledShort;
  if (isPostponed) return seriesWords[language].postponed;
  return soldOut ? pageWords[language].soldOut : undefined;
}
