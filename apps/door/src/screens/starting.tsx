import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { Button } from '../parts/button.js';
import { FailureNote } from '../parts/failure.js';
import { t } from '../texts/texts.js';

/** Before the storage of the phone has answered; or another tab has the app open. Both have a way on. */
export function StartingScreen({ model }: { readonly model: DoorModel }): JSX.Element {
  if (model.state.value.otherTab === true)
    return (
      <main class="page centre">
        <div role="status">
          <h1 class="starting">{t('otherTab')}</h1>
        </div>
        <Button action="take-over" look="main" onPress={() => model.engine.takeOver() || location.reload()}>
          {t('actions.takeOver')}
        </Button>
      </main>
    );
  if (model.failure.value)
    return (
      <main class="page centre">
        <h1 class="starting">{t('starting')}</h1>
        <FailureNote model={model} />
        <Button action="reload" look="main" onPress={() => location.reload()}>
          {t('actions.reload')}
        </Button>
      </main>
    );
  return (
    <main class="page">
      <div role="status">
        <h1 class="starting">{t('starting')}</h1>
      </div>
    </main>
  );
}
