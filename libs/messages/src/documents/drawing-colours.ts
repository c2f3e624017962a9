import { inkOn, rgbOf, themeColours, usualAccent } from '#kernel';
import type { DrawingColours } from '../drawings/drawing.js';

/** The colour of a venue as a ground, and black or white letters on it. @param accent `#rrggbb` */
export function coloursOf(accent: string): DrawingColours {
  return { ground: rgbOf(accent), ink: rgbOf(inkOn(accent)) };
}

/** The colour of a venue for letters and lines on white paper, `#rrggbb`. */
export function accentOnPaper({ accent }: { readonly accent?: string | null }): string {
  return themeColours(accent ?? usualAccent, false).accent;
}
