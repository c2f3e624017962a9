import { OwnMoves } from '../journal/own-moves.js';
import type { PublicJwk } from '../codes/key-ring.js';
import { writeTogether } from '../storage/files.js';
import type { Direction, DoorEvent } from '../types.js';
import type { ClockRecord } from '../network/clock.js';
import type { Credentials } from '../door/context.js';
import type { Door } from '../door/door.js';
import { quarantineFile } from './ending.js';

/** What was chosen on the phone, to continue with after a restart. */
interface Chosen {
  readonly eventId: string | null;
  readonly gateId: string | null;
  /** Missing: entry. */
  readonly direction?: Direction;
}

/** Pairing, and what the phone remembers of it: encrypted, except that there is something. */
export class Session {
  private saving: Promise<void> = Promise.resolve();

  constructor(private readonly door: Door) {}

  /** Reads everything that was stored. @returns whether the phone is paired, or was and still has to send its journal */
  async load(): Promise<'paired' | 'unpaired' | 'wiped'> {
    const { door } = this;
    const [credentials, keys, clock, chosen] = await Promise.all([
      door.files.read<Credentials>('credentials'),
      door.files.read<readonly PublicJwk[]>('keys'),
      door.journalFiles.read<ClockRecord>('clock'),
      door.files.read<Chosen>('chosen'),
    ]);
    await door.journal.load();
    if (clock) door.clock.restore(clock);
    if (!credentials) return (await door.journalFiles.read<string>(quarantineFile)) === undefined ? 'unpaired' : 'wiped';
    door.credentials = credentials;
    door.keys.add(keys ?? []);
    await door.intents.load(new Set(door.journal.entries.map(({ facts }) => facts.scanId)));
    door.own = new OwnMoves(door.journal.entries);
    const pack = await door.packStore.load().catch(() => undefined);
    this.show(credentials);
    // The phone was off when the list had to be destroyed.
    const isOver = pack !== undefined && door.clock.now() > pack.leaseEnd;
    if (isOver) await door.forgetList();
    const isOpen = !isOver && pack !== undefined && chosen?.eventId === pack.event.id;
    if (isOpen) {
      door.gateId = chosen?.gateId ?? null;
      door.direction = chosen?.direction ?? 'entry';
    }
    const { held_until: end = null, lease_ms: ms = null } = pack?.head ?? {};
    // The clock showed at least the moment of the request that gave the lease, also when nothing was kept after it.
    const seen = Math.max((await door.files.read<number>('seen')) ?? 0, (end ?? 0) - (ms ?? 0));
    door.lease.restore(isOver ? null : end, seen);
    door.usePack(isOpen ? pack : null);
    door.store.set({ events: await this.storedEvents() });
    return 'paired';
  }

  /** Stores what is chosen. Calls wait for each other, so that the last choice stays. */
  saveChosen(): Promise<void> {
    const saved = this.saving.then(() => this.writeChosen());
    this.saving = saved.catch(() => {});
    return saved;
  }

  private async writeChosen(): Promise<void> {
    const { pack, gateId, direction, db, files, keys } = this.door;
    const chosen: Chosen = { eventId: pack?.event.id ?? null, gateId, direction };
    await writeTogether(db, [
      [files, 'chosen', chosen],
      [files, 'keys', keys.keys],
    ]);
  }

  /** Writes what the phone knows of its pairing into the state of the screens. */
  show({ tenantName, timeZone, deviceName, role }: Credentials): void {
    this.door.store.set({ tenantName, timeZone, deviceName, role });
  }

  /** The current and coming events that were stored. */
  async storedEvents(): Promise<readonly DoorEvent[]> {
    const stored = await this.door.files.read<readonly DoorEvent[]>('events');
    const now = this.door.clock.now();
    return (stored ?? []).filter(({ start, end, closes }) => Math.max(start, end ?? start + 43_200_000, closes ?? 0) > now);
  }

  /** The device may not scan now. @param opensAt when it opens, or opened; null: when staff open it */
  lock(opensAt: number | null): void {
    const { door } = this;
    if (door.credentials) door.store.set({ phase: 'locked', opensAt: opensAt !== null && opensAt > door.clock.now() ? opensAt : null });
  }

  /** What the browser says about keeping data, for the screens. @param ask also asks it to */
  async askToKeep(ask: boolean): Promise<void> {
    const { surroundings, store } = this.door;
    store.set({ persistent: await surroundings.persistent(ask).catch(() => null) });
  }
}
