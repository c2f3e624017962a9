import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { Icon } from '../parts/icons.js';
import { UndoButton, wordsOf } from '../screens/result-card.js';
import { language, t } from '../texts/texts.js';
import { clockTime } from '../texts/times.js';

/** The last results of this phone: to look at, or to take back. */
export function RecentList({ model }: { readonly model: DoorModel }): JSX.Element {
  if (model.recent.value.length === 0) return <p>{t('recent.none')}</p>;
  return (
    <ul class="list">
      {model.recent.value.map((shown) => {
        const { word, name, product, reason } = wordsOf(model, shown);
        const { verdict, at, scanId } = shown.result;
        return (
          <li key={scanId} class={`recent ${verdict}`}>
            <button type="button" class="button plain event" data-action="open-result" onClick={() => model.open(shown)}>
              <strong>
                <Icon name={verdict} /> {word}
                {name && ` · ${name}`}
              </strong>
              <small>
                {[clockTime(at, language.value.locale, model.state.value.timeZone), reason, product].filter(Boolean).join(' · ')}
              </small>
            </button>
            <UndoButton model={model} shown={shown} />
          </li>
        );
      })}
    </ul>
  );
}
