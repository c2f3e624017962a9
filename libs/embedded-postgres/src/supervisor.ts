import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, type Place, type Say } from './place.js';
import { acquireLock, findPostmaster } from './presence.js';
import { explain } from './programs.js';
import { endReason, startPostmaster, waitUntilReady } from './server.js';

/** Callbacks of the process that opened PostgreSQL. */
export interface Supervision {
  /** Receives lines for the log: why PostgreSQL is restarted, and that it runs again. */
  readonly say: Say;
  /** Called once, when PostgreSQL cannot be restarted; the message is one line that says what to do. */
  readonly gaveUp: (error: EmbeddedPostgresError) => void;
}

/** How PostgreSQL is restarted. */
export interface Restart {
  readonly place: Place;
  readonly bin: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The port in the connection URLs. */
  readonly port: number;
}

const startsInAll = 5;
/** After running for this long PostgreSQL counts as stable, and earlier ends are forgotten. */
const wellAfterMs = 60_000;
const firstPauseMs = 250;

/**
 * Restarts PostgreSQL when it ends unexpectedly. Every process that has it open supervises it; the lock of the data folder lets one of
 * them act, and the others then find it running.
 */
export class Supervisor {
  private stopped = false;
  private at: Promise<void> | undefined;
  /** Times of recent ends. */
  private ends: number[] = [];

  constructor(
    private readonly restart: Restart,
    private readonly supervision: Supervision,
  ) {}

  /** The connection to PostgreSQL was lost: checks whether it still runs. */
  lost(): void {
    if (this.stopped) return;
    this.at ??= this.look().finally(() => {
      this.at = undefined;
    });
  }

  /** Disables restarts. Resolves when a running start has ended, so that its PostgreSQL can be stopped. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.at;
  }

  private async look(): Promise<void> {
    const { place } = this.restart;
    try {
      // PostgreSQL recovers without help after the end of one of its processes.
      if (await findPostmaster(place)) return;
      const now = performance.now();
      this.ends = [...this.ends.filter((end) => now - end < wellAfterMs), now];
      if (this.ends.length > startsInAll) {
        throw new EmbeddedPostgresError(
          `The embedded PostgreSQL ended ${this.ends.length} times within a minute (${await endReason(place)}): look into its log ` +
            `beside ${place.cluster}`,
        );
      }
      await this.startAgain();
    } catch (error) {
      if (this.stopped) return;
      this.stopped = true;
      this.supervision.gaveUp(explain(error, 'be started again', place.cluster));
    }
  }

  /** Several attempts, because a full disk or a used port may be temporary. */
  private async startAgain(): Promise<void> {
    const { place } = this.restart;
    const { say } = this.supervision;
    const begun = performance.now();
    say(`The embedded PostgreSQL has ended (${await endReason(place)}): it is started again`);
    for (let attempt = 1; !this.stopped; attempt += 1) {
      try {
        await this.startOnce();
        if (!this.stopped) say(`The embedded PostgreSQL is back after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
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
