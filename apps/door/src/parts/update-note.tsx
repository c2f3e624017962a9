import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { restart } from '../device/updates.js';
import { t } from '../texts/texts.js';
import { Button } from './button.js';

/** A newer version waits: it starts on a tap, once everything is sent, never by itself under an open door. */
export function UpdateNote({ model }: { readonly model: DoorModel }): JSX.Element | null {
  if (!model.updateReady.value) return null;
  const { unsent } = model.state.value.network;
  return (
    <div class="note update" data-update="ready" role="status">
      <p>{t(unsent > 0 ? 'update.afterSending' : 'update.ready')}</p>
      {unsent === 0 && (
        <Button action="restart" onPress={restart}>
          {t('update.restart')}
        </Button>
      )}
    </div>
  );
}
