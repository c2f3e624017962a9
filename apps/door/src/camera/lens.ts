/** What a browser tells about one camera, after it was opened. */
export interface LensFacts {
  readonly id: string;
  readonly label: string;
  /** Null: the browser does not tell. */
  readonly focus: readonly string[] | null;
  readonly torch: boolean;
  readonly zoom: { readonly min: number; readonly max: number } | null;
}

/** One camera of the phone. */
export interface Lens {
  readonly id: string;
  readonly label: string;
}

const front = /\b(?:front|user|selfie|facetime)\b|avant|frontal|vorder/i;

/** Whether a label names a camera that looks at the person who holds the phone. */
export const isFront = ({ label }: Lens): boolean => front.test(label);

/** What the capabilities of a track say. */
export function factsOf(id: string, label: string, capabilities: MediaTrackCapabilities | undefined): LensFacts {
  const more = (capabilities ?? {}) as { focusMode?: string[]; torch?: boolean; zoom?: { min?: number; max?: number } };
  const { min, max } = more.zoom ?? {};
  return {
    id,
    label,
    focus: more.focusMode && more.focusMode.length > 0 ? more.focusMode : null,
    torch: more.torch === true,
    zoom: min !== undefined && max !== undefined ? { min, max } : null,
  };
}

/** Whether codes at arm's length become sharp: it focuses by itself, or the browser does not tell about focus. */
export const isSharp = ({ focus }: LensFacts): boolean => focus === null || focus.includes('continuous');

/** How well a rear camera suits: the main one has focus and the torch; ultra-wide ones and those for depth lack one or both. */
export const scoreOf = (facts: LensFacts): number =>
  (facts.focus?.includes('continuous') ? 2 : facts.focus === null ? 1 : 0) + (facts.torch ? 2 : 0);

/** The best of the cameras that were tried, the first of equal ones. */
export function bestLens(tried: readonly LensFacts[]): LensFacts | undefined {
  return tried.reduce<LensFacts | undefined>((best, one) => (best && scoreOf(best) >= scoreOf(one) ? best : one), undefined);
}

/** The zoom with which a printed code fills the frame at a comfortable distance; null: leave it. */
export function zoomFor({ zoom }: LensFacts): number | null {
  if (!zoom || zoom.max < 1.5) return null;
  return Math.min(2, zoom.max) < zoom.min ? null : Math.min(2, zoom.max);
}

/** The camera after this one, in the order of the phone. */
export function lensAfter(lenses: readonly Lens[], id: string | null): Lens | undefined {
  const place = lenses.findIndex((lens) => lens.id === id);
  return lenses[(place + 1) % lenses.length];
}
