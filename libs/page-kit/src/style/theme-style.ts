import { themeColours, usualAccent, type ThemeColours } from '#kernel';

/** Increment the number when the style changes, because browsers keep the file. */
const folder = '/assets/theme-1.';

/** @param accent `#rrggbb`; undefined: the venue has chosen none */
export function themePath(accent: string | null | undefined): string {
  return `${folder}${(accent ?? usualAccent).slice(1).toLowerCase()}.css`;
}

/** The style sheet at such a path: the colours of the pages of a venue, light and dark; undefined for other paths. */
export function themeStyle(path: string): string | undefined {
  if (!path.startsWith(folder) || !/^[\da-f]{6}\.css$/.test(path.slice(folder.length))) return undefined;
  const accent = `#${path.slice(folder.length, -4)}`;
  const rule = (colours: ThemeColours): string => {
    const properties = Object.entries(colours).map(([role, colour]) => `--${role.replace(/[A-Z]/g, '-$&').toLowerCase()}:${colour}`);
    return `:root{${properties.join(';')}}`;
  };
  const [light, dark] = [themeColours(accent, false), themeColours(accent, true)].map(rule);
  return `@layer theme{${light}\n@media (prefers-color-scheme:dark){${dark}}}\n`;
}
