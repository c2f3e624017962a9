import { costsNothing, currency, dayAndTimeWords, moneyWords, type Language } from '#kernel';
import { listHref, pageHref, PlainForm, recordHref, type FormView, type RefusedForm } from '#panel-kit';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { formWords, setUpWords } from '../events/events.words.js';
import { seriesWords } from '../series/series.words.js';
import { unbookableNote } from '../forms/unbookable.js';
import { welcomePath } from './welcome.path.js';
import type { WelcomeFacts } from './welcome.reader.js';
import { welcomeWords } from './welcome.words.js';

interface EventProps {
  readonly facts: WelcomeFacts;
  readonly language: Language;
  /** The form for a new event. */
  readonly form: FormView | undefined;
  readonly refused: RefusedForm | undefined;
}

/** The third step: the one form for a new event; afterwards the event, and what is still missing. */
export function EventStep({ facts, language, form, refused }: EventProps): VNode | undefined {
  const { event, reason } = facts;
  if (!event || refused) return form && <PlainForm id="first" view={form} action={`${welcomePath}/event`} refused={refused} />;
  const words = welcomeWords[language].event;
  const note = reason && unbookableNote(event.id, reason, language);
  const prices = event.prices.map(
    ({ name, amount }) => `${name} ${costsNothing(amount) ? words.free : moneyWords(amount, currency, language)}`,
  );
  return (
    <>
      <h3>{event.name}</h3>
      <p>
        {dayAndTimeWords(event.startsAt, language, currentTenant().timeZone)} · {event.published ? words.published : words.unpublished}
      </p>
      {event.seriesId !== null && (
        <p>
          <a href={listHref('events', { seriesId: event.seriesId })}>{seriesWords[language].allDates(event.dates)}</a>
        </p>
      )}
      {prices.length > 0 && <p>{prices.join(' · ')}</p>}
      {event.returnDays !== null && prices.length > 0 && <p class="gt-help">{welcomeWords[language].cancelDays(event.returnDays)}</p>}
      {note && (
        <p class="gt-note">
          <a href={note.href}>{note.text}</a>
        </p>
      )}
      <p class="gt-header-actions">
        {event.published && <a href={`/event/${event.slug}`}>{formWords[language].viewPage}</a>}
        <a href={recordHref('events', event.id, 'edit')}>{setUpWords[language].more}</a>
        <a href={pageHref('events', 'setUp')}>{words.another}</a>
      </p>
    </>
  );
}
