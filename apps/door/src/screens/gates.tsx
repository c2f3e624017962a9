import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { DoorModel } from '../app/model.js';
import { setPreference } from '../device/preferences.js';
import { FailureNote } from '../parts/failure.js';
import { Title } from '../parts/title.js';
import { t } from '../texts/texts.js';

/** The choice of the gate, after that of the event. A single gate is taken without a question. */
export function GateScreen({ model }: { readonly model: DoorModel }): JSX.Element {
  const { gates, event } = model.state.value;
  const only = gates.length === 1 ? gates[0] : undefined;
  useEffect(() => {
    if (only) void chooseGate(model, only.id);
  }, [model, only]);
  return (
    <main class="page">
      <p class="place">{event?.name}</p>
      <Title>{t('gates.title')}</Title>
      <FailureNote model={model} />
      <GateList model={model} onChosen={() => undefined} />
    </main>
  );
}

/** Changes the gate; null: none. */
export async function chooseGate(model: DoorModel, id: string | null): Promise<void> {
  await model.attempt(() => model.engine.changeGate(id));
  const { event } = model.state.value;
  if (!model.failure.value) setPreference('noGateFor', id === null && event ? event.id : null);
}

/** The gates of the event as buttons, and one to scan without a gate. */
export function GateList({ model, onChosen }: { readonly model: DoorModel; readonly onChosen: () => void }): JSX.Element {
  const { gates, gate } = model.state.value;
  const options = [...gates.map(({ id, name, inside }) => ({ id, name, inside })), { id: null, name: t('gates.none'), inside: null }];
  return (
    <ul class="list">
      {options.map(({ id, name, inside }) => (
        <li key={id ?? 'none'}>
          <button
            type="button"
            class="button plain event"
            data-action="choose-gate"
            data-gate={id ?? ''}
            aria-current={id === (gate?.id ?? null) && (gate !== null || model.gateChosen.value) ? 'true' : undefined}
            disabled={model.working.value}
            onClick={() => void chooseGate(model, id).then(onChosen)}
          >
            <strong>{name}</strong>
            {inside !== null && <small>{t('gates.inside', { count: inside })}</small>}
          </button>
        </li>
      ))}
    </ul>
  );
}
