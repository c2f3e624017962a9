import { describe, expect, it } from '@jest/globals';
import { wcagContrast as contrastOf } from 'culori';
import { themeColours } from './theme-colours.js';

/** 512 colours: every step of 36 in red, green and blue. */
const accents = Array.from({ length: 512 }, (_, at) => {
  const part = (shift: number): string => (((at >> shift) & 7) * 36).toString(16).padStart(2, '0');
  return `#${part(6)}${part(3)}${part(0)}`;
});

describe('the colours of a venue', () => {
  it('is readable in every accent colour, light and dark', () => {
    for (const accent of accents) {
      for (const isDark of [false, true]) {
        const colours = themeColours(accent, isDark);
        const { paper, stock, raised, edge, onFill, fill, ink, quiet, good, warn, bad } = colours;
        for (const ground of [paper, stock, raised]) {
          for (const text of [ink, quiet, colours.accent, good, warn, bad])
            expect([accent, text, ground, contrastOf(text, ground) >= 4.5]).toEqual([accent, text, ground, true]);
          expect([accent, contrastOf(edge, ground) >= 3]).toEqual([accent, true]);
        }
        expect([accent, contrastOf(onFill, fill) >= 4.5]).toEqual([accent, true]);
      }
    }
  });

  it('keeps the colour that the venue has chosen on its buttons', () => {
    expect(themeColours('#c73e1d', false).fill).toBe('#c73e1d');
    expect(themeColours('#ffd500', false)).toMatchObject({ fill: '#ffd500' });
  });
});
