import { applyDelta, packOf, payloadOf, type Pack } from '../pack/pack.js';
import { readPayload, type PackPayload } from '../pack/payload.js';
import type { DoorDatabase } from './database.js';
import type { Vault } from './vault.js';

/** After so many stored deltas the list is stored as a whole again. */
const mostDeltas = 100;

/** The list of the event at rest: one encrypted file, and the deltas since. */
export class PackStore {
  private deltas = 0;
  /** Until when the stored list may be used, in milliseconds since 1970, also while no event is open; null: there is none. */
  leaseEnd: number | null = null;

  constructor(
    private readonly db: DoorDatabase,
    private readonly vault: Vault,
  ) {}

  /** @returns undefined: there is none, or it does not open */
  async load(): Promise<Pack | undefined> {
    const [full, deltas] = await this.db.read(['files', 'deltas'], (tx) =>
      Promise.all([tx.objectStore('files').get('pack'), tx.objectStore('deltas').getAll()]),
    );
    const text = full && (await this.vault.open(full));
    if (!text) return undefined;
    let pack = packOf(readPayload(text));
    for (const delta of deltas) {
      const changed = await this.vault.open(delta);
      pack = (changed !== null && applyDelta(pack, readPayload(changed))) || pack;
    }
    this.deltas = deltas.length;
    this.leaseEnd = pack.leaseEnd;
    return pack;
  }

  async replace(pack: Pack): Promise<void> {
    const sealed = await this.vault.seal(JSON.stringify(payloadOf(pack)));
    this.deltas = 0;
    this.leaseEnd = pack.leaseEnd;
    await this.db.write(['files', 'deltas'], async (tx) => {
      await tx.objectStore('deltas').clear();
      await tx.objectStore('files').put(sealed, 'pack');
    });
  }

  /** Stores a delta that was applied to `pack`. */
  async add(delta: PackPayload, pack: Pack): Promise<void> {
    if (this.deltas >= mostDeltas) return this.replace(pack);
    this.deltas += 1;
    this.leaseEnd = pack.leaseEnd;
    const [sealed, at] = [await this.vault.seal(JSON.stringify(delta)), this.deltas];
    return this.db.write('deltas', async (tx) => {
      await tx.objectStore('deltas').put(sealed, at);
    });
  }

  async remove(): Promise<void> {
    this.deltas = 0;
    this.leaseEnd = null;
    await this.db.write(['files', 'deltas'], async (tx) => {
      await tx.objectStore('deltas').clear();
      await tx.objectStore('files').delete('pack');
    });
  }
}
