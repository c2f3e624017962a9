import { limits } from '../limits.js';
import type { NewSpot, QueueChanges, QueueRead } from './queue-rows.js';

const freshMs = limits.queueReading.ms;
/** For how long a read queue shows that people wait. */
const activeMs = 3000;
/** Bookings a second that are assumed before the first ones are seen, and at least as long as the server could do more. */
const assumed = { first: 40, least: 20 };
/** Weight of the past when the rate is measured, for each second. A crowd of arrivals delays bookings for some seconds only. */
const keptPerSecond = { usual: 0.7, whenCrowded: 0.95 };
/**
 * Seconds of bookings that are let in at the same time, and the bounds of their number. More than the seconds after which the first ones
 * ask again: otherwise no more would be booked in a second than were before, although the server could.
 */
const letIn = { seconds: 3, least: 24, most: 300, whenCrowded: 8 };
/**
 * Seconds after which the owner of a spot asks again: a part of the expected wait, within these bounds. Of a wait longer than `near` it is
 * the smaller part: when the bookings turn out faster than expected, people come earlier and the server is not idle.
 */
const again = { near: 6, part: 0.8, partOfLong: 0.5, least: 1, most: 20 };

/** How many seconds later than asked its owner may come before a spot does not count: browsers slow down pages in the background. */
const late = { factor: 1.5, seconds: 10 };

/** Why an arrival got no spot. */
export type NoSpot = 'full' | 'network' | 'shut';

/** What the server can do for the queue. */
export interface QueueLoad {
  /** How many times as many bookings as now it could work off. */
  readonly growth: number;
  /** More requests wait than it answers at once. */
  readonly isCrowded: boolean;
}

/** Where a spot is in the queue. */
export interface Standing {
  /** From 1. */
  readonly position: number;
  /** Expected seconds until it is the turn of the spot. */
  readonly seconds: number;
  /** Seconds after which its owner should ask again, different for each, so that they do not all ask at once. */
  readonly askAgainAfter: number;
}

/**
 * One process's view of the queue of an event. What buyers do is gathered while a statement runs and written by the next one, so that any
 * number of them costs a few statements a second. The database decides: several processes see the same order.
 */
export class EventQueue {
  private positions = new Map<string, number>();
  private readAt = -Infinity;
  private rate = assumed.first;
  /** Bookings a second that are expected from now on. */
  private pace = assumed.first;
  private arrivals: NewSpot[] = [];
  private asks = new Map<string, Date>();
  private running: Promise<QueueRead> | undefined;
  private next: Promise<QueueRead> | undefined;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param exchange writes changes and reads the queue
   * @param clock of the database
   * @param now milliseconds of a monotonic clock
   * @param load of this process. Buyers ask, and are let in, at the pace that it allows: who comes only at the rate of the bookings so far
   *   keeps that rate low for ever
   */
  constructor(
    private readonly exchange: (changes: QueueChanges) => Promise<QueueRead>,
    private readonly clock: () => Date,
    private readonly now: () => number = () => performance.now(),
    private readonly load: () => QueueLoad = () => ({ growth: 1, isCrowded: false }),
  ) {}

  /** Whether people waited when the queue was read last, a moment ago. */
  get isActive(): boolean {
    return this.positions.size > 0 && this.now() - this.readAt < activeMs;
  }

  /** Adds a spot at the end. @returns where it is, or why there is none */
  async arrive(spot: Omit<NewSpot, 'arrivedAt' | 'askBy'>): Promise<Standing | NoSpot> {
    this.arrivals.push({ ...spot, arrivedAt: this.clock(), askBy: this.askBy(again.most) });
    const { arrived, shut, full } = await this.flush();
    if (shut.includes(spot.id)) return 'shut';
    if (!arrived.includes(spot.id)) return full ? 'full' : 'network';
    return this.standingOf(spot.id) ?? this.standingAt(this.positions.size);
  }

  /**
   * Notes that the owner of a spot asks.
   * @returns undefined when the spot is not in the queue, or did not count because its owner was away
   */
  async ask(id: string): Promise<Standing | undefined> {
    if (this.now() - this.readAt > freshMs || !this.positions.has(id)) await this.flush();
    return this.standingOf(id);
  }

  /** Brings back a spot whose owner was away, where it was. @returns undefined when there is no such spot, or no room any more */
  async revive(id: string): Promise<Standing | undefined> {
    this.asks.set(id, this.askBy(again.most));
    await this.flush();
    // The statement that wrote it did not see it yet.
    await this.flush();
    return this.standingOf(id);
  }

  /** Lets a spot count no more until its owner asks again. */
  leave(id: string): void {
    this.positions.delete(id);
    this.asks.set(id, this.clock());
    this.flushLater();
  }

  /** Whether it is the turn of the spot at a position. */
  isTurn({ position }: Pick<Standing, 'position'>): boolean {
    if (this.load().isCrowded) return position <= letIn.whenCrowded;
    return position <= Math.min(letIn.most, Math.max(letIn.least, Math.round(this.pace * letIn.seconds)));
  }

  private standingOf(id: string): Standing | undefined {
    const position = this.positions.get(id);
    if (position === undefined) return undefined;
    const standing = this.standingAt(position);
    this.asks.set(id, this.askBy(standing.askAgainAfter));
    this.flushLater();
    return standing;
  }

  private standingAt(position: number): Standing {
    const seconds = Math.ceil(position / Math.max(this.pace, 1));
    const part = seconds > again.near ? again.partOfLong : again.part;
    const usual = Math.min(again.most, Math.max(again.least, seconds * part));
    return { position, seconds, askAgainAfter: Math.round(usual * (1 + Math.random() * 0.3)) };
  }

  private askBy(seconds: number): Date {
    return new Date(this.clock().getTime() + (seconds * late.factor + late.seconds) * 1000);
  }

  /** Writes what has gathered once the running statement has ended; callers share the next one. */
  private flush(): Promise<QueueRead> {
    this.next ??= (this.running ?? Promise.resolve()).then(
      () => this.run(),
      () => this.run(),
    );
    return this.next;
  }

  private async run(): Promise<QueueRead> {
    const changes = { arrivals: this.arrivals, asks: this.asks };
    this.arrivals = [];
    this.asks = new Map();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running = this.exchange(changes);
    this.next = undefined;
    const read = await this.running;
    this.take(read);
    return read;
  }

  /** Notes of owners who asked are written also when nobody else asks. */
  private flushLater(): void {
    this.timer ??= setTimeout(() => void this.flush().catch(() => undefined), freshMs).unref();
  }

  private take({ present, arrived }: QueueRead): void {
    const [before, now] = [this.positions, this.now()];
    this.positions = new Map([...present, ...arrived].map((id, index) => [id, index + 1]));
    const seconds = (now - this.readAt) / 1000;
    this.readAt = now;
    const { growth, isCrowded } = this.load();
    // After a pause nothing is known about the time in between.
    if (before.size > 0 && seconds <= activeMs / 1000) {
      let left = 0;
      for (const id of before.keys()) if (!this.positions.has(id)) left += 1;
      const kept = (isCrowded ? keptPerSecond.whenCrowded : keptPerSecond.usual) ** seconds;
      this.rate = this.rate * kept + (left / Math.max(seconds, 0.001)) * (1 - kept);
    }
    if (isCrowded) this.pace = this.rate;
    else this.pace = growth * (growth > 1 ? Math.max(this.rate, assumed.least) : this.rate);
  }
}
