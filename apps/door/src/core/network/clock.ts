/** What the clock knows, to be kept over restarts. */
export interface ClockRecord {
  /** Time of the server minus time of the device, in milliseconds. */
  readonly offset: number;
  readonly error: number;
  /** The server's time then. Missing: an earlier version of the app kept it. */
  readonly at?: number;
}

/** Smaller differences are no jump. */
const leastJump = 2000;
/** Clocks of phones drift by less. */
const driftPerMs = 50e-6;
/** Without any answer of the server, the device's clock may be wrong by this much. */
const unknownError = 3_600_000;

/**
 * The time of the server: measured at the midpoint of round trips, carried on by the device's running time, so that it does not jump when
 * somebody sets the clock. A phone that sleeps may stop its running time: then the device's clock carries on, and the error grows.
 */
export class DoorClock {
  /** Time of the server minus running time; undefined: never measured since the start. */
  private base: number;
  private error = unknownError;
  private sampledAt: number;
  /** Device's clock minus running time when it was last looked at. */
  private gap: number;

  constructor(
    private readonly wall: () => number = Date.now,
    private readonly running: () => number = () => performance.now(),
  ) {
    this.sampledAt = running();
    this.gap = wall() - running();
    this.base = this.gap;
  }

  /** The server's time, in milliseconds since 1970. */
  now(): number {
    this.look();
    return this.running() + this.base;
  }

  deviceTime(): number {
    return this.wall();
  }

  /** Time of the server minus time of the device now. */
  get offset(): number {
    return this.now() - this.wall();
  }

  /** How far {@link now} may be wrong. */
  get errorMs(): number {
    this.look();
    return this.error + (this.running() - this.sampledAt) * driftPerMs;
  }

  get record(): ClockRecord {
    return { offset: Math.round(this.offset), error: Math.ceil(this.errorMs), at: Math.floor(this.now()) };
  }

  /** Takes a round trip: the server's time was between both moments of the running time. The error of an older one grows. */
  sample(serverTime: number, began: number, ended: number): void {
    if (!Number.isFinite(serverTime) || ended < began) return;
    this.look();
    const error = (ended - began) / 2;
    if (error > this.errorMs) return;
    this.base = serverTime - (began + ended) / 2;
    this.error = error;
    this.sampledAt = this.running();
  }

  /**
   * Continues with what was known before the app was closed. Only the device's clock connects both. When it was set back since, it was
   * wrong before and is right now: the difference of then counts no more.
   */
  restore({ offset, error, at = 0 }: ClockRecord): void {
    if (this.error < unknownError) return;
    const wasSet = this.wall() + offset < at - leastJump;
    if (!wasSet) {
      this.base = this.gap + offset;
      this.error = Math.min(unknownError - 1, error + leastJump);
    }
    this.atLeast(at);
  }

  /** The server's time is at least this: a signed list says so. */
  atLeast(moment: number): void {
    const behind = moment - this.now();
    if (!(behind > 0)) return;
    this.base += behind;
    this.error = Math.max(this.error, Math.min(unknownError, behind));
  }

  private look(): void {
    const gap = this.wall() - this.running();
    const jump = gap - this.gap;
    if (Math.abs(jump) < leastJump) return;
    this.gap = gap;
    // Forward: the running time stood still while the phone slept. Backward: somebody set the clock.
    if (jump > 0) this.base += jump;
    this.error += Math.abs(jump);
  }
}
