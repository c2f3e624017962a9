import { inkOn, rgbOf } from '#kernel';
import type { DrawingColours } from '../drawings/drawing.js';

/** The colour of a venue as a ground, and black or white letters on it. @param accent `#rrggbb` */
export function coloursOf(accent: string): DrawingColours {
  return { ground: rgbOf(accent), ink: rgbOf(inkOn(accent)) };
}
