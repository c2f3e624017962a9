import { createRequire } from 'node:module';

/** Fonts to try for each character, best first: names of standard PDF fonts, or files. */
export interface FontChain {
  readonly regular: readonly string[];
  readonly bold: readonly string[];
}

const { resolve } = createRequire(import.meta.url);

/** DejaVu has Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian, and many signs, in one file. */
const wide = (face: string): string => `dejavu-fonts-ttf/ttf/${face}.ttf`;
/** Of a package that the panel needs: Latin with all its accents, Greek and Cyrillic. */
const narrow = (face: string): string => `polished/docs/assets/fonts/TTF/${face}.ttf`;

/** The fonts of tickets: those files that are installed, after them the standard ones, which every reader has. */
export const ticketFonts: FontChain = {
  regular: chain(wide('DejaVuSansCondensed'), 'Helvetica', narrow('SourceCodePro-Regular')),
  bold: chain(wide('DejaVuSansCondensed-Bold'), 'Helvetica-Bold', narrow('SourceCodePro-Bold')),
};

function chain(best: string, standard: string, rest: string): string[] {
  return [...installed(best), standard, ...installed(rest)];
}

function installed(file: string): string[] {
  try {
    return [resolve(file)];
  } catch {
    return [];
  }
}
