/** Waits; ends early when the signal aborts. Never throws. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/**
 * Milliseconds before the next attempt after so many failures: grows to `most`, by chance between half and all of it, so that devices do
 * not come back together.
 */
export function backoff(failures: number, least: number, most: number): number {
  const full = Math.min(most, least * 2 ** Math.min(failures - 1, 20));
  return full / 2 + (Math.random() * full) / 2;
}

/** Lets a loop sleep until somebody wakes it. A call before the sleep counts. */
export class Alarm {
  private rung = false;
  private wakeUp: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wakeUp?.();
  }

  /** Waits until it rings, at most so long. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.rung) {
      const early = new AbortController();
      const stop = (): void => early.abort();
      this.wakeUp = stop;
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      await pause(ms, early.signal);
      signal.removeEventListener('abort', stop);
      this.wakeUp = undefined;
    }
    this.rung = false;
  }
}
