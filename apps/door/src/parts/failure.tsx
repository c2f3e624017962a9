import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { t, type Key } from '../texts/texts.js';

/** Failures that have a sentence of their own; for others the server's words are shown. */
const known: Readonly<Record<string, Key>> = {
  'pairing.unknown': 'errors.pairingUnknown',
  'pairing.spent': 'errors.pairingSpent',
  'pairing.expired': 'errors.pairingExpired',
  'pairing.full': 'errors.pairingFull',
  'pairing.refused': 'errors.pairingRefused',
  'rate.limited': 'errors.tooMany',
  gone: 'errors.gone',
  'pairing.none': 'errors.noCode',
  'device.permission': 'errors.permission',
  'event.unknown': 'errors.eventUnknown',
  unsent: 'errors.unsent',
  offline: 'errors.offline',
  failed: 'errors.other',
  full: 'errors.full',
  storage: 'errors.storage',
  slow: 'errors.slow',
  // Of the engine: its messages are for developers.
  paired: 'errors.other',
  unpaired: 'errors.other',
  no_event: 'errors.other',
  not_asked: 'errors.other',
  tickets: 'errors.other',
  allowance_used: 'errors.other',
  reason_needed: 'errors.other',
};

/** The words about a failed action. */
export function failureWords({ code, message }: { readonly code: string; readonly message: string }): string {
  const key = known[code];
  if (key) return t(key);
  return message === '' ? t('errors.other') : message;
}

/** The last action's failure, told to screen readers. */
export function FailureNote({ model }: { readonly model: DoorModel }): JSX.Element {
  const { value: failure } = model.failure;
  return (
    <p class="failure" role="alert" data-error={failure?.code} hidden={!failure}>
      {failure && failureWords(failure)}
    </p>
  );
}
