import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { languages } from '#kernel';
import { openDoorDrawings, type DoorDrawings } from './door-drawings.js';
import { accessFaults } from './page-faults.js';

let drawings: DoorDrawings;
let page: Page;

beforeAll(async () => {
  drawings = await openDoorDrawings();
  ({ page } = drawings);
});
afterAll(() => drawings?.close());

interface Card {
  readonly name: string;
  readonly verdict: string;
  readonly word: string;
  readonly icon: string;
  readonly ground: string;
  readonly text: string;
  /** Pixels that do not fit on the phone without scrolling. */
  readonly over: number;
  readonly wide: number;
}

const cards = (): Promise<Card[]> =>
  page.evaluate<Card[]>(`[...document.querySelectorAll('.phone')].map((phone) => {
    const card = phone.querySelector('section.result');
    return {
      name: phone.dataset.name, verdict: card.dataset.verdict, word: card.querySelector('.word').innerText,
      icon: card.querySelector('.icon path').getAttribute('d'), ground: getComputedStyle(card).backgroundColor, text: card.innerText,
      over: card.scrollHeight - card.clientHeight, wide: card.scrollWidth - card.clientWidth,
    };
  })`);

describe.each(languages)('every result of the scanner app in %s', (language) => {
  let drawn: Card[];

  beforeAll(async () => {
    await page.evaluate(`drawCards(${JSON.stringify(language)})`);
    drawn = await cards();
  });

  it('fits on a phone and leaves no text open', async () => {
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/door-cards-${language}.png`, fullPage: true });
    expect(drawn.length).toBeGreaterThan(25);
    // A card may scroll only for a group with its stepper.
    expect(drawn.filter(({ over, wide }) => over > 0 || wide > 0).map(({ name, over, wide }) => `${name}: ${over} ${wide}`)).toEqual([]);
    // An unknown text or a parameter without a value shows its name.
    expect(
      drawn.filter(({ text }) => /[{}]|undefined|null|NaN|\b(reasons|steps|words|result)\.\w/.test(text)).map(({ name }) => name),
    ).toEqual([]);
  });

  it('has one word, one icon and one colour for each verdict', () => {
    const verdicts = [...new Set(drawn.map(({ verdict }) => verdict))];
    expect(verdicts.toSorted()).toEqual(['ask', 'go', 'just', 'member', 'out', 'stop']);
    for (const part of ['word', 'icon'] as const) expect(new Set(drawn.map((card) => card[part])).size).toBe(6);
    const pairs = new Set(drawn.map(({ verdict, word, icon, ground }) => [verdict, word, icon, ground].join()));
    expect(pairs.size).toBe(6);
  });

  it('says why and what to do at every refusal', () => {
    for (const { name, verdict, text } of drawn.filter((card) => ['ask', 'member', 'stop'].includes(card.verdict))) {
      // The arrow before the step is drawn by the style.
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      expect([name, verdict, lines.length >= 3]).toEqual([name, verdict, true]);
    }
  });

  it('has a contrast of seven at least', async () => {
    await page.evaluate(await import('axe-core').then(({ default: axe }) => axe.source));
    const found = await page.evaluate<{ violations: { nodes: { html: string }[] }[] }>(
      `axe.run('main', { runOnly: ['color-contrast-enhanced'], resultTypes: ['violations'] })`,
    );
    expect(found.violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 100)))).toEqual([]);
    expect(await accessFaults(page, '.phone[data-name="already_scanned"]')).toEqual([]);
  });
});
