import { Inject, Injectable } from '@nestjs/common';
import { currentClient, FairLimit, SETTINGS, type Settings } from '#kernel';
import { limits } from '../limits.js';

/** Connections that bookings leave free for scanning and the panel. Bookings over the limit wait in memory. */
const reservedConnections = 3;

/** From this many waiting bookings for each turn on, a tenant's bookings are crowded. They wait less than a second up to there. */
const waitingPerTurn = 8;

/**
 * Limits concurrent transactions that take places, so that scanning and the panel keep free connections. The client networks of a tenant
 * take turns, so that a buyer does not wait behind all the requests of a flood.
 */
@Injectable()
export class BookingTurnsService {
  private readonly limit: FairLimit;
  private readonly crowd: number;

  constructor(@Inject(SETTINGS) { databasePoolSize: pool }: Settings) {
    // A tenant may use half of the pool; one of these connections stays free for the tenant's own scanning.
    const each = Math.max(1, Math.floor(pool / 2) - 1);
    this.crowd = each * waitingPerTurn;
    const total = Math.max(each, pool - reservedConnections);
    this.limit = new FairLimit({ ...limits.bookings.turns, total, each });
  }

  /** Whether so many bookings of the current tenant wait that the next buyers do so outside of this process's memory. */
  isCrowded(): boolean {
    return this.limit.waitingNow() >= this.crowd;
  }

  /**
   * Runs the work when the current tenant has a free slot.
   * @throws Problem 429 `tenant.busy` when too many bookings of this tenant wait, or the client left while its booking waited
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.limit.run(work, currentClient());
  }
}
