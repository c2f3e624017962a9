import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { laterParts } from '../app/later-parts.js';
import { t, type Key } from '../texts/texts.js';

/** Failures of the start, and those without which the other sentences cannot load. */
const known: Readonly<Record<string, Key>> = {
  offline: 'errors.offline',
  failed: 'errors.other',
  full: 'errors.full',
  storage: 'errors.storage',
  slow: 'errors.slow',
  part: 'errors.part',
};

/** The last action's failure, told to screen readers: in a sentence of its own, else in the server's words. */
export function FailureNote({ model }: { readonly model: DoorModel }): JSX.Element {
  const { value: failure } = model.failure;
  const key = failure && (known[failure.code] ?? laterParts.value?.laterFailures[failure.code]);
  return (
    <p class="failure" role="alert" data-error={failure?.code} hidden={!failure}>
      {failure && (key ? t(key) : failure.message || t('errors.other'))}
    </p>
  );
}
