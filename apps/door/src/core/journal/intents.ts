import type { DoorDatabase } from '../storage/database.js';
import type { Vault } from '../storage/vault.js';
import type { Direction } from '../types.js';
import type { LineSubject } from './line.js';

/** An attempt without an end: the server was asked, or a person has to decide. */
export interface Intent {
  readonly scanId: string;
  readonly eventId: string;
  /** SHA-256 of the code, base64url. */
  readonly mark: string;
  /** What its line will say about the code. */
  readonly named: LineSubject;
  readonly ticket: string | null;
  readonly gateId: string | null;
  readonly direction: Direction;
  /** Milliseconds since 1970 on the server's clock. */
  readonly at: number;
  /** Somebody was shown that a person decides. */
  readonly shown: boolean;
}

/** An attempt is taken up again within this time, in milliseconds. */
export const intentLife = 600_000;

/**
 * Attempts without an end, on disk. When the app is killed after the server let a ticket in and before anybody saw it, the next scan of the
 * code repeats the attempt under its id, and is answered the same.
 */
export class Intents {
  private readonly all = new Map<string, Intent>();

  constructor(
    private readonly db: DoorDatabase,
    private readonly vault: Vault,
  ) {}

  /** @param done ids of attempts that have an entry in the journal: these have ended */
  async load(done: ReadonlySet<string>): Promise<void> {
    const stored = await this.db.read('intents', (tx) => tx.objectStore('intents').getAll());
    for (const sealed of stored) {
      const text = await this.vault.open(sealed);
      if (text === null) continue;
      const intent = JSON.parse(text) as Intent;
      if (!done.has(intent.scanId)) this.all.set(intent.scanId, intent);
    }
  }

  get(scanId: string): Intent | undefined {
    return this.all.get(scanId);
  }

  /** The attempt with this code that has no end, at the same gate and in the same direction. */
  like({ eventId, mark, gateId, direction, at }: Omit<Intent, 'scanId' | 'shown' | 'ticket' | 'named'>): Intent | undefined {
    return [...this.all.values()].find(
      (one) =>
        one.mark === mark && one.eventId === eventId && one.gateId === gateId && one.direction === direction && at - one.at < intentLife,
    );
  }

  /** Stores an attempt. It is known at once, and on disk when this settles. */
  async put(intent: Intent): Promise<void> {
    this.all.set(intent.scanId, intent);
    const sealed = await this.vault.seal(JSON.stringify(intent));
    // It may have ended in the meantime.
    if (this.all.get(intent.scanId) !== intent) return;
    await this.db.write('intents', async (tx) => {
      await tx.objectStore('intents').put(sealed, intent.scanId);
    });
    if (!this.all.has(intent.scanId)) await this.remove(intent.scanId);
  }

  /**
   * Forgets an attempt in memory; the journal deletes it on disk with its entry.
   * @returns remembers it again: the entry could not be written, so the next scan of the code repeats the attempt
   */
  ended(scanId: string): () => void {
    const intent = this.all.get(scanId);
    this.all.delete(scanId);
    return () => {
      if (intent) this.all.set(scanId, intent);
    };
  }

  async remove(scanId: string): Promise<void> {
    this.all.delete(scanId);
    await this.db.write('intents', (tx) => tx.objectStore('intents').delete(scanId));
  }

  /** Attempts that nobody will end. */
  expired(now: number): Intent[] {
    return [...this.all.values()].filter(({ at }) => now - at >= intentLife);
  }

  clear(): void {
    this.all.clear();
  }
}
