import { alterationWords, doorsText, stillValidWords, type Altered, type Doors } from '#catalogue';
import {
  dateOf,
  momentWords,
  isOneEvening,
  isWholeDays,
  isoInZone,
  withoutEmptyEnd,
  partsInZone,
  firstTimeWords,
  timeWords,
  whenParts,
  type Language,
  type Moment,
  type Times,
} from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import { pageWords } from '../frame/pages.words.js';

/** `November 2026`, `novembre 2026`. */
export function monthWords(instant: Date, language: Language, timeZone: string): string {
  return momentWords(instant, language, timeZone, { month: 'long', year: 'numeric' });
}

/** Day and month in short form: `Fri`, `20`, `Nov`. */
export function leafWords(instant: Date, language: Language, timeZone: string): [string, string, string] {
  const word = (options: Intl.DateTimeFormatOptions): string => momentWords(instant, language, timeZone, options);
  return [word({ weekday: 'short' }), String(Number(partsInZone(instant, timeZone).day)), word({ month: 'short' })];
}

interface WhenProps {
  readonly event: Times & Altered & Doors;
  readonly language: Language;
  readonly timeZone: string;
}

/**
 * Date and times on two lines, when the doors open, and what differs from the first announcement.
 * `tellsHolders`: people read it who have tickets for what was announced first.
 */
export function When({ event, language, timeZone, tellsHolders = false }: WhenProps & { readonly tellsHolders?: boolean }): VNode {
  const [first, , second] = whenParts(event, language, timeZone);
  const [dates, times] = [first, second].map((phrase) => phrase.map((part) => momentIn(part, timeZone)));
  const when = (
    <>
      <strong>{dates}</strong>
      {second.length > 0 && <br />}
      {second.length > 0 && (isOneEvening(event, timeZone) ? times : <strong>{times}</strong>)}
      <DoorsNote event={event} language={language} timeZone={timeZone} />
    </>
  );
  const altered = alterationWords(event, language, timeZone);
  if (event.alteration === 'postponed')
    return (
      <>
        <strong>{altered}</strong>
        <br />
        <del>{when}</del>
      </>
    );
  return (
    <>
      {when}
      {altered && <br />}
      {altered && (tellsHolders ? <strong class="altered">{`${altered} ${stillValidWords(event, language)}`}</strong> : altered)}
    </>
  );
}

/** An event for who learns only now when it takes place: what was announced before says nothing to that person. */
export function newlyTold<Event extends Altered>(event: Event): Event {
  if (event.alteration === 'rescheduled') return { ...event, alteration: null };
  return event.alteration === 'moved_online' ? { ...event, previousStartsAt: null } : event;
}

/** When the doors open, behind the times; nothing when it is not known. */
export function DoorsNote({ event, language, timeZone }: Omit<WhenProps, 'event'> & { readonly event: Doors }): VNode | null {
  const { doorsAt } = event;
  return doorsAt ? (
    <>
      , <time datetime={isoInZone(doorsAt, timeZone)}>{doorsText(event, language, timeZone)}</time>
    </>
  ) : null;
}

function momentIn(part: string | Moment, timeZone: string): ComponentChildren {
  if (typeof part === 'string') return part;
  const { instant, isDay, words } = part;
  return <time datetime={isDay ? dateOf(instant, timeZone) : isoInZone(instant, timeZone)}>{words}</time>;
}

interface HoursProps {
  readonly event: Times;
  readonly now: Date;
  readonly language: Language;
  readonly timeZone: string;
}

/**
 * Only the times, for places where the day is shown separately: `20:30 – 23:00`; for an event of several days that already runs, its end.
 */
export function Hours({ event, now, language, timeZone }: HoursProps): VNode | null {
  const { startsAt, endsAt } = withoutEmptyEnd(event);
  const at = (instant: Date, words: string): VNode => <time datetime={isoInZone(instant, timeZone)}>{words}</time>;
  const shortDay = (instant: Date): string =>
    momentWords(instant, language, timeZone, { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '');
  if (endsAt && isWholeDays(event, timeZone)) {
    const [first, last] = [dateOf(startsAt, timeZone), dateOf(endsAt, timeZone)];
    return first === last ? null : (
      <>
        → <time datetime={last}>{shortDay(endsAt)}</time>
      </>
    );
  }
  const start = at(startsAt, timeWords(startsAt, language, timeZone));
  if (!endsAt) return start;
  const hour = timeWords(endsAt, language, timeZone);
  if (isOneEvening(event, timeZone))
    return (
      <>
        {at(startsAt, firstTimeWords(startsAt, language, timeZone))} – {at(endsAt, hour)}
      </>
    );
  if (startsAt <= now) return at(endsAt, pageWords[language].until(shortDay(endsAt), hour));
  return (
    <>
      {start} → {at(endsAt, `${shortDay(endsAt)}, ${hour}`)}
    </>
  );
}
