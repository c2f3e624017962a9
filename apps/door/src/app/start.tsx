import { render } from 'preact';
import { Camera } from '../camera/camera.js';
import type { DoorEngine } from '../core/types.js';
import { watchBattery } from '../device/battery.js';
import { readCards } from '../device/nfc.js';
import { listenToKeyboard } from '../device/keyboard.js';
import { unlockSound } from '../device/tones.js';
import { keepApp, restart, updateWaits } from '../device/updates.js';
import { WakeLock } from '../device/wake-lock.js';
import { App } from '../screens/app.js';
import { openedCode, readPairingCode } from '../screens/pairing.js';
import { loadTexts } from '../texts/texts.js';
import { DoorModel } from './model.js';
import { pairingCodeOf } from './pairing-code.js';

/** Starts the app on the page: texts and engine at the same time, then the screens. */
export async function startDoor(engine: DoorEngine): Promise<void> {
  takePairingCode();
  const camera: Camera = new Camera((text) => onCode(text));
  const model = new DoorModel(engine, () => camera.forgetCode());
  const onCode = (text: string): Promise<void> =>
    model.state.value.phase === 'open' ? model.scan(text, 'camera') : readPairingCode({ model, camera }, text);
  const started = engine.start();
  await loadTexts();
  render(<App model={model} camera={camera} />, document.querySelector('#app') as HTMLElement);
  followPhase(model);
  listenToKeyboard((strokes) => {
    camera.wake();
    if (model.state.value.phase === 'open') void engine.readStrokes(strokes).then((text) => model.scan(text, 'keyboard'));
  });
  void watchBattery();
  addEventListener('online', () => engine.wake());
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && engine.wake());
  await started;
  await keepApp();
  startNewestBuild(model);
}

/** Takes the code out of the address, so that it stays neither in the history nor on a screenshot. */
function takePairingCode(): void {
  const found = pairingCodeOf(location.hash, location.host);
  if (found.kind === 'code') openedCode.value = found.code;
  if (location.hash !== '') history.replaceState(null, '', '/door/');
  addEventListener('hashchange', takePairingCode, { once: true });
}

/** The screen stays on while the door is open. Sound and cards need a tap, so each tap tries. */
function followPhase(model: DoorModel): void {
  const lock = new WakeLock();
  let cards = false;
  const follow = (): void => {
    const { phase, event, tenantName } = model.state.value;
    document.title = event?.name ?? tenantName ?? 'Guichet';
    void (phase === 'open' ? lock.hold() : lock.release());
  };
  model.state.subscribe(follow);
  addEventListener('pointerdown', () => {
    unlockSound();
    if (cards || model.state.value.phase !== 'open') return;
    cards = true;
    void readCards((tag) => {
      if (model.state.value.phase === 'open') void model.scan(tag, 'nfc');
    });
  });
}

/** A build that was stored earlier starts now: nothing is open yet, and nothing waits to be sent. */
function startNewestBuild(model: DoorModel): void {
  const { phase, network } = model.state.value;
  if (updateWaits.value && network.unsent === 0 && phase !== 'open') restart();
}
