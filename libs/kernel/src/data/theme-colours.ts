import { clampChroma, converter, formatHex, wcagContrast, type Oklch } from 'culori';

const oklch = converter('oklch');

/** Contrast of texts, and of the borders of fields: WCAG 2.2, 1.4.3 and 1.4.11. */
const [textContrast, edgeContrast] = [4.5, 3];

/** Hues of the words that say that something went well, needs attention, or went wrong. */
const [goodHue, warnHue, badHue] = [150, 70, 25];

/** Colours by their role, each `#rrggbb`. */
export type ThemeColours = ReturnType<typeof themeColours>;

/**
 * The colours of pages and mails for an accent colour: its hue is kept, and lightness moves until each text can be read on paper, card and
 * fields.
 * `fill` is the colour that the venue has chosen, for grounds with `onFill` on them; `accent` is its twin that texts can have.
 */
export function themeColours(chosen: string, isDark: boolean) {
  const { l, c, h = 0 } = oklch(chosen) as Oklch;
  const tint = (lightness: number, most: number): string => hexOf(lightness, Math.min(c, most), h);
  const paper = isDark ? tint(0.19, 0.012) : tint(0.98, 0.005);
  // The card that tickets are printed on.
  const stock = isDark ? tint(0.265, 0.024) : tint(0.935, 0.026);
  const raised = isDark ? tint(0.23, 0.016) : '#ffffff';
  const grounds = [paper, stock, raised];
  const readable = (lightness: number, chroma: number, hue: number, least = textContrast): string => {
    let at = lightness;
    let colour = hexOf(at, chroma, hue);
    while (grounds.some((ground) => wcagContrast(colour, ground) < least) && at !== (isDark ? 1 : 0)) {
      at = isDark ? Math.min(1, at + 0.01) : Math.max(0, at - 0.01);
      colour = hexOf(at, chroma, hue);
    }
    return colour;
  };
  const fill = l > 0.93 ? hexOf(0.88, c, h) : hexOf(Math.max(l, isDark ? 0.5 : 0.3), c, h);
  const black = hexOf(0.16, Math.min(c, 0.02), h);
  return {
    paper,
    stock,
    raised,
    ink: isDark ? tint(0.94, 0.01) : tint(0.2, 0.02),
    quiet: readable(isDark ? 0.72 : 0.48, Math.min(c, 0.015), h),
    rule: isDark ? tint(0.38, 0.015) : tint(0.84, 0.02),
    edge: readable(isDark ? 0.5 : 0.65, Math.min(c, 0.015), h, edgeContrast),
    accent: readable(l, c, h),
    fill,
    onFill: ['#ffffff', black].find((ink) => wcagContrast(ink, fill) >= textContrast) ?? '#000000',
    good: readable(isDark ? 0.75 : 0.48, 0.13, goodHue),
    warn: readable(isDark ? 0.8 : 0.5, 0.12, warnHue),
    bad: readable(isDark ? 0.72 : 0.5, 0.18, badHue),
  };
}

/** The colour with as much chroma as screens can show, `#rrggbb`. */
function hexOf(l: number, c: number, h: number): string {
  return formatHex(clampChroma({ mode: 'oklch', l, c, h }, 'oklch'));
}
