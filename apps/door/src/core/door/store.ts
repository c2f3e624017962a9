import type { DoorState } from '../types.js';

/** The state before anything is known. */
export const startingState: DoorState = {
  phase: 'starting',
  tenantName: null,
  timeZone: null,
  deviceName: null,
  role: 'scan',
  events: [],
  event: null,
  gates: [],
  gate: null,
  direction: 'entry',
  counts: null,
  network: { kind: 'offline', listAt: null, unsent: 0 },
  conflicts: [],
  allowance: 0,
  practice: false,
  opensAt: null,
  updateReady: false,
  persistent: null,
};

/** The state that screens show, and who listens to it. */
export class DoorStore {
  private current = startingState;
  private readonly listeners = new Set<() => void>();

  get state(): DoorState {
    return this.current;
  }

  /** Replaces members. Listeners are called when one of them differs. */
  set(change: Partial<DoorState>): void {
    const names = Object.keys(change) as Array<keyof DoorState>;
    if (names.every((name) => same(this.current[name], change[name]))) return;
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Back to the state of a phone that was never paired. */
  reset(change: Partial<DoorState>): void {
    const { persistent, updateReady, network } = this.current;
    this.current = { ...startingState, persistent, updateReady, network: { ...network, listAt: null, unsent: 0 } };
    this.set({ phase: 'unpaired', ...change });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Whether two values say the same. The values are small. */
function same(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
}
