import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';

/** Encrypted bytes with their initialisation vector. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

/** A journal entry as it is stored: its content is encrypted. */
export interface StoredEntry extends Sealed {
  readonly n: number;
  /** The server answered it, or decided it. */
  readonly settled: boolean;
}

/** The end of the journal: the next entry continues here. */
export interface Tail {
  /** Number of the last entry. */
  readonly n: number;
  /** Number of the last line for the server; -1: none. */
  readonly sequence: number;
  /** SHA-256 of the last line, base64url; null: none. */
  readonly hash: string | null;
  /** Marks who wrote it, so that a repeated attempt sees that it was done. */
  readonly mark: string;
}

interface DoorSchema extends DBSchema {
  keys: { key: string; value: CryptoKey };
  files: { key: string; value: Sealed };
  deltas: { key: number; value: Sealed };
  entries: { key: number; value: StoredEntry };
  tail: { key: string; value: Tail };
  intents: { key: string; value: Sealed };
}

type Stores = StoreNames<DoorSchema>;
type Transaction = IDBPTransaction<DoorSchema, Stores[], 'readwrite'>;

const stores: readonly Stores[] = ['keys', 'files', 'deltas', 'entries', 'tail', 'intents'];
/** A connection that the browser dropped is opened again this often. */
const attempts = 4;

/** The app's database in this browser. Opens it again when the browser dropped the connection, as WebKit does in the background. */
export class DoorDatabase {
  private connection: Promise<IDBPDatabase<DoorSchema>> | undefined;
  private ended = false;

  constructor(readonly name: string) {}

  /** Runs one reading transaction. */
  read<Result>(names: Stores | Stores[], work: (tx: IDBPTransaction<DoorSchema, Stores[]>) => Promise<Result>): Promise<Result> {
    return this.retry(async (db) => {
      const tx = db.transaction([names].flat(), 'readonly');
      const result = await work(tx);
      await tx.done;
      return result;
    });
  }

  /**
   * Runs one writing transaction. When this settles, the transaction is complete and on disk. `work` must only await the transaction's own
   * requests, and must have the same effect when it runs twice.
   */
  write<Result>(names: Stores | Stores[], work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.retry(async (db) => {
      const tx = db.transaction([names].flat(), 'readwrite', { durability: 'strict' });
      try {
        const result = await work(tx);
        await tx.done;
        return result;
      } catch (error) {
        tx.done.catch(() => {});
        // A full phone aborts the transaction: the requests in it then fail for that reason only.
        const { error: why } = tx;
        abort(tx);
        throw isFull(why) ? why : error;
      }
    });
  }

  /** Deletes everything. */
  clear(): Promise<void> {
    return this.write([...stores], async (tx) => {
      for (const name of stores) await tx.objectStore(name).clear();
    });
  }

  /** Deletes key, list, names and what the phone was about to do; keeps the journal and these files. */
  clearData(keep: readonly string[]): Promise<void> {
    return this.write(['keys', 'files', 'deltas', 'intents'], async (tx) => {
      await tx.objectStore('keys').delete('data');
      for (const name of await tx.objectStore('files').getAllKeys()) if (!keep.includes(name)) await tx.objectStore('files').delete(name);
      await tx.objectStore('deltas').clear();
      await tx.objectStore('intents').clear();
    });
  }

  /** Closes the connection; the next call opens it again. */
  async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    (await connection?.catch(() => undefined))?.close();
  }

  /** Closes the connection for good: what still runs writes nothing any more. */
  async end(): Promise<void> {
    this.ended = true;
    await this.close();
  }

  private async retry<Result>(work: (db: IDBPDatabase<DoorSchema>) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      if (this.ended) throw new Error('The app was closed.');
      try {
        this.connection ??= this.open();
        return await work(await this.connection);
      } catch (error) {
        if (attempt === attempts || !isDropped(error)) throw error;
        await this.close().catch(() => {});
      }
    }
  }

  private open(): Promise<IDBPDatabase<DoorSchema>> {
    const forget = (): void => {
      this.connection = undefined;
    };
    const opening = openDB<DoorSchema>(this.name, 1, {
      upgrade: (db) => {
        for (const name of stores) if (!db.objectStoreNames.contains(name)) db.createObjectStore(name);
      },
      blocking: (_current, _next, event) => {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    });
    opening.catch(forget);
    return opening;
  }
}

function abort(tx: Transaction): void {
  try {
    tx.abort();
  } catch {
    // It ended already.
  }
}

/** Whether an error means that the phone has no room left. */
export function isFull(error: unknown): boolean {
  return nameOf(error) === 'QuotaExceededError';
}

/** Whether an error means that the connection is gone, and not that the work is wrong. */
function isDropped(error: unknown): boolean {
  return ['InvalidStateError', 'UnknownError', 'AbortError', 'TransactionInactiveError', 'TimeoutError'].includes(nameOf(error));
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}
