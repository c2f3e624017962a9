import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { setDatabaseTime } from '#kernel';
import { TenantDb } from './tenant-db.js';

/** Steady clocks drift by some milliseconds an hour; a machine that slept is right again after so long. */
const everyMs = 30_000;
/** The database looked at its clock somewhere within the round trip: the error is half of it at most. */
const longestRoundTripMs = 1000;

/** Asks the database for the time, so that `databaseNow` knows it in this process. */
@Injectable()
export class DatabaseClockService implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> | undefined;
  private known = false;

  constructor(private readonly db: TenantDb) {}

  async onModuleInit(): Promise<void> {
    await this.ask();
    this.timer = setInterval(() => void this.ask(), everyMs);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** One question at a time; a database that is away, or slow, leaves what is known. */
  private ask(): Promise<void> {
    this.asking ??= this.measure()
      .catch(() => undefined)
      .finally(() => {
        this.asking = undefined;
      });
    return this.asking;
  }

  private async measure(): Promise<void> {
    const before = performance.now();
    const milliseconds = await this.db.clock();
    const after = performance.now();
    if (this.known && after - before > longestRoundTripMs) return;
    this.known = true;
    setDatabaseTime(milliseconds, (before + after) / 2);
  }
}
