import { limits } from '../limits.js';
import type { Known, PackLook } from '../pack-data/pack-look.js';

const pollMs = limits.watchInterval.ms;
const leastGapMs = limits.watchGap.ms;
const shareOfLooks = 20;

/** Reads what changed in an event since a transaction. */
export type Look = (since: bigint) => Promise<PackLook>;

/** What a waiting request is told. */
export interface Found {
  readonly look: PackLook;
  /** Whether the list changed; otherwise the ledger of double entries did. */
  readonly listChanged: boolean;
}
type Wake = (found: Found | undefined) => void;

interface Waiter {
  known: Known;
  readonly wake: Wake;
}

/**
 * Looks for changes of one event for all requests that wait for them in this process: one look a second, or sooner after a signal, however
 * many wait. Between looks it holds no connection.
 */
export class EventWatch {
  private readonly waiters = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private looking = false;
  private lookedAt = -Infinity;
  private gapMs: number = leastGapMs;

  private look: Look = () => Promise.reject(new Error('nobody waits'));

  /** @param onIdle is called when nobody waits any more */
  constructor(private readonly onIdle: () => void) {}

  /**
   * @param known what the waiting device knows @param wake is called once: with a look that differs from it, or with undefined when all
   * waits end @param look reads what changed since a transaction; that of the last device is used for all
   * @returns ends the wait
   */
  join(known: Known, wake: Wake, look: Look): () => void {
    this.look = look;
    const waiter: Waiter = { known, wake };
    this.waiters.add(waiter);
    this.schedule(pollMs);
    return () => this.leave(waiter);
  }

  /** Something may have changed: look as soon as the gap allows. */
  nudge(): void {
    if (this.waiters.size > 0) this.schedule(Math.max(0, this.lookedAt + this.gapMs - performance.now()));
  }

  /** Ends all waits. */
  end(): void {
    for (const { wake } of this.waiters) wake(undefined);
  }

  private leave(waiter: Waiter): void {
    this.waiters.delete(waiter);
    if (this.waiters.size > 0) return;
    clearTimeout(this.timer);
    this.dueAt = Infinity;
    this.onIdle();
  }

  private schedule(inMs: number): void {
    const due = performance.now() + inMs;
    if (due >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = due;
    this.timer = setTimeout(() => void this.round(), inMs);
  }

  private async round(): Promise<void> {
    this.dueAt = Infinity;
    // The look that runs may have begun before the change: the next one follows it.
    if (this.looking) return this.schedule(this.gapMs);
    const [first, ...others] = this.waiters;
    if (!first) return;
    const waiting = [first, ...others];
    this.looking = true;
    const begun = performance.now();
    try {
      const look = await this.look(others.reduce((least, { known }) => (known.since < least ? known.since : least), first.known.since));
      for (const waiter of waiting) {
        const listChanged = look.differsFrom(waiter.known);
        if (listChanged || look.row.ledger !== waiter.known.ledger) waiter.wake({ look, listChanged });
        else waiter.known = look.known;
      }
    } catch {
      // The database may be away for a moment. Requests that wait in vain are answered in time, and their next one says what is wrong.
    } finally {
      this.looking = false;
      this.lookedAt = begun;
      this.gapMs = Math.min(pollMs, Math.max(leastGapMs, (performance.now() - begun) * shareOfLooks));
      if (this.waiters.size > 0) this.schedule(pollMs);
    }
  }
}
