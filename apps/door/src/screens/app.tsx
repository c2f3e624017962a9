import type { JSX } from 'preact';
import { asksForGate } from '../app/suggestion.js';
import type { DoorModel } from '../app/model.js';
import type { ScreenOptions } from '../app/screen-options.js';
import { preferences } from '../device/preferences.js';
import { ScreenSlot, SheetSlot } from './later-slots.js';
import { PairingScreen } from './pairing.js';
import { ScanningScreen } from './scanning.js';
import { StartingScreen } from './starting.js';

type ScreenName = 'starting' | 'pairing' | 'choosing' | 'gate' | 'scanning' | 'kiosk' | 'locked' | 'wiped';

function screenOf(model: DoorModel): ScreenName {
  const { phase, role, gates, gate } = model.state.value;
  if (phase === 'unpaired') return 'pairing';
  if (phase !== 'open') return phase;
  if (asksForGate(gates, gate, model.gateChosen.value)) return 'gate';
  return role === 'kiosk' ? 'kiosk' : 'scanning';
}

/** The screen of the engine's phase. `data-…` attributes tell tests the same as eyes see. */
export function App({ model, camera }: ScreenOptions): JSX.Element {
  const { network, practice, direction } = model.state.value;
  const { theme, leftHand } = preferences.value;
  const screen = screenOf(model);
  return (
    <div
      class={`app ${theme} ${leftHand ? 'left-hand' : ''}`}
      data-screen={screen}
      data-network={network.kind}
      data-unsent={network.unsent}
      data-practice={practice}
      data-direction={direction}
    >
      <Screen name={screen} model={model} camera={camera} />
      <SheetSlot model={model} camera={camera} />
    </div>
  );
}

function Screen({ name, model, camera }: ScreenOptions & { readonly name: ScreenName }): JSX.Element {
  switch (name) {
    case 'pairing':
      return <PairingScreen model={model} camera={camera} />;
    case 'scanning':
      return <ScanningScreen model={model} camera={camera} />;
    case 'starting':
      return <StartingScreen model={model} />;
    default:
      return <ScreenSlot name={name} model={model} camera={camera} />;
  }
}
