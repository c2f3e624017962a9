import { alterationLabel } from '#catalogue';
import { costsNothing, dateOf, dayAndTimeWords, isoInZone, type Language } from '#kernel';
import { Hours, leafWords, pageWords, priceRangeWords, type Venue } from '#page-kit';
import { usualFewLeft } from '#places';
import type { ComponentChildren, VNode } from 'preact';
import { elsewhere, ownPage } from '../event-lists/event-link.js';
import { kindWords } from '../event-lists/kind-words.js';
import type { ListedEvent } from '../public-events/public-events.service.js';
import type { SeriesRest } from '../public-events/series-dates.js';
import { dayInYear } from './day-in-year.js';
import { programmeWords } from '../event-lists/programme.words.js';

/** What the parts of a programme need to know beside their event. */
export interface ProgrammeReading {
  readonly now: Date;
  readonly language: Language;
  /** Of headings and calendars; times of an event are in the time zone of its place. */
  readonly timeZone: string;
  readonly venue: Venue;
  /** Whether buyers can pay online. */
  readonly paysOnline: boolean;
}

interface PartProps {
  readonly event: ListedEvent;
  readonly reading: ProgrammeReading;
}

/** Visitors need the local time of the place. */
export function zoneOf({ sender }: ListedEvent, { timeZone }: ProgrammeReading): string {
  return sender?.timeZone ?? timeZone;
}

interface NameLinkProps extends Pick<PartProps, 'event'> {
  readonly className?: string | undefined;
  /** In place of the name. */
  readonly children?: ComponentChildren;
}

/** The name of an event with a link to its page. */
export function NameLink({ event, className, children }: NameLinkProps): VNode {
  return (
    <a href={event.sameAs ?? ownPage(event)} rel={elsewhere(event) ? 'external' : undefined} class={className}>
      {children ?? event.name}
    </a>
  );
}

/** The day of an event as on a programme: `28 Sat Nov`. */
export function DateLeaf({ event, reading }: PartProps): VNode {
  const zone = zoneOf(event, reading);
  const [weekday, day, month] = leafWords(event.startsAt, reading.language, zone);
  return (
    <time class="date caps" datetime={isoInZone(event.startsAt, zone).slice(0, 10)}>
      <b>{day}</b> <span>{weekday}</span> <span>{month}</span>
    </time>
  );
}

/** Time, place, kind and sender of an event on one quiet line. `isSoonSaid`: that it is today or tomorrow stands elsewhere. */
export function Meta({ event, reading, isSoonSaid = false }: PartProps & { readonly isSoonSaid?: boolean }): VNode {
  const { now, language } = reading;
  const host = elsewhere(event);
  const place = placeWords(event);
  const soon = isSoonSaid || isOff(event) ? undefined : soonWords(event.startsAt, reading, zoneOf(event, reading));
  const facts = [
    ...(soon ? [<strong>{soon}</strong>] : []),
    <Hours event={event} now={now} language={language} timeZone={zoneOf(event, reading)} />,
    ...(place ? [<bdi>{place}</bdi>] : []),
    kindWords(event.category, language),
    ...(event.series ? [restWords(event.series, reading)] : []),
    ...(host
      ? [
          <>
            <bdi>{host}</bdi> ↗
          </>,
        ]
      : []),
    ...(event.sender ? [<Sender sender={event.sender} language={language} />] : []),
  ];
  return (
    <p class="entry-meta hint">
      {facts.map((fact, index) => (
        <>
          {index > 0 && '\u00a0· '}
          {fact}
        </>
      ))}
    </p>
  );
}

/** `and 11 more dates until 20 December`. */
function restWords({ count, until }: SeriesRest, { now, language, timeZone }: ProgrammeReading): string {
  return programmeWords[language].seriesRest(count, dayInYear(new Date(until), { now, language, timeZone }));
}

interface SenderProps {
  readonly sender: NonNullable<ListedEvent['sender']>;
  readonly language: Language;
}

/** Names the place that sent an event to the network. */
function Sender({ sender: { home, name }, language }: SenderProps): VNode {
  return (
    <>
      {pageWords[language].sentBy}{' '}
      <a href={`${home}/`} rel="external">
        <bdi>{name}</bdi>
      </a>
    </>
  );
}

/** Whether nothing happens at the time of the event: it is cancelled or postponed. */
export function isOff({ isCancelled, alteration }: ListedEvent): boolean {
  return isCancelled || alteration === 'postponed';
}

