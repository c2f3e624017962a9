import { render } from 'preact';
import { DoorModel } from '../app/model.js';
import { startingState } from '../core/engine/store.js';
import type { DoorEngine, DoorState } from '../core/types.js';
import { ResultCard } from '../screens/result-card.js';
import { chooseLanguage } from '../texts/texts.js';
import { pictureResults, pictureTime } from './results.js';

/** A page with one card per result, for pictures and for checks of every result in every language. Not a part of the app. */

const state: DoorState = {
  ...startingState,
  phase: 'open',
  tenantName: 'La Lune',
  deviceName: 'Pixel 7',
  network: { kind: 'live', listAt: pictureTime - 60_000, unsent: 0 },
  allowance: 10,
  persistent: true,
};
const engine = { state, subscribe: () => () => undefined, onCorrection: () => () => undefined } as unknown as DoorEngine;
const model = new DoorModel(engine, () => undefined);

/** Draws these results, default: all, each in an element `.phone` of the size of a phone. */
async function drawCards(language: string, names: readonly string[] = pictureResults.map(({ name }) => name)): Promise<void> {
  await chooseLanguage(language);
  const chosen = pictureResults.filter(({ name }) => names.includes(name));
  const came = performance.now();
  render(
    <main>
      {chosen.map(({ name, result }) => (
        <div class="phone" data-name={name} key={`${language} ${name}`}>
          <ResultCard model={model} shown={{ result, came, corrected: false }} />
        </div>
      ))}
    </main>,
    document.body,
  );
}

Object.assign(window, { drawCards, cardNames: pictureResults.map(({ name }) => name) });
