import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { instantOrNull } from '../core/network/instants.js';
import type { Conflict, ListedEntry } from '../core/types.js';
import { language, t } from '../texts/texts.js';
import { momentWords } from '../texts/times.js';

function whenWords(at: string | null, zone: string | null): string | null {
  const moment = instantOrNull(at);
  return moment === null ? null : momentWords(moment, Date.now(), language.value.locale, zone);
}

function passage({ at, gate, device_name: device }: ListedEntry, zone: string | null): string {
  return [whenWords(at, zone), gate, device].filter(Boolean).join(' · ');
}

/** What happened, in pairs of a term and its description. */
function factsOf(conflict: Conflict, zone: string | null): ReadonlyArray<readonly [term: string, description: string]> {
  if (!('entry' in conflict))
    return [
      [t('conflicts.first'), passage(conflict.first, zone)],
      [t('conflicts.later'), passage(conflict.later, zone)],
    ];
  const { event, entry } = conflict;
  return [
    [t('conflicts.entry'), passage(entry, zone)],
    [t('conflicts.ticketFor'), [event.name, whenWords(event.start, zone)].filter(Boolean).join(' · ')],
  ];
}

/** Tickets that came in twice, and tickets for other events that came in. Staff decide in the panel. */
export function ConflictList({ model }: { readonly model: DoorModel }): JSX.Element {
  const { conflicts, timeZone } = model.state.value;
  if (conflicts.length === 0) return <p>{t('conflicts.none')}</p>;
  return (
    <>
      <p>{t('conflicts.lead')}</p>
      <ul class="list cards">
        {conflicts.map((conflict) => (
          <li key={conflict.id} data-conflict={conflict.id} data-kind={'entry' in conflict ? 'wrong_event' : 'double_entry'}>
            {conflict.reference !== null && <strong>{t('conflicts.reference', { reference: conflict.reference })}</strong>}
            <dl>
              {factsOf(conflict, timeZone).flatMap(([term, description]) => [
                <dt key={`${term} term`}>{term}</dt>,
                <dd key={term}>{description}</dd>,
              ])}
            </dl>
            {conflict.decision !== null && <p>{t('conflicts.decided')}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
