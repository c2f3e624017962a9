import type { EventEmitter } from 'node:events';
import { limits } from '../limits.js';

/** Speeds in bytes a second. */
export interface SenderRules {
  /** Every sender needs this speed. */
  readonly slowest: number;
  /** While others have no turn, a sender below this speed may lose its own. */
  readonly contended: number;
  /** Milliseconds at the beginning of a form that do not count: connections start slowly. */
  readonly graceMs: number;
  /** Milliseconds over which the current speed is measured. */
  readonly windowMs: number;
}

/** Milliseconds between two measurements. */
export const measureMs = limits.senderInterval.ms;

/** The part of a request that a sender is measured by. */
interface Body extends Pick<EventEmitter, 'on' | 'off'> {
  /** Whether everything has arrived. */
  readonly complete: boolean;
  isPaused(): boolean;
}

/** Ends the measurement. */
export type EndMeasuring = () => void;

/** Measures a sender until the returned function is called, and calls `late` once when the sender loses its turn. */
export type MeasureSender = (body: Body, late: () => void) => EndMeasuring;

/**
 * Measures who sends a form, and ends the turns of slow senders. Only the time that passes while the server waits for the sender counts:
 * neither the time in which the event loop is blocked nor the time in which the server reads nothing because it is still busy with what has
 * arrived.
 */
export class Senders {
  private readonly all = new Set<Sender>();
  private timer: NodeJS.Timeout | undefined;
  private measuredAt = 0;

  /** @param isContended whether others wait who have no turn at all */
  constructor(
    private readonly rules: SenderRules,
    private readonly isContended: () => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param owner the tenant: the one with the most senders loses a turn first */
  measure(owner: string, body: Body, late: () => void): EndMeasuring {
    const sender = new Sender(owner, body, late, this.now);
    this.all.add(sender);
    if (!this.timer) {
      this.measuredAt = this.now();
      this.timer = setInterval(() => this.look(), measureMs);
    }
    return () => this.end(sender);
  }

  /** Measures all senders and ends turns: of every sender below the slowest speed, and of one at a time while others wait. */
  look(): void {
    const now = this.now();
    const passedMs = now - this.measuredAt;
    // A blocked event loop calls this too late, and before it reads what has arrived meanwhile.
    const elapsedMs = passedMs <= measureMs ? passedMs : Math.max(0, 2 * measureMs - passedMs);
    this.measuredAt = now;
    for (const sender of this.all) {
      sender.step(elapsedMs, this.rules);
      if (sender.measuredMs < this.rules.graceMs) continue;
      if (sender.speed < this.rules.slowest && sender.averageSpeed < this.rules.slowest) this.cut(sender);
    }
    if (!this.isContended()) return;
    const loser = this.loser();
    if (loser) this.cut(loser);
  }

  /** Of the senders that are slow, the slowest one of the tenant with the most senders. */
  private loser(): Sender | undefined {
    const sendersOf = (owner: string): number => [...this.all].filter((sender) => sender.owner === owner).length;
    const slow = [...this.all].filter(({ measuredMs, speed }) => measuredMs >= this.rules.graceMs && speed < this.rules.contended);
    const [loser] = slow.toSorted((one, other) => sendersOf(other.owner) - sendersOf(one.owner) || one.speed - other.speed);
    return loser;
  }

  private cut(sender: Sender): void {
    this.end(sender);
    sender.late();
  }

  private end(sender: Sender): void {
    sender.stop();
    if (!this.all.delete(sender) || this.all.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

interface Step {
  readonly ms: number;
  readonly bytes: number;
}

class Sender {
  private readonly steps: Step[] = [];
  private stepBytes = 0;
  private stepPausedMs = 0;
  private pausedAt: number | undefined;
  private allBytes = 0;
  private allMs = 0;

  constructor(
    readonly owner: string,
    private readonly body: Body,
    readonly late: () => void,
    private readonly now: () => number,
  ) {
    body.on('data', this.count).on('pause', this.pause).on('resume', this.resume);
  }

  /** Milliseconds that counted so far. */
  get measuredMs(): number {
    return this.allMs;
  }

  /** Bytes a second since the beginning. */
  get averageSpeed(): number {
    return speedOf(this.allBytes, this.allMs);
  }

  /** Bytes a second within the window. */
  get speed(): number {
    const bytes = this.steps.reduce((sum, step) => sum + step.bytes, 0);
    const ms = this.steps.reduce((sum, step) => sum + step.ms, 0);
    return speedOf(bytes, ms);
  }

  /** Ends a measurement of `elapsedMs`. */
  step(elapsedMs: number, { windowMs }: SenderRules): void {
    if (this.pausedAt !== undefined) this.resume();
    const ms = this.body.complete ? 0 : Math.max(0, elapsedMs - this.stepPausedMs);
    this.steps.push({ ms, bytes: this.stepBytes });
    this.allBytes += this.stepBytes;
    this.allMs += ms;
    if (this.steps.length > windowMs / measureMs) this.steps.shift();
    this.stepBytes = 0;
    this.stepPausedMs = 0;
    if (this.body.isPaused()) this.pause();
  }

  stop(): void {
    this.body.off('data', this.count).off('pause', this.pause).off('resume', this.resume);
  }

  private readonly count = (chunk: Buffer): void => {
    this.stepBytes += chunk.length;
  };

  private readonly pause = (): void => {
    this.pausedAt ??= this.now();
  };

  private readonly resume = (): void => {
    if (this.pausedAt === undefined) return;
    this.stepPausedMs += this.now() - this.pausedAt;
    this.pausedAt = undefined;
  };
}

function speedOf(bytes: number, ms: number): number {
  return ms === 0 ? Infinity : bytes / (ms / 1000);
}
