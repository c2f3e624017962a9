import type { Door } from '../../door/door.js';
import { NoAnswer, problemCode } from '../../network/api.js';
import { backoff, pause } from '../../network/pauses.js';
import { forgetAll, installationFile, quarantineFile } from '../../session/ending.js';

const mostLines = 1000;
const mostBytes = 900_000;
const timeout = 30_000;
/** Milliseconds before fewer lines are sent, because all of them were too large for a proxy. */
const beforeFewer = 100;

/** What became of some lines; `smaller`: fewer may pass. `refused`: nobody takes them, now or later. */
type Sent = 'sent' | 'smaller' | 'failed' | 'refused';

/** What sends the journal in the background. */
interface Sending {
  readonly ending: AbortController;
  readonly done: Promise<void>;
}

/** Empties the phone: of everything, or of the journal that a phone without a right still has. */
export class Clearing {
  private most = mostLines;
  private sending: Sending | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  /** How many ask to be alone. */
  private waiting = 0;
  /** What ends the sending in the background for good. */
  private until: AbortSignal | undefined;

  constructor(private readonly door: Door) {}

  /** Sends the journal of a wiped phone in the background, as long as it takes. @param signal ends it */
  begin(signal: AbortSignal): void {
    this.until = signal;
    if (this.sending || this.waiting > 0 || signal.aborted || !this.isWiped) return;
    const ending = new AbortController();
    const stop = (): void => ending.abort();
    signal.addEventListener('abort', stop);
    const done = this.sendJournal(ending.signal)
      .catch(() => {})
      .then(() => {
        signal.removeEventListener('abort', stop);
        this.sending = undefined;
      });
    this.sending = { ending, done };
  }

  /**
   * Runs work during which the background sends and deletes nothing: it would take the lines of a new pairing for old ones. Then it goes
   * on, if the phone is not paired.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.waiting += 1;
    const run = this.turn
      .then(() => this.halt())
      .then(work)
      .finally(() => {
        this.waiting -= 1;
        if (this.until) this.begin(this.until);
      });
    this.turn = run.catch(() => {});
    return run;
  }

  /** Destroys everything. */
  async destroy(): Promise<void> {
    const { door } = this;
    door.credentials = null;
    await this.clear();
    forgetAll(door, { phase: 'unpaired' });
  }

  /**
   * Sends the journal to quarantine until nothing is left, and then destroys it.
   * @param once gives up after the first failure @returns whether nothing is left
   */
  async sendJournal(signal: AbortSignal, once = false): Promise<boolean> {
    const { door } = this;
    const token = await door.journalFiles.read<string>(quarantineFile);
    for (let failures = 0; !signal.aborted && door.journal.unsent.length > 0;) {
      // Without a token nobody takes the lines.
      const sent = token === undefined ? 'refused' : await this.sendSome(token, signal);
      if (sent === 'refused') break;
      failures = sent === 'failed' ? failures + 1 : 0;
      if (failures > 0 && once) return false;
      if (sent === 'smaller') await pause(beforeFewer, signal);
      if (failures > 0) await pause(backoff(failures, 1000, 60_000), signal);
    }
    if (signal.aborted || !this.isWiped) return false;
    await this.clear();
    return true;
  }

  /** A phone that is paired again has a journal that nobody may delete. */
  private get isWiped(): boolean {
    return this.door.credentials === null && this.door.store.state.phase === 'wiped';
  }

  private async halt(): Promise<void> {
    this.sending?.ending.abort();
    await this.sending?.done;
  }

  /** Deletes everything but the secret of the installation, which says nothing about people. */
  private async clear(): Promise<void> {
    const { door } = this;
    const installation = await door.journalFiles.read<string>(installationFile);
    await door.db.clear();
    door.dataVault.forget();
    door.journalVault.forget();
    await door.journal.load();
    door.refresh();
    if (installation !== undefined) await door.journalFiles.write(installationFile, installation);
  }

  private async sendSome(token: string, signal: AbortSignal): Promise<Sent> {
    const { door } = this;
    let bytes = 20;
    const lines = door.journal.unsent.slice(0, this.most).filter(({ line }) => (bytes += JSON.stringify(line).length + 1) < mostBytes);
    const body = { lines: lines.map(({ line }) => line) };
    try {
      const answer = await door.api.post('/scan/quarantine/', { body, timeout, signal, authorization: `Bearer ${token}` });
      if (answer.status === 401 && problemCode(answer) === 'quarantine.token') return 'refused';
      if (answer.status === 413 && lines.length > 1) {
        this.most = Math.ceil(lines.length / 2);
        return 'smaller';
      }
      // What is kept is kept: 20,000 lines are the most, and later ones are lost.
      if (answer.status !== 200 && answer.status !== 409) return 'failed';
      await door.journal.remove(lines);
      return 'sent';
    } catch (error) {
      if (error instanceof NoAnswer) return 'failed';
      throw error;
    }
  }
}
