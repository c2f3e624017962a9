import type { Door } from '../door/door.js';
import { NoAnswer, problemCode, type Answer } from '../network/api.js';
import type { EntryFacts } from '../journal/entry.js';
import type { LineFacts } from '../journal/line.js';
import { DoorError } from '../types.js';
import type { Attempted, Attempts } from '../scanning/attempts.js';
import { factsOf, type Recorder } from '../scanning/recorder.js';

/** Milliseconds for which the server may take for what nobody else can undo. */
const longest = 5000;
/** What the log says when one tap undid a movement. */
const atOnce = 'Undone at once';

/** Takes results back. */
export class Undoing {
  constructor(
    private readonly door: Door,
    private readonly attempts: Attempts,
    private readonly recorder: Recorder,
  ) {}

  /**
   * Undoes what came of an attempt: a movement of this device; of a refusal, the last movement of its ticket (supervisors).
   * @throws DoorError `gone`, `reason_needed`, `offline`, the reason of the server's refusal, or the code of its problem
   */
  async undo(scanId: string, reason?: string): Promise<void> {
    const attempt = this.attempts.get(scanId);
    if (!attempt) throw new DoorError('gone');
    if (attempt.undone) return;
    const why = reason?.trim().slice(0, 500) || null;
    if (!attempt.moved) return this.undoOther(attempt, why);
    const { undoUntil } = attempt.result;
    if (why === null && (undoUntil === null || this.door.clock.now() > undoUntil)) throw needsReason();
    const undoes = attempt.again ?? attempt.scanId;
    const entry = this.door.journal.entries.find(({ facts }) => facts.scanId === undoes);
    // The server must read a line before its undo. What it does not answer in time is a line of the journal, which may repeat it.
    const waits = entry !== undefined && entry.line !== null && !entry.settled;
    const isLine = attempt.result.verdict === 'stop' || (entry !== undefined && entry.line !== null);
    const byServer = !waits && (await this.askServer({ scan_id: undoes, reason: why ?? atOnce }, this.door.watch.patience, isLine));
    attempt.undone = true;
    try {
      await this.record(attempt, undoes, why ?? atOnce, byServer);
    } catch (error) {
      attempt.undone = false;
      throw error;
    }
  }

  private async undoOther(attempt: Attempted, why: string | null): Promise<void> {
    if (why === null) throw needsReason();
    const done = await this.askServer({ ...subjectOf(attempt), reason: why }, longest);
    if (!done) throw new DoorError('offline');
    attempt.undone = true;
    // Who had left, and had come in before the exit, is inside again.
    const isInside = attempt.direction === 'exit' || attempt.result.reason === 'no_reentry';
    await this.record({ ...attempt, before: isInside ? 1 : 0 }, attempt.scanId, why, true);
  }

  /** Writes an undo into the journal: as a line, or as done by the server. @param undoes id of the attempt as the server knows it */
  private async record(attempt: Attempted, undoes: string, reason: string, byServer: boolean): Promise<void> {
    const { recorder } = this;
    const undo = { scanId: crypto.randomUUID(), undoes };
    const facts: EntryFacts = { ...factsOf(attempt, false), kind: 'undo', ...undo, at: this.door.clock.now(), extra: 0 };
    const line: LineFacts | null = byServer ? null : { ...recorder.basis(undo.scanId, false), undo: { undoes, reason } };
    await recorder.append([{ facts, line }]);
    if (line) recorder.onLine();
  }

  /**
   * @param isLine the server may know the attempt as a double entry, which moved nothing there: a line of the journal takes it back
   * @returns whether the server did it; false: it cannot be reached, it failed, or a line has to do it
   * @throws DoorError when it refuses
   */
  private async askServer(body: object, timeout: number, isLine = false): Promise<boolean> {
    if (this.door.watch.kind === 'offline') return false;
    let answer: Answer;
    try {
      answer = await this.door.api.post('/scan/undo/', { body, timeout });
    } catch (error) {
      if (error instanceof NoAnswer) return false;
      throw error;
    }
    const { success, reason, message } = (answer.body ?? {}) as { success?: boolean; reason?: string; message?: string };
    if (answer.status === 200 && success === true) return true;
    const code = reason ?? problemCode(answer);
    if (answer.status >= 500 || answer.status === 429 || !code) return false;
    if (isLine && problemCode(answer) === 'scan.unknown') return false;
    throw new DoorError(code, message);
  }
}

/** The ticket of an attempt, as the server knows it. */
const subjectOf = ({ code }: Attempted): object => (code.signedText ? { qrcode_data: code.text } : { ticket: code.text });

const needsReason = (): DoorError => new DoorError('reason_needed');
