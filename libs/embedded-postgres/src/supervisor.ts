import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, type Place, type Say } from './place.js';
import { acquireLock, findPostmaster } from './presence.js';
import { explain } from './programs.js';
import { lastWords, startPostmaster, waitUntilReady } from './server.js';

/** What the process that opened PostgreSQL is told of its end. */
export interface Supervision {
  /** Gets the lines for the log: why PostgreSQL is started again, and that it is back. */
  readonly say: Say;
  /** Called once, when PostgreSQL cannot be started again; the message is one line that says what to do. */
  readonly gaveUp: (error: EmbeddedPostgresError) => void;
}

/** How PostgreSQL is started again. */
export interface Restart {
  readonly place: Place;
  readonly bin: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The one that connection addresses name. */
  readonly port: number;
}

const startsInAll = 5;
/** A PostgreSQL that ran for so long was well: the count of its ends begins anew. */
const wellAfterMs = 60_000;
const firstPauseMs = 250;

/**
 * Starts PostgreSQL again when it ends without having been asked to. Each process that has it open supervises; the lock of the data folder lets
 * one of them act, and the others then find it running.
 */
export class Supervisor {
  private stopped = false;
  private at: Promise<void> | undefined;
  /** When PostgreSQL ended, lately. */
  private ends: number[] = [];

  constructor(
    private readonly restart: Restart,
    private readonly supervision: Supervision,
  ) {}

  /** The connection to PostgreSQL was lost: looks whether it still runs. */
  lost(): void {
    if (this.stopped) return;
    this.at ??= this.look().finally(() => {
      this.at = undefined;
    });
  }

  /** From now on PostgreSQL is not started any more. Resolves when a start that is under way has ended, so that what it started can be stopped. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.at;
  }

  private async look(): Promise<void> {
    const { place } = this.restart;
    try {
      // A PostgreSQL that restarts after the end of one of its processes comes back by itself.
      if (await findPostmaster(place)) return;
      const now = performance.now();
      this.ends = [...this.ends.filter((end) => now - end < wellAfterMs), now];
      if (this.ends.length > startsInAll) {
        throw new EmbeddedPostgresError(
          `The embedded PostgreSQL ended ${this.ends.length} times within a minute (${await lastWords(place)}): look into its log beside ${place.cluster}`,
        );
      }
      await this.startAgain();
    } catch (error) {
      if (this.stopped) return;
      this.stopped = true;
      this.supervision.gaveUp(explain(error, 'be started again', place.cluster));
    }
  }

  /** Several tries, because a full disk or a port in use may be over in a moment. */
  private async startAgain(): Promise<void> {
    const { place } = this.restart;
    const { say } = this.supervision;
    const begun = performance.now();
    say(`The embedded PostgreSQL has ended (${await lastWords(place)}): it is started again`);
    for (let attempt = 1; !this.stopped; attempt += 1) {
      try {
        await this.startOnce();
        if (!this.stopped)
          say(`The embedded PostgreSQL is back after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
        return;
      } catch (error) {
        if (attempt === startsInAll) throw error;
        say(`${explain(error, 'be started again', place.cluster).message} (try ${attempt} of ${startsInAll})`);
        await sleep(firstPauseMs * 2 ** attempt, undefined, { ref: false });
      }
    }
  }

  private async startOnce(): Promise<void> {
    const { place, bin, settings, port } = this.restart;
    const { say } = this.supervision;
    const unlock = await acquireLock(place.dataDir, say);
    try {
      if (this.stopped) return;
      // Another process that has it open was faster.
      if ((await findPostmaster(place)) && (await waitUntilReady(place, say))) return;
      await startPostmaster(place, bin, settings, say, port);
    } finally {
      await unlock();
    }
  }
}
