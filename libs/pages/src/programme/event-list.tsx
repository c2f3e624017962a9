import { capitalized, grouped, mapInSlices } from '#kernel';
import { htmlOf, SafeHtml } from '#http';
import { descriptionText, excerpt, monthWords, pageWords } from '#page-kit';
import type { VNode } from 'preact';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { DateLeaf, isOff, Meta, NameLink, Priced, type ProgrammeReading } from './event-facts.js';

/** Maximum number of characters of what stands below the name. */
const longestSubtitle = 140;

/** Events by month as a list; running events come first. */
export async function eventList(events: readonly ListedEvent[], reading: ProgrammeReading): Promise<VNode> {
  const { now, language, timeZone } = reading;
  const groups = grouped(events, ({ startsAt }) =>
    startsAt <= now ? pageWords[language].onNow : capitalized(monthWords(startsAt, language, timeZone)),
  );
  const members = [...groups.values()].flat();
  // Rendered here and not with the page, because that would render all of them without a pause.
  const entries = await mapInSlices(members, (event) => htmlOf(<ListEntry event={event} reading={reading} />));
  return (
    <section class="programme" aria-label={pageWords[language].programme}>
      {[...groups].map(([title, { length }]) => (
        <>
          <h2>{title}</h2>
          <ol>
            <SafeHtml html={entries.splice(0, length).join('\n')} />
          </ol>
        </>
      ))}
    </section>
  );
}

interface ListEntryProps {
  readonly event: ListedEvent;
  readonly reading: ProgrammeReading;
  readonly isOver?: boolean;
}

/** One event of a list. */
export function ListEntry({ event, reading, isOver = false }: ListEntryProps): VNode {
  const below = excerpt(event.subtitle ?? descriptionText(event.shortDescription ?? ''), longestSubtitle);
  return (
    <li class={isOff(event) ? 'entry entry-off' : 'entry'}>
      <DateLeaf event={event} reading={reading} />
      <div>
        <h3 dir="auto">
          <NameLink event={event} />
        </h3>
        {below && (
          <p class="entry-sub" dir="auto">
            {below}
          </p>
        )}
      </div>
      <Meta event={event} reading={reading} />
      <Priced event={event} reading={reading} isOver={isOver} />
    </li>
  );
}
