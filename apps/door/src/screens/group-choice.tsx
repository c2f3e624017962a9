import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DoorModel } from '../app/model.js';
import type { ScanResult } from '../core/types.js';
import { Button } from '../parts/button.js';
import { t } from '../texts/texts.js';

interface GroupChoiceOptions {
  readonly model: DoorModel;
  readonly result: ScanResult;
  /** Tickets of the reservation that are still expected. */
  readonly left: number;
}

/** How many of the reservation come in now: all that are left, or fewer. */
export function GroupChoice({ model, result, left }: GroupChoiceOptions): JSX.Element {
  const [chosen, choose] = useState(left);
  const count = Math.min(chosen, left);
  return (
    <div class="group-answer">
      {left > 1 && (
        <div class="stepper" role="group" aria-label={t('result.groupMany')}>
          <button
            type="button"
            class="button plain"
            data-action="fewer"
            aria-label={t('actions.fewer')}
            disabled={count <= 1}
            onClick={(event) => {
              event.stopPropagation();
              choose(count - 1);
            }}
          >
            −
          </button>
          <output>{count}</output>
          <button
            type="button"
            class="button plain"
            data-action="more"
            aria-label={t('actions.more')}
            disabled={count >= left}
            onClick={(event) => {
              event.stopPropagation();
              choose(count + 1);
            }}
          >
            +
          </button>
        </div>
      )}
      <Button action="admit-group" look="main" disabled={model.working.value} onPress={() => model.admitGroup(result, count)}>
        {t('actions.admitMore', { count })}
      </Button>
    </div>
  );
}
