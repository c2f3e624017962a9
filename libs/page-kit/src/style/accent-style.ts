import { inkOn, mixed, readableOn } from '#kernel';

/** Increment the number when the style changes, because browsers keep the file. */
const folder = '/assets/accent-1.';

/** Grounds on which texts have the colour, see `pages/10-page.css`. */
const light = { paper: '#faf7f2', card: '#ffffff' };
const dark = { paper: '#181318', card: '#221b22' };

/** @param colour `#rrggbb` */
export function accentPath(colour: string): string {
  return `${folder}${colour.slice(1)}.css`;
}

/** The style sheet at such a path: the colour of a venue, made readable; undefined for other paths. */
export function accentStyle(path: string): string | undefined {
  if (!path.startsWith(folder) || !/^[\da-f]{6}\.css$/.test(path.slice(folder.length))) return undefined;
  const colour = `#${path.slice(folder.length, -4)}`;
  const rule = ({ paper, card }: typeof light, towards: string, leafPart: number): string => {
    const accent = readableOn(colour, [paper, card, mixed(card, colour, leafPart)], towards);
    return `:root{--accent:${accent};--accent-ink:${inkOn(accent)};--leaf:${mixed(card, colour, leafPart)}}`;
  };
  return `${rule(light, '#000000', 0.08)}\n@media (prefers-color-scheme:dark){${rule(dark, '#ffffff', 0.15)}}\n`;
}
