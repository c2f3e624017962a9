import { currentTenantId, FairLimit, networkOfClient, UnavailableError, type WaitingClient } from '#kernel';
import { limits } from '../limits.js';

/** The caller of a hash. Calls of the same network, person or tenant share their limits and take turns. */
export type PasswordCaller =
  | { readonly kind: 'browser'; /** Identifies the person. */ readonly id: string }
  | { readonly kind: 'network'; /** IP address. */ readonly client: string | undefined }
  | { readonly kind: 'staff' };

/** Runs the hashing when it is the caller's turn. @param client if it disconnects before, nothing is hashed */
export type InPasswordTurn = <Result>(hashing: () => Promise<Result>, client?: WaitingClient) => Promise<Result>;

/** Running and waiting calls by kind. Separate limits keep a flood from unknown networks from blocking known browsers and staff. */
export const passwordPlaces = {
  network: limits.networkPasswords.turns,
  browser: limits.browserPasswords.turns,
  staff: limits.staffPasswords.turns,
} as const;

/** Limits password hashing to two at a time, so that a flood of sign-ins leaves processor time for scanning. Callers take turns. */
export class PasswordQueue {
  private readonly turns = new FairLimit({ ...limits.passwords.turns, refuse: busy });
  private readonly places = {
    network: new FairLimit({ ...passwordPlaces.network, refuse: busy }),
    browser: new FairLimit({ ...passwordPlaces.browser, refuse: busy }),
    staff: new FairLimit({ ...passwordPlaces.staff, refuse: busy }),
  };

  /**
   * Runs `work` within the limits. The call is counted before `work` starts, so that the limits hold whatever `work` awaits.
   * @throws UnavailableError when a limit is reached
   */
  async run<Result>(caller: PasswordCaller, work: (inTurn: InPasswordTurn) => Promise<Result>): Promise<Result> {
    const key = keyOf(caller);
    const leave = this.places[caller.kind].claim(key);
    try {
      return await work((hashing, client) => this.turns.run(hashing, client, key));
    } finally {
      leave();
    }
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