/**
 * What an event costs and whether one can have tickets: the lowest price, and stamps. Nothing is known about the prices of events of other
 * places. `isOver`: it was.
 */
export function Priced({ event, reading, isOver = false }: PartProps & { readonly isOver?: boolean }): VNode | null {
  const { language } = reading;
  const words = programmeWords[language];
  const parts = isOver ? [<Stamp tone="quiet">{words.over}</Stamp>] : [...alteredOf(event, reading), ...pricesOf(event, reading)];
  return parts.length > 0 ? <p class="entry-price">{parts.flatMap((part, index) => (index > 0 ? [' ', part] : [part]))}</p> : null;
}

function Stamp({ tone, children }: { readonly tone?: 'warn' | 'bad' | 'quiet'; readonly children: string }): VNode {
  return <span class={tone ? `stamp stamp-${tone}` : 'stamp'}>{children}</span>;
}

function alteredOf(event: ListedEvent, { language, timeZone }: ProgrammeReading): VNode[] {
  if (event.isCancelled) return [<Stamp tone="bad">{pageWords[language].cancelledShort}</Stamp>];
  const label = alterationLabel(event, language, event.sender?.timeZone ?? timeZone);
  return label ? [<Stamp tone="warn">{label}</Stamp>] : [];
}

function pricesOf(event: ListedEvent, reading: ProgrammeReading): VNode[] {
  const { prices } = event;
  if (!prices || isOff(event)) return [];
  const { language, venue } = reading;
  const { soldOut, salesEnded, salesFrom } = pageWords[language];
  const words = programmeWords[language];
  if (prices.ended) return [<Stamp tone="quiet">{salesEnded}</Stamp>];
  if (prices.soldOut) {
    const waits = event.startsAt > reading.now && isPayable(event, reading);
    return [<Stamp tone="quiet">{soldOut}</Stamp>, ...(waits ? [<span class="small">{words.waitingList}</span>] : [])];
  }
  const parts = [<span>{priceRangeWords(prices, language)}</span>];
  if (prices.opensAt !== null)
    parts.push(<span class="small">{salesFrom(dayAndTimeWords(new Date(prices.opensAt), language, reading.timeZone))}</span>);
  if (prices.members !== null) parts.push(<Stamp>{prices.members === 'first' ? words.membersFirst : words.membersOnly}</Stamp>);
  if (prices.left !== null && prices.left > 0 && prices.left <= (venue.fewLeft ?? usualFewLeft))
    parts.push(<Stamp tone="warn">{words.left(prices.left)}</Stamp>);
  return parts;
}

/** Whether tickets of the tenant's own event can be had now on its page. */
export function canChooseTickets(event: ListedEvent, reading: ProgrammeReading): boolean {
  const { prices } = event;
  if (!prices || isOff(event) || prices.ended || prices.soldOut || prices.opensAt !== null) return false;
  return isPayable(event, reading);
}

/** Whether buyers can pay the event here: online, at the venue, or because it costs nothing. */
function isPayable({ prices, sender, sameAs, startsAt }: ListedEvent, { venue, paysOnline, now }: ProgrammeReading): boolean {
  if (!prices || sender || sameAs !== null) return false;
  if (paysOnline || (costsNothing(prices.lowest) && !prices.freeAmount)) return true;
  const hours = venue.payAtVenueHours ?? null;
  return hours !== null && startsAt.getTime() - hours * 3_600_000 > now.getTime();
}

/** The hall and, for events of another place, its town, which readers of this agenda may not know. */
function placeWords({ postalAddress, sender }: ListedEvent): string {
  if (!postalAddress) return '';
  const { name, addressLocality } = postalAddress;
  if (!sender || !name || !addressLocality || name.includes(addressLocality)) return name || addressLocality || '';
  return `${name}, ${addressLocality}`;
}

/** `Today`, `Tomorrow`; undefined on other days. */
export function soonWords(startsAt: Date, { now, language }: ProgrammeReading, timeZone: string): string | undefined {
  const date = dateOf(startsAt, timeZone);
  if (date === dateOf(now, timeZone)) return pageWords[language].today;
  // Noon of the next day, because a clock change cannot move it to another day.
  const tomorrow = new Date(Date.parse(`${dateOf(now, timeZone)}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return date === tomorrow ? pageWords[language].tomorrow : undefined;
}
