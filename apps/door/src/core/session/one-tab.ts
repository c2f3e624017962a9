import type { Door } from '../door/door.js';
import { WriterLock } from '../storage/writer-lock.js';

/** One tab of the browser runs the engine, so that the journal has one writer. The others wait, or take over. */
export class OneTab {
  private readonly lock: WriterLock;
  private lost = false;

  /** @param stop is called when another tab took over: what runs ends */
  constructor(
    private readonly door: Door,
    stop: () => Promise<void>,
  ) {
    this.lock = new WriterLock(`guichet-door-${door.surroundings.database}`, {
      onWait: () => door.store.set({ otherTab: true }),
      onLost: () => {
        this.lost = true;
        void stop().finally(() => door.store.set({ phase: 'starting', otherTab: true }));
      },
    });
  }

  async begin(): Promise<void> {
    await this.lock.take();
    this.door.store.set({ otherTab: false });
  }

  /** @returns false: this tab was ended before, and has to be loaded again */
  takeOver(): boolean {
    if (!this.lost) this.lock.steal();
    return !this.lost;
  }

  end(): void {
    this.lock.release();
  }
}
