import { currentTenantId, FairLimit, networkOfClient, UnavailableError, type WaitingClient } from '#kernel';

/** For whom a password is hashed. Those of one network, person or tenant share their places and their turns. */
export type PasswordCaller =
  | { readonly kind: 'browser'; /** The person in whose known browser it is. */ readonly id: string }
  | { readonly kind: 'network'; /** IP address. */ readonly client: string | undefined }
  | { readonly kind: 'staff' };

/** Runs the hashing when it is the caller's turn. @param client when it is gone meanwhile, nothing is hashed */
export type InPasswordTurn = <Result>(hashing: () => Promise<Result>, client?: WaitingClient) => Promise<Result>;

/**
 * Places of each kind, in all and for one caller. At about 40 ms a password and two at a time, the last of all waits two seconds. A flood
 * from strange networks leaves the places of known browsers and of staff free.
 */
export const passwordPlaces = {
  network: { all: 32, each: 12 },
  browser: { all: 16, each: 4 },
  staff: { all: 64, each: 16 },
} as const satisfies Record<PasswordCaller['kind'], { all: number; each: number }>;

/** A sign-in flood must not take both cores from scanning: two passwords are hashed at a time, in turns between callers. */
export class PasswordQueue {
  private readonly turns = new FairLimit({ total: 2, each: 2, waiting: Infinity, waitMs: 30_000, refuse: busy });
  /** Taken places by caller, and by kind. */
  private readonly taken = new Map<string, number>();

  /**
   * Takes a place before the work begins, so that whatever the work awaits, no more callers than places hash or wait.
   * @throws UnavailableError when there is no place
   */
  async run<Result>(caller: PasswordCaller, work: (inTurn: InPasswordTurn) => Promise<Result>): Promise<Result> {
    const key = keyOf(caller);
    const { all, each } = passwordPlaces[caller.kind];
    if (this.count(caller.kind) >= all || this.count(key) >= each) throw busy();
    this.change(key, 1);
    this.change(caller.kind, 1);
    try {
      return await work((hashing, client) => this.turns.run(hashing, client, key));
    } finally {
      this.change(key, -1);
      this.change(caller.kind, -1);
    }
  }

  private count(name: string): number {
    return this.taken.get(name) ?? 0;
  }

  private change(name: string, by: number): void {
    const count = this.count(name) + by;
    if (count === 0) this.taken.delete(name);
    else this.taken.set(name, count);
  }
}

function keyOf(caller: PasswordCaller): string {
  if (caller.kind === 'browser') return `browser ${caller.id}`;
  if (caller.kind === 'network') return `network ${networkOfClient(caller.client, 24)}`;
  return `staff ${currentTenantId() ?? ''}`;
}

function busy(): Error {
  return new UnavailableError('Too many sign-ins are under way, or nobody waits for this one any more.');
}
