import type { Door } from '../door/door.js';
import { askServer } from '../scanning/asking.js';
import { offersOthers } from '../scanning/results.js';
import type { Scanner } from '../scanning/scanner.js';
import type { ScanResult } from '../types.js';

/** A result that nobody decided, and how to ask again. */
interface Open {
  readonly scanId: string;
  readonly again: () => Promise<ScanResult>;
}

const isOpen = (result: ScanResult): boolean => result.verdict === 'ask' && result.decidedBy === 'list' && !offersOthers(result);

/** Asks the server about the result on the screen that nobody decided, once the phone is connected. */
export class AskingAgain {
  /** The last result without an attempt: a typed reference, or a card. */
  private last: Open | null = null;

  constructor(
    private readonly door: Door,
    private readonly scanner: Scanner,
  ) {}

  /** Decides, and remembers how in case that nothing comes of it. */
  async decide(again: () => Promise<ScanResult>): Promise<ScanResult> {
    const result = await again();
    this.last = isOpen(result) ? { scanId: result.scanId, again: () => this.decide(again) } : null;
    return result;
  }

  /**
   * An attempt keeps its id, so that the server decides it once, and its answer corrects the result.
   * @returns the result that takes the place of one without an attempt; null: there is none
   */
  async ask(scanId: string): Promise<ScanResult | null> {
    const { door, scanner } = this;
    const attempt = scanner.attempts.get(scanId);
    if (!attempt) return this.last?.scanId === scanId ? this.last.again() : null;
    if (!isOpen(attempt.result) || attempt.moved || attempt.eventId !== door.pack?.event.id) return null;
    const asked = await askServer(door, attempt);
    const decision = asked.decision ?? (await asked.late);
    if (!decision) return null;
    await scanner.correct(attempt, decision);
    if (!attempt.moved) await door.intents.remove(scanId);
    return null;
  }
}
