import type { Door } from '../../door/door.js';
import { instantOrNull } from '../../network/instants.js';
import type { Session } from '../../session/session.js';
import type { ContactDevice } from '../contact.js';
import { endOfHours, unlock } from '../hours.js';
import type { CredentialsKeeper } from './credentials-keeper.js';

interface Parts {
  readonly door: Door;
  readonly session: Session;
  readonly credentials: CredentialsKeeper;
  readonly open: (eventId: string, gateId: string | null) => Promise<void>;
  readonly changeGate: (gateId: string | null) => Promise<void>;
}

/** Follows what staff decide about the device: they lock or open it, change its role, or move it to another event or gate. */
export async function follow({ door, session, credentials, open, changeGate }: Parts, device: ContactDevice): Promise<void> {
  const before = door.credentials;
  const [opensAt, closesAt] = [instantOrNull(device.opens_at), instantOrNull(device.closes_at)];
  const locked = device.locked === true;
  if (locked) {
    session.lock(opensAt);
    door.store.set({ closedAt: endOfHours(door.clock, closesAt) });
  } else if (door.store.state.phase === 'locked') unlock(door);
  const { name, role, event = null, gate = null, moves } = device;
  await credentials.follow({ ...(name && { deviceName: name }), ...(role && { role }), locked, opensAt, closesAt });
  // People may have gone elsewhere on the phone since: the number of moves tells that staff chose the same place again.
  const isMovedAgain = before?.moves !== undefined && moves !== undefined && moves !== before.moves;
  const isMoved = isMovedAgain || event !== before?.event || gate !== before?.gate;
  // What is not stored is followed at a later contact: once the device is open, or when the list of the event arrives.
  if (isMoved && locked) return;
  if (isMoved && event !== null && event !== door.pack?.event.id) {
    const { gateId } = door;
    try {
      await open(event, gate);
    } catch (error) {
      door.gateId = gateId;
      throw error;
    }
  } else if (isMoved && gate !== null && door.pack) await changeGate(gate);
  await credentials.follow({ event, gate, ...(moves !== undefined && { moves }) });
}
