import { currentTenantId, FairLimit, networkOfClient, UnavailableError, type WaitingClient } from '#kernel';

/** The caller of a hash. Calls of the same network, person or tenant share their limits and take turns. */
export type PasswordCaller =
  | { readonly kind: 'browser'; /** Identifies the person. */ readonly id: string }
  | { readonly kind: 'network'; /** IP address. */ readonly client: string | undefined }
  | { readonly kind: 'staff' };

/** Runs the hashing when it is the caller's turn. @param client if it disconnects before, nothing is hashed */
export type InPasswordTurn = <Result>(hashing: () => Promise<Result>, client?: WaitingClient) => Promise<Result>;

/**
 * Maximum number of running and waiting calls of each kind, in total (`all`) and per caller (`each`). A hash takes about 40 ms and two run
 * at a time, so the longest wait is about two seconds. The separate limits keep a flood from unknown networks from blocking known browsers
 * and staff.
 */
export const passwordPlaces = {
  network: { all: 32, each: 12 },
  browser: { all: 16, each: 4 },
  staff: { all: 64, each: 16 },
} as const satisfies Record<PasswordCaller['kind'], { all: number; each: number }>;

/** Limits password hashing to two at a time, so that a flood of sign-ins leaves processor time for scanning. Callers take turns. */
export class PasswordQueue {
  private readonly turns = new FairLimit({ total: 2, each: 2, waiting: Infinity, waitMs: 30_000, refuse: busy });
  /** Number of running and waiting calls, by caller and by kind. */
  private readonly taken = new Map<string, number>();

  /**
   * Runs `work` within the limits. The call is counted before `work` starts, so that the limits hold whatever `work` awaits.
   * @throws UnavailableError when a limit is reached
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
