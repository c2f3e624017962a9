import type { DoorDatabase, StoredEntry, Tail } from '../storage/database.js';
import type { Vault } from '../storage/vault.js';
import type { Entry, EntryFacts } from './entry.js';
import { hashOfLine, writeLine, type LineFacts } from './line.js';

/** What is appended: facts for this device, and the line for the server unless it decided. */
export interface Draft {
  readonly facts: EntryFacts;
  readonly line: LineFacts | null;
}

interface AppendOptions {
  /** Number of the last request for the list, for entries that the server decided. */
  readonly stamp?: number;
  /** The intent that ends with this entry. */
  readonly intent?: string;
}

/** Another tab of the browser continued the journal: this one must read it again. */
export class ForkError extends Error {}

const start: Tail = { n: 0, sequence: -1, hash: null, mark: '' };

/**
 * The append-only journal of this device. Each line for the server has a number and the hash of the line before. Entries leave the journal
 * only after the server answered them and the list of the event shows them.
 */
export class Journal {
  entries: Entry[] = [];
  private tail: Tail = start;
  /** Appends wait for each other, because each needs the hash of the one before. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly db: DoorDatabase,
    private readonly vault: Vault,
  ) {}

  /** Lines that the server has not answered, in their order. */
  get unsent(): Entry[] {
    return this.entries.filter(({ line, settled }) => line !== null && !settled);
  }

  async load(): Promise<void> {
    const [stored, tail] = await this.db.read(['entries', 'tail'], (tx) =>
      Promise.all([tx.objectStore('entries').getAll(), tx.objectStore('tail').get('tail')]),
    );
    const read = await Promise.all(stored.map((entry) => this.decrypt(entry)));
    this.entries = read.filter((entry) => entry !== null);
    this.tail = tail ?? start;
  }

  /**
   * Appends entries together, or none of them. They are on disk when this settles.
   * @throws ForkError when another tab wrote
   */
  append(drafts: readonly Draft[], { stamp = 0, intent }: AppendOptions = {}): Promise<Entry[]> {
    const appended = this.last.then(() => this.appendNow(drafts, stamp, intent));
    this.last = appended.catch(() => {});
    return appended;
  }

  /** Marks entries as answered by the server. @param stamp number of the last request for the list that began */
  async settle(settled: readonly Entry[], stamp: number): Promise<void> {
    if (settled.length === 0) return;
    await this.db.write('entries', async (tx) => {
      for (const { n } of settled) {
        const stored = await tx.objectStore('entries').get(n);
        if (stored) await tx.objectStore('entries').put({ ...stored, settled: true }, n);
      }
    });
    for (const entry of settled) Object.assign(entry, { settled: true, stamp });
  }

  /** Removes entries that the server answered and the list shows. */
  async remove(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const gone = new Set(entries);
    await this.db.write('entries', async (tx) => {
      for (const { n } of gone) await tx.objectStore('entries').delete(n);
    });
    this.entries = this.entries.filter((entry) => !gone.has(entry));
  }

  private async appendNow(drafts: readonly Draft[], stamp: number, intent: string | undefined): Promise<Entry[]> {
    let { tail } = this;
    const made: Array<{ entry: Entry; stored: StoredEntry }> = [];
    for (const { facts, line } of drafts) {
      const sequence = line ? tail.sequence + 1 : tail.sequence;
      const text = line && writeLine(line, sequence, tail.hash);
      tail = { n: tail.n + 1, sequence, hash: text === null ? tail.hash : await hashOfLine(text), mark: crypto.randomUUID() };
      const entry: Entry = { n: tail.n, facts, line: text, settled: text === null, stamp };
      const sealed = await this.vault.seal(JSON.stringify({ facts, line: text }));
      made.push({ entry, stored: { ...sealed, n: tail.n, settled: entry.settled } });
    }
    const stores = intent === undefined ? (['entries', 'tail'] as const) : (['entries', 'tail', 'intents'] as const);
    await this.db.write([...stores], async (tx) => {
      const check = async (): Promise<void> => {
        const found = (await tx.objectStore('tail').get('tail')) ?? start;
        // The same mark: the connection was lost after this transaction was complete.
        if (found.mark !== this.tail.mark && found.mark !== tail.mark) throw new ForkError('Another tab continued the journal.');
      };
      const requests: Array<() => Promise<unknown>> = [
        check,
        ...made.map(
          ({ stored }) =>
            () =>
              tx.objectStore('entries').put(stored, stored.n),
        ),
        () => tx.objectStore('tail').put(tail, 'tail'),
        ...(intent === undefined ? [] : [() => tx.objectStore('intents').delete(intent)]),
      ];
      // Sent together, because each answer takes its time. A fork takes all of them back.
      await Promise.all(requests.map(async (send) => send()));
    });
    this.tail = tail;
    const entries = made.map(({ entry }) => entry);
    this.entries.push(...entries);
    return entries;
  }

  /** null: it was written under a key that is gone. */
  private async decrypt(stored: StoredEntry): Promise<Entry | null> {
    const text = await this.vault.open(stored);
    if (text === null) return null;
    const { facts, line } = JSON.parse(text) as Pick<Entry, 'facts' | 'line'>;
    return { n: stored.n, facts, line, settled: stored.settled, stamp: 0 };
  }
}
