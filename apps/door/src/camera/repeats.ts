/** Milliseconds without a code after which it counts as taken away. */
const gone = 1_500;

/**
 * Decides which codes of the camera are new. A code that stays in view counts once; it counts again after it was out of view for a while,
 * because a person may show it a second time.
 */
export class Repeats {
  private text: string | null = null;
  private seenAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that never jumps. @returns whether to decide about the code */
  isNew(text: string, now: number): boolean {
    const held = text === this.text && now - this.seenAt < gone;
    this.text = text;
    this.seenAt = now;
    return !held;
  }

  /** Forgets the code in view, as after an undo. */
  forget(): void {
    this.text = null;
  }
}
