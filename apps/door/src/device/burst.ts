/** One key press, as the event has it. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly shift: boolean;
}

/** Milliseconds between two keys of a scanner at most; people need more on average. */
const slowest = 90;
/** Once so many keys came that quickly, no person types them: a busy phone or a weak radio may hold some back for so long. */
export const longestGap = 300;
/** Fewer keys are no code and no tag: 8 characters are the shortest tag. */
const fewest = 8;
/** More keys are no code: the oldest are dropped. */
const most = 200;

/** Collects key presses that follow each other too quickly for a person. */
export class Burst {
  private strokes: KeyPress[] = [];
  private last = Number.NEGATIVE_INFINITY;

  /** Whether the keys so far can be the code of a scanner. */
  get isCode(): boolean {
    return this.strokes.length >= fewest;
  }

  /** @param now milliseconds of a clock that never jumps */
  add(stroke: KeyPress, now: number): void {
    if (now - this.last > (this.isCode ? longestGap : slowest)) this.strokes = [];
    this.last = now;
    // Shift and its like are keys, too, but no characters.
    if (stroke.key.length !== 1) return;
    this.strokes.push(stroke);
    if (this.strokes.length > most) this.strokes.shift();
  }

  /** Ends the collection. @returns undefined when it was too short */
  take(): readonly KeyPress[] | undefined {
    const taken = this.isCode ? this.strokes : undefined;
    this.strokes = [];
    return taken;
  }
}
