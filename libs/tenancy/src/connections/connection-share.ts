import { UnavailableError } from '#kernel';

interface Share {
  active: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly proceed: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Limits how many connections one tenant uses at once, so that a flood or a locked row of one leaves connections to all others. Who is
 * over the limit waits in the order of arrival. Tenants without work take no memory.
 */
export class ConnectionShare {
  private readonly shares = new Map<string, Share>();

  /**
   * @param limit connections of one tenant
   * @param waitMs longest wait for one of them
   * @param maximumWaiting callers of one tenant that may wait; the next one is refused at once
   */
  constructor(
    private readonly limit: number,
    private readonly waitMs: number,
    private readonly maximumWaiting = 1000,
  ) {}

  /**
   * Takes one of the tenant's connections; give it back with `leave`.
   * @returns undefined when one is free, else a promise for the turn, which is rejected with UnavailableError when it does not come in time
   */
  enter(tenantId: string): Promise<void> | undefined {
    let share = this.shares.get(tenantId);
    if (!share) this.shares.set(tenantId, (share = { active: 0, waiting: [] }));
    if (share.active < this.limit) {
      share.active += 1;
      return undefined;
    }
    return this.turnOf(share);
  }

  leave(tenantId: string): void {
    const share = this.shares.get(tenantId);
    if (!share) return;
    const next = share.waiting.shift();
    if (next) {
      clearTimeout(next.timer);
      next.proceed();
      return;
    }
    share.active -= 1;
    if (share.active === 0) this.shares.delete(tenantId);
  }

  private turnOf(share: Share): Promise<void> {
    if (share.waiting.length >= this.maximumWaiting)
      return Promise.reject(new UnavailableError('Too much work of this tenant waits for a connection.'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        share.waiting.splice(share.waiting.indexOf(waiting), 1);
        reject(new UnavailableError('All connections of this tenant are busy.'));
      }, this.waitMs);
      const waiting: Waiting = { proceed: resolve, timer };
      share.waiting.push(waiting);
    });
  }
}
