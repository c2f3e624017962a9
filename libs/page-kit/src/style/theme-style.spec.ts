import { describe, expect, it } from '@jest/globals';
import { themePath, themeStyle } from './theme-style.js';

describe('the theme of a venue', () => {
  it('is a style sheet under the name of its colour', () => {
    expect(themePath('#C73E1D')).toBe('/assets/theme-1.c73e1d.css');
    expect(themePath(null)).toBe('/assets/theme-1.6b2d5c.css');
    expect(themeStyle('/assets/theme-1.c73e1d.css')).toMatch(/^@layer theme\{:root\{--paper:#[\da-f]{6};/);
    expect(themeStyle('/assets/theme-1.c73e1g.css')).toBeUndefined();
    expect(themeStyle('/assets/page.css')).toBeUndefined();
  });
});
