import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import type { ScanResult } from '../core/types.js';
import { FailureNote } from '../parts/failure.js';
import { t } from '../texts/texts.js';

/** Supervisors take a scan back after its ten seconds, and say why. */
export function UndoForm({ model, result }: { readonly model: DoorModel; readonly result: ScanResult }): JSX.Element {
  const [reason, write] = useState('');
  const name = [result.holder?.firstName, result.holder?.lastName].filter(Boolean).join(' ');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() === '') return;
        void model.undo(result, reason.trim()).then((done) => done && model.closeSheet());
      }}
    >
      {name && <p class="lead">{name}</p>}
      <label for="reason">{t('undo.reason')}</label>
      <textarea
        id="reason"
        autofocus
        rows={3}
        maxLength={500}
        required
        value={reason}
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      <FailureNote model={model} />
      <button type="submit" class="button main" data-action="undo-with-reason" disabled={model.working.value}>
        {t('actions.undo')}
      </button>
    </form>
  );
}
