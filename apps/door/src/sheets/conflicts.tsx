import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import type { Passage } from '../core/types.js';
import { language, t } from '../texts/texts.js';
import { momentWords } from '../texts/times.js';

function passage({ at, gate, device }: Passage, zone: string | null): string {
  const when = at === null ? null : momentWords(at, Date.now(), language.value.locale, zone);
  return [when, gate, device].filter(Boolean).join(' · ');
}

/** Tickets that came in twice, with both entries. Staff decide in the panel. */
export function ConflictList({ model }: { readonly model: DoorModel }): JSX.Element {
  const { conflicts, timeZone } = model.state.value;
  if (conflicts.length === 0) return <p>{t('conflicts.none')}</p>;
  return (
    <>
      <p>{t('conflicts.lead')}</p>
      <ul class="list cards">
        {conflicts.map(({ id, reference, first, later, decision }) => (
          <li key={id} data-conflict={id}>
            {reference !== null && <strong>{t('conflicts.reference', { reference })}</strong>}
            <dl>
              <dt>{t('conflicts.first')}</dt>
              <dd>{passage(first, timeZone)}</dd>
              <dt>{t('conflicts.later')}</dt>
              <dd>{passage(later, timeZone)}</dd>
            </dl>
            {decision !== null && <p>{t('conflicts.decided')}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
