import { assetPath } from './page-assets.js';
import { themePath } from './theme-style.js';

/** The style sheets of each kind of pages, beside those of all pages. No rule is in two of them. */
export const kindSheets = {
  home: ['list', 'cards', 'home'],
  event: ['list', 'ticket', 'sale', 'fold', 'event'],
  order: ['ticket', 'fields', 'fold', 'order'],
  holder: ['ticket', 'fields', 'order', 'holder'],
  shop: ['cards', 'ticket', 'fields', 'sale', 'order', 'shop'],
  form: ['ticket', 'fields', 'form'],
  house: ['ticket', 'order'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PageKind = keyof typeof kindSheets;

/** The pairing that only has fonts of the system, and needs no style sheet. */
const ownTypeface = 'maison';

/** Paths of the style sheets of a page, without those of its look. @param isFramed it may stand in a frame on another site */
export function sheetPaths(kind: PageKind | undefined, isFramed: boolean): readonly string[] {
  return ['page', ...(kind ? kindSheets[kind] : []), ...(isFramed ? ['framed'] : [])].map((name) => assetPath(`${name}.css`));
}

/** Path of the face of a type, which browsers load beside the style sheets; undefined: it has none. */
export function facePath(typeface: string | null | undefined): string | undefined {
  return !typeface || typeface === ownTypeface ? undefined : assetPath(`${typeface}.woff2`);
}

/** Paths of the style sheets that a venue chooses: faces of its type, and colours. Undefined: the venue has chosen none. */
export function lookPaths(typeface: string | null | undefined, accent: string | null | undefined): readonly string[] {
  const isOwn = !typeface || typeface === ownTypeface;
  return [...(isOwn ? [] : [assetPath(`type-${typeface}.css`)]), themePath(accent)];
}
