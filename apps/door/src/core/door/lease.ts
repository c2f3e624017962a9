/** A moment on both clocks of the phone, in milliseconds: the one that people set, and the one that only runs. */
export interface ClockMark {
  readonly wall: number;
  readonly running: number;
}

/** Clocks are set by less without a word. */
const leastJump = 2000;
/** Stands for the latest moment when the clock was set back: no clock reaches it. */
const never = Number.MAX_SAFE_INTEGER;

/**
 * How long this phone may let in without the server, at events where one device does. It ends by the running time of the phone, which
 * nobody can set, and by its clock, which goes on while the phone sleeps or the app is closed: by whichever is first. When the clock is set
 * back, nobody knows how much time has passed, and the lease ends at once.
 */
export class Lease {
  private current: { readonly runningEnd: number; readonly end: number; gap: number } | null = null;
  private latest = 0;
  /** The clock was set back since the server gave the lease: it has ended also when the clock has caught up. */
  private wasSetBack = false;

  constructor(
    private readonly wall: () => number,
    private readonly running: () => number,
  ) {}

  /** The present moment: take it before a request. */
  get mark(): ClockMark {
    return { wall: this.wall(), running: this.running() };
  }

  /**
   * The server gave or renewed the lease. It counts from before the request, so that it ends here before it ends at the server.
   * @param ms how long it lasts; null: this phone has none
   */
  take(ms: number | null, { wall, running }: ClockMark): void {
    this.wasSetBack = false;
    this.current = ms === null ? null : { runningEnd: running + ms, end: wall + ms, gap: wall - running };
    if (this.current) this.latest = Math.max(this.latest, wall);
    this.look();
  }

  /**
   * Continues after a start of the app, once. While the app runs, the lease goes on also when no event is open.
   * @param end on the phone's clock; null: there was none @param seen the latest moment that this clock showed
   */
  restore(end: number | null, seen: number): void {
    const { mark } = this;
    if (seen !== never) this.latest = Math.max(this.latest, seen);
    this.take(end === null || seen === never ? null : end - mark.wall, mark);
    this.wasSetBack ||= seen === never;
  }

  get isHeld(): boolean {
    this.look();
    return this.current !== null && this.running() < this.current.runningEnd && this.wall() < this.current.end;
  }

  /** The latest moment that the clock showed, for `restore`: an earlier one later on means that somebody set it back. */
  get seen(): number {
    this.look();
    return this.wasSetBack ? never : this.latest;
  }

  end(): void {
    this.current = null;
  }

  private look(): void {
    if (!this.current) return;
    const { wall, running } = this.mark;
    if (wall - running < this.current.gap - leastJump || wall < this.latest - leastJump) {
      this.wasSetBack = true;
      return this.end();
    }
    this.current.gap = Math.max(this.current.gap, wall - running);
    this.latest = Math.max(this.latest, wall);
  }
}
