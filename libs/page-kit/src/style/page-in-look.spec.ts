import { describe, expect, it } from '@jest/globals';
import { pageInLook } from './page-in-look.js';
import { lookPaths } from './page-sheets.js';

describe('a page in another look', () => {
  it('has other attributes and other style sheets of type and colours, and is the same page', () => {
    const page = (attributes: string, accent: string): string => {
      const paths = ['/assets/page.css', ...lookPaths(/type="(\w+)"/.exec(attributes)?.[1], accent)];
      const links = paths.map((path) => `<link rel="stylesheet" href="${path}"/>`).join('');
      return `<!doctype html>\n<html lang="ar" dir="rtl"${attributes}><head>${links}</head>`;
    };
    const look = { accentColour: '#1d4e89', typeface: 'atelier', corners: 'round' };
    const wanted = page(' data-type="atelier" data-corners="round"', '#1d4e89');
    expect(pageInLook(page(' data-type="programme" data-corners="square"', '#c73e1d'), look)).toBe(wanted);
    expect(pageInLook(page('', '#6b2d5c'), look)).toBe(wanted);
    expect(pageInLook(wanted, { ...look, accentColour: null })).toContain('theme-1.6b2d5c.css');
    expect(pageInLook(wanted, { ...look, typeface: 'maison' })).not.toContain('/assets/type-');
  });
});
