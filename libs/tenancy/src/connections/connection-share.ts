import { UnavailableError } from '#kernel';

interface Share {
  active: number;
  readonly waiting: { readonly urgent: Waiting[]; readonly other: Waiting[] };
}

interface Waiting {
  readonly proceed: () => void;
  readonly timer: NodeJS.Timeout;
}

/** From this limit on, one connection of a tenant is kept for urgent work. */
const enoughToKeepOne = 4;

/**
 * Limits how many connections one tenant uses at once, so that a flood or a locked row of one leaves connections to all others. Work over
 * the limit waits in the order of arrival, urgent work (the door) first. Tenants without work take no memory.
 */
export class ConnectionShare {
  private readonly shares = new Map<string, Share>();
  private readonly limitOfOther: number;

  /**
   * @param limit connections of one tenant
   * @param waitMs longest wait for one of them
   * @param maximumWaiting callers of one tenant that may wait, urgent ones apart; the next one is refused at once
   */
  constructor(
    private readonly limit: number,
    private readonly waitMs: number,
    private readonly maximumWaiting = 1000,
  ) {
    this.limitOfOther = limit >= enoughToKeepOne ? limit - 1 : limit;
  }

  /**
   * Takes one of the tenant's connections; give it back with `leave`.
   * @returns undefined when one is free, else a promise for the turn, which is rejected with UnavailableError when it does not come in time
   */
  enter(tenantId: string, urgent = false): Promise<void> | undefined {
    let share = this.shares.get(tenantId);
    if (!share) this.shares.set(tenantId, (share = { active: 0, waiting: { urgent: [], other: [] } }));
    if (share.active < (urgent ? this.limit : this.limitOfOther)) {
      share.active += 1;
      return undefined;
    }
    return this.turnOf(urgent ? share.waiting.urgent : share.waiting.other);
  }

  leave(tenantId: string): void {
    const share = this.shares.get(tenantId);
    if (!share) return;
    share.active -= 1;
    const next = share.waiting.urgent.shift() ?? (share.active < this.limitOfOther ? share.waiting.other.shift() : undefined);
    if (next) {
      share.active += 1;
      clearTimeout(next.timer);
      next.proceed();
    } else if (share.active === 0) this.shares.delete(tenantId);
  }

  private turnOf(queue: Waiting[]): Promise<void> {
    if (queue.length >= this.maximumWaiting)
      return Promise.reject(new UnavailableError('Too much work of this tenant waits for a connection.'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new UnavailableError('All connections of this tenant are busy.'));
      }, this.waitMs);
      const waiting: Waiting = { proceed: resolve, timer };
      queue.push(waiting);
    });
  }
}
