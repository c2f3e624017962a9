/** Keeps the screen on while the app is seen. Browsers end the lock whenever the app is hidden, and phones when the battery is low. */
export class WakeLock {
  private lock: WakeLockSentinel | undefined;
  private wanted = false;
  private asking = false;

  constructor() {
    document.addEventListener('visibilitychange', () => void this.renew());
  }

  /** Holds the lock, and asks for it again when the phone ended it. */
  async hold(): Promise<void> {
    this.wanted = true;
    await this.renew();
  }

  async release(): Promise<void> {
    this.wanted = false;
    const { lock } = this;
    this.lock = undefined;
    await lock?.release();
  }

  private async renew(): Promise<void> {
    if (!this.wanted || this.asking || document.visibilityState !== 'visible' || (this.lock && !this.lock.released)) return;
    this.asking = true;
    try {
      const lock = await navigator.wakeLock.request('screen');
      // The door was closed while the browser answered.
      if (this.wanted) this.lock = lock;
      else await lock.release();
    } catch {
      // Not supported, or the battery is low: the phone's own setting then counts.
    } finally {
      this.asking = false;
    }
  }
}
