/** Keeps the screen on while the app is seen. Browsers end the lock whenever the app is hidden. */
export class WakeLock {
  private lock: WakeLockSentinel | undefined;
  private wanted = false;

  constructor() {
    document.addEventListener('visibilitychange', () => void this.renew());
  }

  async hold(): Promise<void> {
    this.wanted = true;
    await this.renew();
  }

  async release(): Promise<void> {
    this.wanted = false;
    await this.lock?.release();
    this.lock = undefined;
  }

  private async renew(): Promise<void> {
    if (!this.wanted || document.visibilityState !== 'visible' || (this.lock && !this.lock.released)) return;
    try {
      this.lock = await navigator.wakeLock.request('screen');
    } catch {
      // Not supported, or the battery is low: the phone's own setting then counts.
    }
  }
}
