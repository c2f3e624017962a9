import { createRequire } from 'node:module';

/** Fonts to try for each character, best first: names of standard PDF fonts, or files. */
export interface FontChain {
  readonly regular: readonly string[];
  readonly bold: readonly string[];
}

const { resolve } = createRequire(import.meta.url);

/** DejaVu has Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian, and many signs, in one file. */
const file = (face: string): string => resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`);

/** The fonts of tickets: DejaVu, and for what it lacks the standard ones, which every reader has. */
export const ticketFonts: FontChain = {
  regular: [file('DejaVuSansCondensed'), 'Helvetica'],
  bold: [file('DejaVuSansCondensed-Bold'), 'Helvetica-Bold'],
};
