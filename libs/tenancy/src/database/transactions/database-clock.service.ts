import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { setDatabaseTime } from '#kernel';
import { limits } from '../../limits.js';
import { TenantDb } from './tenant-db.js';

/** A slower round trip is ignored: the error of a measurement is at most half of it. */
const longestRoundTripMs = 1000;

/** Measures the database's clock, so that `databaseNow` knows it in this process. */
@Injectable()
export class DatabaseClockService implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> | undefined;
  private known = false;

  constructor(private readonly db: TenantDb) {}

  async onModuleInit(): Promise<void> {
    await this.ask();
    this.timer = setInterval(() => void this.ask(), limits.clockInterval.ms);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** One measurement at a time; when the database does not answer in time, the last result stays. */
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
