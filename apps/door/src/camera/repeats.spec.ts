import { expect, it } from '@jest/globals';
import { Repeats } from './repeats.js';

it('a code that is held in view counts once, and again after it was away', () => {
  const repeats = new Repeats();
  const seen = [0, 100, 1_500, 2_900, 4_500, 4_600].map((now) => repeats.isNew('a', now));
  expect(seen).toEqual([true, false, false, false, true, false]);
});

it('another code counts at once, and the first one after it, too', () => {
  const repeats = new Repeats();
  expect(['a', 'b', 'b', 'a'].map((text, at) => repeats.isNew(text, at * 70))).toEqual([true, true, false, true]);
});

it('a code counts again after it was forgotten', () => {
  const repeats = new Repeats();
  repeats.isNew('a', 0);
  repeats.forget();
  expect(repeats.isNew('a', 70)).toBe(true);
});
