import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { mayRestart } from '../app/restarting.js';
import { restart } from '../device/updates.js';
import { t } from '../texts/texts.js';
import { Button } from './button.js';

interface UpdateOptions {
  readonly model: DoorModel;
  /** Says it also while it cannot start. */
  readonly always?: boolean;
}

/** A newer version waits: it starts on a tap once everything is sent and the door is closed, never by itself under an open door. */
export function UpdateNote({ model, always = false }: UpdateOptions): JSX.Element | null {
  if (!model.updateReady.value) return null;
  const may = mayRestart(model.state.value, Date.now());
  if (!may && !always) return null;
  const { unsent } = model.state.value.network;
  return (
    <div class="note update" data-update={may ? 'ready' : 'waiting'} role="status">
      <p>{t(may ? 'update.ready' : unsent > 0 ? 'update.afterSending' : 'update.afterEvent')}</p>
      {may && (
        <Button action="restart" onPress={restart}>
          {t('update.restart')}
        </Button>
      )}
    </div>
  );
}
