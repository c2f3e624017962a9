import type { Door } from '../../engine/door.js';
import { NoAnswer } from '../../network/api.js';
import { backoff, pause } from '../../network/pauses.js';
import { forgetAll, installationFile, quarantineFile } from '../../session/ending.js';

const mostLines = 1000;
const mostBytes = 900_000;
const timeout = 30_000;

/** Empties the phone: of everything, or of the journal that a phone without a right still has. */
export class Clearing {
  constructor(private readonly door: Door) {}

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
      if (token === undefined) break;
      const sent = await this.sendSome(token, signal);
      failures = sent ? 0 : failures + 1;
      if (!sent && once) return false;
      if (!sent) await pause(backoff(failures, 1000, 60_000), signal);
    }
    if (signal.aborted) return false;
    await this.clear();
    return true;
  }

  /** Deletes everything but the secret of the installation, which says nothing about people. */
  private async clear(): Promise<void> {
    const { door } = this;
    const installation = await door.journalFiles.read<string>(installationFile);
    await door.db.clear();
    door.dataVault.forget();
    door.journalVault.forget();
    await door.journal.load();
    if (installation !== undefined) await door.journalFiles.write(installationFile, installation);
  }

  private async sendSome(token: string, signal: AbortSignal): Promise<boolean> {
    const { door } = this;
    let bytes = 20;
    const lines = door.journal.unsent.slice(0, mostLines).filter(({ line }) => (bytes += JSON.stringify(line).length + 1) < mostBytes);
    const body = { lines: lines.map(({ line }) => line) };
    try {
      const answer = await door.api.post('/scan/quarantine/', { body, timeout, signal, authorization: `Bearer ${token}` });
      // What is kept is kept: 20,000 lines are the most, and later ones are lost.
      const full = answer.status === 409 || answer.status === 413;
      if (answer.status !== 200 && !full) return false;
      await door.journal.remove(lines);
      return true;
    } catch (error) {
      if (error instanceof NoAnswer) return false;
      throw error;
    }
  }
}
