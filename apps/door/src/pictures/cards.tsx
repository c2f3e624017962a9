import { render } from 'preact';
import { DoorModel } from '../app/model.js';
import { ResultCard } from '../screens/result-card.js';
import { chooseLanguage } from '../texts/later-texts.js';
import { asked, drawScreen, pictureEngine } from './draw.js';
import { pictureResults } from './results.js';
import { openState, pictureScreens } from './screens.js';

/** A page with every result and every screen, for pictures and for checks in every language. Not a part of the app. */

const root = document.querySelector('#app') as HTMLElement;
const model = new DoorModel(pictureEngine(openState), () => undefined);

/** Draws these results, default: all, each in an element `.phone` of the size of a phone. */
async function drawCards(language: string, names: readonly string[] = pictureResults.map(({ name }) => name)): Promise<void> {
  render(null, root);
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
    root,
  );
}

Object.assign(window, {
  drawCards,
  cardNames: pictureResults.map(({ name }) => name),
  drawScreen: async (...what: Parameters<typeof drawScreen>) => {
    Object.assign(window, { model: await drawScreen(...what) });
  },
  screenNames: pictureScreens.map(({ name }) => name),
  asked,
});
