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

/** Numbers of connections of one process. */
export interface ConnectionLimits {
  /** For one tenant. */
  readonly each: number;
  /** For the urgent work of one tenant, with its other work; at least `each`. */
  readonly urgent: number;
  /** For the work of all tenants that is not urgent. */
  readonly others: number;
}

/** Connections that the urgent work of one tenant leaves to all others. */
const leftByUrgent = 3;

/**
 * Half of a pool for one tenant; pools of six or more keep two connections for urgent work of all tenants, smaller ones keep one. Urgent
 * work is short, so that of one tenant may take all connections but three: a door with a queue commits more scans at once then.
 */
export function limitsOfPool(poolSize: number): ConnectionLimits {
  const keptForUrgent = poolSize >= 6 ? 2 : poolSize >= 3 ? 1 : 0;
  const each = Math.max(1, Math.floor(poolSize / 2));
  return { each, urgent: Math.max(each, poolSize - leftByUrgent), others: poolSize - keptForUrgent };
}

/**
 * Limits how many connections one tenant uses at once, so that a flood or a locked row of one leaves connections to all others, and how
 * many all tenants use for work that is not urgent, so that urgent work (scans) always finds one. Within a tenant, urgent work comes first
 * and other work in the order of arrival; between tenants, the one with the fewest connections comes first. Tenants without work take no
 * memory.
 */
export class ConnectionShare {
  private readonly shares = new Map<string, Share>();
  private readonly limitOfOther: number;
  /** Connections with work that is not urgent, and work that waits for one. */
  private others = 0;
  private othersWaiting = 0;

  /**
   * @param waitMs longest wait for a connection
   * @param maximumWaiting callers of one tenant that may wait, urgent ones apart; the next one is refused at once
   */
  constructor(
    private readonly limits: ConnectionLimits,
    private readonly waitMs: number,
    private readonly maximumWaiting = 1000,
  ) {
    this.limitOfOther = limits.each >= enoughToKeepOne ? limits.each - 1 : limits.each;
  }

  /**
   * Takes one of the tenant's connections; give it back with `leave`.
   * @returns undefined when one is free, else a promise for the turn, which is rejected with UnavailableError when it does not come in time
   */
  enter(tenantId: string, urgent = false): Promise<void> | undefined {
    let share = this.shares.get(tenantId);
    if (!share) this.shares.set(tenantId, (share = { active: 0, waiting: { urgent: [], other: [] } }));
    if (urgent ? share.active < this.limits.urgent : this.mayStartOther(share)) {
      this.begin(share, urgent);
      return undefined;
    }
    return this.turnOf(tenantId, share, urgent);
  }

  /** @param urgent as in the call of `enter` */
  leave(tenantId: string, urgent = false): void {
    const share = this.shares.get(tenantId);
    if (!share) return;
    share.active -= 1;
    if (!urgent) this.others -= 1;
    if (share.waiting.urgent.length > 0) this.start(share, true);
    // Moves the tenant to the end, so that tenants with equally many connections take turns.
    this.shares.delete(tenantId);
    if (!isIdle(share)) this.shares.set(tenantId, share);
    for (let next = this.nextOther(); next; next = this.nextOther()) this.start(next, false);
  }

  private mayStartOther({ active }: Share): boolean {
    return active < this.limitOfOther && this.others < this.limits.others;
  }

  private begin(share: Share, urgent: boolean): void {
    share.active += 1;
    if (!urgent) this.others += 1;
  }

  private start(share: Share, urgent: boolean): void {
    const next = (urgent ? share.waiting.urgent : share.waiting.other).shift() as Waiting;
    if (!urgent) this.othersWaiting -= 1;
    this.begin(share, urgent);
    clearTimeout(next.timer);
    next.proceed();
  }

  /** The tenant with the fewest connections whose other work may start. */
  private nextOther(): Share | undefined {
    if (this.othersWaiting === 0 || this.others >= this.limits.others) return undefined;
    let chosen: Share | undefined;
    for (const share of this.shares.values()) {
      if (share.waiting.other.length === 0 || !this.mayStartOther(share)) continue;
      if (!chosen || share.active < chosen.active) chosen = share;
    }
    return chosen;
  }

  private turnOf(tenantId: string, share: Share, urgent: boolean): Promise<void> {
    const queue = urgent ? share.waiting.urgent : share.waiting.other;
    if (queue.length >= this.maximumWaiting)
      return Promise.reject(new UnavailableError('Too much work of this tenant waits for a connection.'));
    if (!urgent) this.othersWaiting += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        if (!urgent) this.othersWaiting -= 1;
        if (isIdle(share)) this.shares.delete(tenantId);
        reject(new UnavailableError('All connections of this tenant, or of all tenants, are busy.'));
      }, this.waitMs);
      const waiting: Waiting = { proceed: resolve, timer };
      queue.push(waiting);
    });
  }
}

function isIdle({ active, waiting }: Share): boolean {
  return active === 0 && waiting.urgent.length === 0 && waiting.other.length === 0;
}
