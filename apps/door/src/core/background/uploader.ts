import type { Entry } from '../journal/entry.js';
import type { Journal } from '../journal/journal.js';
import { NoAnswer, type Answer, type Api } from '../network/api.js';
import { Alarm, backoff, pause } from '../network/pauses.js';

/** The server's answer to a line. Members of `POST /scan/batch/`, docs/scanning.md. */
export interface LineAnswer {
  readonly scan_id: string | null;
  readonly state: 'applied' | 'replayed' | 'duplicate_of' | 'was_cancelled' | 'refused';
  readonly reason?: string;
  readonly outcome?: string;
  readonly happened_at?: string;
  readonly cancelled_at?: string;
  /** With `wrong_event`: the event of the ticket. */
  readonly event?: { readonly name: string; readonly place: string | null; readonly start: string };
  readonly other?: {
    readonly device_name: string | null;
    readonly gate: { readonly name: string } | null;
    readonly at: string | null;
  };
}

/** The server takes at most this many lines at once, and this many bytes. */
const mostLines = 1000;
const mostBytes = 900_000;
const timeout = 30_000;
/** Milliseconds before half of a batch that the server failed over is sent. */
const betweenHalves = 100;

/** What became of a batch; a number: the milliseconds that the server asks to wait. */
type Outcome = 'done' | 'halved' | 'failed' | 'unanswered' | number;

interface UploaderOptions {
  readonly api: Api;
  readonly journal: Journal;
  /** Number of the last request for the list. */
  readonly stamp: () => number;
  readonly onAnswers: (answers: ReadonlyArray<{ readonly entry: Entry; readonly answer: LineAnswer }>) => Promise<void>;
  /** Lines were answered. */
  readonly onSettled: () => void;
  readonly isReachable: () => boolean;
}

/** Sends the journal in batches. A line that the server cannot answer waits, and blocks no other. */
export class Uploader {
  private readonly alarm = new Alarm();
  /** Failures of single lines: these lines are sent alone, after all others. */
  private readonly bad = new Map<Entry, { failures: number; notBefore: number }>();
  private most = mostLines;

  constructor(private readonly options: UploaderOptions) {}

  /** New lines wait, or the server is reachable again. */
  kick(): void {
    this.alarm.ring();
  }

  /** Sends lines until the signal aborts. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const batch = this.options.isReachable() ? this.nextBatch() : [];
      if (batch.length === 0) {
        await this.alarm.wait(this.bad.size > 0 ? 1000 : 10_000, signal);
        continue;
      }
      const outcome = await this.send(batch, signal).catch(() => 'unanswered' as const);
      failures = outcome === 'done' ? 0 : failures + (outcome === 'halved' ? 0 : 1);
      // New lines do not shorten what the server asks for.
      if (typeof outcome === 'number') await pause(outcome, signal);
      else if (outcome === 'halved') await pause(betweenHalves, signal);
      else if (outcome !== 'done') await this.alarm.wait(backoff(failures, 500, 15_000), signal);
    }
  }

  /** Sends everything that waits, once. @returns whether nothing waits afterwards */
  async flush(signal: AbortSignal): Promise<boolean> {
    for (let batch = this.nextBatch(); batch.length > 0 && !signal.aborted; batch = this.nextBatch()) {
      const outcome = await this.send(batch, signal).catch(() => 'unanswered' as const);
      if (outcome === 'unanswered' || typeof outcome === 'number') break;
    }
    return this.options.journal.unsent.length === 0;
  }

  private nextBatch(): Entry[] {
    const waiting = this.options.journal.unsent;
    const batch: Entry[] = [];
    let bytes = 20;
    for (const entry of waiting) {
      if (this.bad.has(entry)) continue;
      bytes += JSON.stringify(entry.line).length + 1;
      if (batch.length === this.most || bytes > mostBytes) break;
      batch.push(entry);
    }
    if (batch.length > 0) return batch;
    const due = waiting.find((entry) => (this.bad.get(entry)?.notBefore ?? Number.POSITIVE_INFINITY) <= performance.now());
    return due ? [due] : [];
  }

  private async send(batch: readonly Entry[], signal: AbortSignal): Promise<Outcome> {
    const body = `{"lines":[${batch.map(({ line }) => JSON.stringify(line)).join(',')}]}`;
    let answer: Answer;
    try {
      answer = await this.options.api.post('/scan/batch/', { body, timeout, signal });
    } catch (error) {
      if (error instanceof NoAnswer) return 'unanswered';
      throw error;
    }
    const results = (answer.body as { results?: unknown } | null)?.results;
    if (answer.status === 200 && Array.isArray(results)) return this.take(batch, results as readonly (LineAnswer | undefined)[]);
    if (answer.status === 429 || answer.status === 503) return Math.max(answer.retryAfter ?? 0, backoff(1, 1000, 1000));
    if (answer.status === 401 || answer.status === 403) return 'unanswered';
    return this.narrow(batch);
  }

  private async take(batch: readonly Entry[], results: readonly (LineAnswer | undefined)[]): Promise<Outcome> {
    const answers = batch.flatMap((entry, at) => {
      const answer = results[at];
      // An answer to another line is none; `busy` is the one state that is not final.
      const other = answer?.scan_id && answer.scan_id !== entry.facts.scanId;
      if (!answer?.state || other || (answer.state === 'refused' && answer.reason === 'busy')) return [];
      return [{ entry, answer }];
    });
    this.most = Math.min(mostLines, this.most * 2);
    // The server answers a line again that it failed over: it may have failed over all, so all others are tried again, too.
    if (answers.some(({ entry }) => this.bad.has(entry))) this.bad.clear();
    // First what follows from the answers, so that a kill between both repeats it.
    await this.options.onAnswers(answers);
    await this.options.journal.settle(
      answers.map(({ entry }) => entry),
      this.options.stamp(),
    );
    if (answers.length > 0) this.options.onSettled();
    const answered = new Set(answers.map(({ entry }) => entry));
    for (const entry of batch) if (!answered.has(entry)) this.putAside(entry);
    return 'done';
  }

  /** The server failed over these lines: halves find the one that it fails over. */
  private narrow(batch: readonly Entry[]): Outcome {
    if (batch.length > 1) {
      this.most = Math.ceil(batch.length / 2);
      return 'halved';
    }
    for (const entry of batch) this.putAside(entry);
    this.most = mostLines;
    return 'failed';
  }

  private putAside(entry: Entry): void {
    const failures = (this.bad.get(entry)?.failures ?? 0) + 1;
    this.bad.set(entry, { failures, notBefore: performance.now() + backoff(failures, 1000, 10_000) });
  }
}
