import { describe, expect, it } from '@jest/globals';
import { pageInLook } from './page-in-look.js';
import { themePath } from './theme-style.js';

describe('a page in another look', () => {
  it('has other attributes and another style sheet of colours, and is the same page', () => {
    const page = (attributes: string, accent: string): string =>
      `<!doctype html>\n<html lang="ar" dir="rtl"${attributes}><head><link rel="stylesheet" href="${themePath(accent)}"/></head>`;
    const look = { accentColour: '#1d4e89', typeface: 'atelier', corners: 'round' };
    const wanted = page(' data-type="atelier" data-corners="round"', '#1d4e89');
    expect(pageInLook(page(' data-type="programme" data-corners="square"', '#c73e1d'), look)).toBe(wanted);
    expect(pageInLook(page('', '#6b2d5c'), look)).toBe(wanted);
    expect(pageInLook(wanted, { ...look, accentColour: null })).toContain('theme-1.6b2d5c.css');
  });
});
