import { describe, expect, it } from '@jest/globals';
import { contrastOf, mixed, rgbOf } from './colours.js';

describe('colours', () => {
  it('have the contrast of WCAG', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(rgbOf('#6b2d5c')).toEqual([107, 45, 92]);
    expect(mixed('#000000', '#ffffff', 0.5)).toBe('#808080');
  });
});
