import type { ContactDevice } from '../engine/contact.js';
import type { Door } from '../engine/door.js';
import { instantOrNull } from '../network/instants.js';
import type { Session } from './session.js';

interface Parts {
  readonly door: Door;
  readonly session: Session;
  readonly open: (eventId: string, gateId: string | null) => Promise<void>;
  readonly changeGate: (gateId: string | null) => Promise<void>;
}

/** Follows what staff decide about the device. */
export class Following {
  constructor(private readonly parts: Parts) {}

  /** The device may not scan now. @param opensAt when it opens; null: when staff open it */
  lock(opensAt: number | null): void {
    const { door } = this.parts;
    if (door.credentials) door.store.set({ phase: 'locked', opensAt });
  }

  /** Staff locked or opened the device, changed its role, or moved it to another event or gate. */
  async follow(device: ContactDevice): Promise<void> {
    const { door, session } = this.parts;
    const before = door.credentials;
    const opensAt = instantOrNull(device.opens_at);
    if (device.locked) this.lock(opensAt !== null && opensAt > door.clock.now() ? opensAt : null);
    else if (door.store.state.phase === 'locked') door.store.set({ phase: door.pack ? 'open' : 'choosing', opensAt: null });
    const { name, role, event = null, gate = null, moves } = device;
    await session.follow({ ...(name && { deviceName: name }), ...(role && { role }) });
    // People may have gone elsewhere on the phone since: the number of moves tells that staff chose the same place again.
    const isMovedAgain = before?.moves !== undefined && moves !== undefined && moves !== before.moves;
    const isMoved = isMovedAgain || event !== before?.event || gate !== before?.gate;
    // What is not stored is followed at a later contact: once the device is open, or when the list of the event arrives.
    if (isMoved && device.locked) return;
    if (isMoved && event !== null && event !== door.pack?.event.id) await this.goTo(event, gate);
    else if (isMoved && gate !== null && door.pack) await this.parts.changeGate(gate);
    await session.follow({ event, gate, ...(moves !== undefined && { moves }) });
  }

  private async goTo(eventId: string, gateId: string | null): Promise<void> {
    const { door, open } = this.parts;
    const { gateId: before } = door;
    try {
      await open(eventId, gateId);
    } catch (error) {
      door.gateId = before;
      throw error;
    }
  }
}
