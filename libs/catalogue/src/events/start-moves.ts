import { Injectable } from '@nestjs/common';
import type { Tx } from '#tenancy';

/** Moves what depends on the start of an event. Runs in the transaction that changed it, with the event locked. */
type WithStart = (tx: Tx, eventId: string) => Promise<void>;

/** The registry of all that moves with the start of an event. `EventsService` calls `moved` for every start that changes. */
@Injectable()
export class StartMoves {
  private readonly followers: WithStart[] = [];

  /** Registers what moves; call it when the module is initialised. */
  add(follower: WithStart): void {
    this.followers.push(follower);
  }

  async moved(tx: Tx, eventId: string): Promise<void> {
    for (const follower of this.followers) await follower(tx, eventId);
  }
}
