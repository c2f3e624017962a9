import { describe, expect, it } from '@jest/globals';
import { contrastOf, inkOn, mixed, readableOn, rgbOf } from './colours.js';

describe('colours', () => {
  it('have the contrast of WCAG', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(rgbOf('#6b2d5c')).toEqual([107, 45, 92]);
    expect(mixed('#000000', '#ffffff', 0.5)).toBe('#808080');
  });

  it.each(['#ffff00', '#ff0000', '#00ff00', '#0000ff', '#808080', '#ffffff', '#000000', '#6b2d5c'])('%s becomes readable', (colour) => {
    expect(contrastOf(inkOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
    for (const [ground, towards] of [
      ['#faf7f2', '#000000'],
      ['#352433', '#ffffff'],
    ] as const)
      expect(contrastOf(readableOn(colour, [ground], towards), ground)).toBeGreaterThanOrEqual(4.5);
  });

  it('stay as they are when they are readable', () => {
    expect(readableOn('#6b2d5c', ['#ffffff', '#faf7f2'], '#000000')).toBe('#6b2d5c');
  });
});
