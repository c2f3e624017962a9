import { OwnMoves } from '../journal/own-moves.js';
import type { DoorState } from '../types.js';
import type { Door } from '../door/door.js';

/** Name of the file with the token that can only send the journal. */
export const quarantineFile = 'quarantine';
/** Name of the file with the secret of the installation, by which the same phone gets the same device again. */
export const installationFile = 'installation';

/** Destroys key, list and names on disk and in memory. The journal and the token of the quarantine stay. */
export async function wipe(door: Door): Promise<void> {
  forgetAll(door, { phase: 'wiped' });
  await door.db.clearData([quarantineFile, installationFile]);
  door.dataVault.forget();
}

/** Forgets in memory what the phone knew. @param change of the state of the screens */
export function forgetAll(door: Door, change: Partial<DoorState>): void {
  door.credentials = null;
  door.lease.end();
  door.usePack(null);
  door.gateId = null;
  door.direction = 'entry';
  door.own = new OwnMoves([]);
  door.intents.clear();
  door.store.reset(change);
}
