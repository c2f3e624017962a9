import { effect } from '@preact/signals';
import { render } from 'preact';
import { Camera } from './camera/camera.js';
import { DoorError, type DoorEngine } from './core/types.js';
import { firstScreenIsUsable, whenFirstScreenIsUsable } from './device/first-screen.js';
import { listenToKeyboard } from './device/keyboard.js';
import { unlockSound } from './device/tones.js';
import { keepApp, restart, updateWaits } from './device/updates.js';
import { App } from './screens/app.js';
import { readPairingCode } from './screens/pairing.js';
import { laterParts, loadLaterParts, setLaterParts } from './app/later-parts.js';
import { loadSomeTexts } from './texts/texts.js';
import { DoorModel } from './app/model.js';
import { takeOpenedCode } from './app/opened-code.js';
import { mayRestart } from './app/restarting.js';

/** Milliseconds after which the start takes too long: some browsers then answer only in a page that is loaded again. */
const longestStart = 10_000;

/** Milliseconds in which the decoder starts and reads the first picture. */
const decoderStart = 400;

/** Starts the app on the page: texts and engine at the same time, then the screens. */
export async function startDoor(engine: DoorEngine): Promise<void> {
  const camera: Camera = new Camera(
    (text) => onCode(text),
    (text) => engine.held(text),
  );
  const model = new DoorModel(engine, () => camera.forgetCode());
  const onCode = (text: string): Promise<void> =>
    model.state.value.phase === 'open' ? model.scan(text, 'camera') : readPairingCode({ model, camera }, text);
  setLaterParts(() => import('./later.js'));
  const started = start(engine, model);
  takeOpenedCode(engine, started, loadLaterParts);
  await loadSomeTexts();
  render(<App model={model} camera={camera} />, document.querySelector('#app') as HTMLElement);
  // Tried again when one is needed.
  void whenFirstScreenIsUsable()
    .then(loadLaterParts)
    .catch(() => undefined);
  laterParts.subscribe((parts) => parts?.accompany(model));
  followPhase(model);
  followStart(model, camera);
  listenToKeyboard((strokes) => {
    camera.wake();
    if (model.state.value.phase === 'open') void engine.readStrokes(strokes).then((text) => model.scan(text, 'keyboard'));
  });
  addEventListener('online', () => engine.wake());
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && engine.wake());
  // The app is kept also when this browser keeps no data: the page then still says so without a network.
  const [ready] = await Promise.all([started, keepApp()]);
  if (ready) startNewestBuild(model);
}

/** @returns whether the engine runs; otherwise the screen says why not */
async function start(engine: DoorEngine, model: DoorModel): Promise<boolean> {
  const late = setTimeout(() => {
    const { phase, otherTab } = model.state.value;
    if (phase === 'starting' && otherTab !== true) model.fail(new DoorError('slow'));
  }, longestStart);
  try {
    await engine.start();
    if (model.failure.value?.code === 'slow') model.failure.value = null;
    return true;
  } catch (error) {
    console.error(error);
    model.fail((error as Error | null)?.name === 'QuotaExceededError' ? error : new DoorError('storage'));
    return false;
  } finally {
    clearTimeout(late);
  }
}

/** The page has the name of the event. Sound needs a tap, so each tap tries. */
function followPhase(model: DoorModel): void {
  model.state.subscribe(({ event, tenantName }) => {
    document.title = event?.name ?? tenantName ?? 'Guichet';
  });
  addEventListener('pointerdown', unlockSound);
}

/** What loads later does not slow the way to the first picture. */
function followStart({ state }: DoorModel, { status }: Camera): void {
  const stop = effect(() => {
    const { phase } = state.value;
    if (phase === 'starting' || (phase === 'open' && ['off', 'opening'].includes(status.value))) return;
    // After a live picture the decoder starts.
    setTimeout(firstScreenIsUsable, phase === 'open' ? decoderStart : 0);
    queueMicrotask(() => stop());
  });
}

/** A build that was stored earlier starts now: nothing is open yet, and nothing waits to be sent. */
function startNewestBuild(model: DoorModel): void {
  const { state } = model;
  if (updateWaits.value && state.value.phase !== 'open' && mayRestart(state.value, Date.now())) restart();
}
