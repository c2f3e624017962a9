import { signal } from '@preact/signals';
import { render } from 'preact';
import { DoorModel, type Shown } from '../app/model.js';
import type { CameraView } from '../camera/camera.js';
import type { Lens } from '../camera/lens.js';
import type { DoorEngine, DoorState } from '../core/types.js';
import { preferences, type Preferences } from '../device/preferences.js';
import { updateWaits } from '../device/updates.js';
import { asksAgain, openedCode } from '../app/opened-code.js';
import { App } from '../screens/app.js';
import { loadLaterParts, setLaterParts } from '../app/later-parts.js';
import { chooseLanguage } from '../texts/later-texts.js';
import { foundTickets, pictureScreens, resultOf, type PictureScreen } from './screens.js';

const root = document.querySelector('#app') as HTMLElement;

/** What the engine was asked for, in order. */
export const asked: string[] = [];

/** An engine that shows one state and keeps what it is asked for. Searches find the tickets of the pictures. */
export function pictureEngine(state: DoorState): DoorEngine {
  const known: Record<string, unknown> = { state, subscribe: () => () => undefined, onCorrection: () => () => undefined };
  const answers: Record<string, unknown> = { search: foundTickets, scan: resultOf('already_scanned'), admit: resultOf('go') };
  const answer = (name: string): unknown =>
    known[name] ??
    ((...values: readonly unknown[]) => {
      asked.push([name, ...values].join(' '));
      return Promise.resolve(answers[name]);
    });
  return new Proxy({} as DoorEngine, { get: (_target, name) => answer(String(name)) });
}

const lenses: readonly Lens[] = ['camera2 0, facing back', 'camera2 2, facing back'].map((label, at) => ({ id: String(at), label }));

function pictureCamera({ camera = 'on', tools = false }: PictureScreen): CameraView {
  return {
    status: signal(camera),
    lenses: signal(tools ? lenses : []),
    lens: signal(tools ? '0' : null),
    torch: signal(tools ? false : null),
    attach: () => undefined,
    detach: () => undefined,
    warmUp: () => undefined,
    wake: () => undefined,
    retry: () => Promise.resolve(),
    nextLens: () => Promise.resolve(),
    chooseLens: () => Promise.resolve(),
    switchTorch: () => Promise.resolve(),
    forgetCode: () => undefined,
  };
}

/** Draws one screen of the app. @param chosen preferences that differ from those of a new phone @returns its model */
export async function drawScreen(language: string, name: string, chosen: Partial<Preferences> = {}): Promise<DoorModel> {
  const screen = pictureScreens.find((one) => one.name === name);
  if (!screen) throw new Error(`no screen ${name}`);
  render(null, root);
  setLaterParts(() => import('../later.js'));
  await loadLaterParts();
  await chooseLanguage(language);
  preferences.value = { language, lens: null, sound: true, leftHand: false, theme: 'auto', noGateFor: null, ...chosen };
  updateWaits.value = screen.updateReady === true;
  openedCode.value = screen.pairing ?? null;
  asksAgain.value = screen.asksAgain === true;
  asked.length = 0;
  const model = new DoorModel(pictureEngine(screen.state), () => undefined);
  const came = performance.now() - (screen.ago ?? 0);
  const shown = (result: string): Shown => ({ result: resultOf(result), came, corrected: false });
  model.recent.value = (screen.recent ?? []).map(shown);
  model.shown.value = screen.shown === undefined ? null : shown(screen.shown);
  model.correction.value = screen.correction === undefined ? null : resultOf(screen.correction);
  model.sheet.value = screen.sheet ?? null;
  model.failure.value = screen.failure === undefined ? null : { code: screen.failure, message: '' };
  render(<App model={model} camera={pictureCamera(screen)} />, root);
  return model;
}
