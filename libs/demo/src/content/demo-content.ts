import { Injectable } from '@nestjs/common';
import { Reservation, SigningKeysService, Ticket, recount } from '#tickets';
import { JobsService } from '#jobs';
import { TeamCodesService } from '#scan';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { TransferAccount } from '#transfers';
import { bookEvent, type Booking } from './demo-bookings.js';
import { day, DemoClock } from '../basics/demo-clock.js';
import { demoFinishJob, demoFinishSeconds } from './demo-finish-job.js';
import { watchDoors } from './demo-doors.js';
import { collect, enrol } from './demo-money.js';
import { DemoPeople } from '../basics/demo-people.js';
import { DemoRandom } from '../basics/demo-random.js';
import { backdate, insertAll, insertLog } from './demo-rows.js';
import { DemoStage } from './demo-stage.js';
import { queueUp } from './demo-waiting.js';
import type { DemoTenant } from '../basics/demo-tenant.js';

/** An arbitrary number that no other program uses on this database: servers that fill the demo at the same time run one after the other. */
const demoLock = 7_263_101;
const teamCodeDays = 30;

export interface FilledContent {
  readonly events: number;
  readonly reservations: number;
  readonly tickets: number;
}

/** Fills the current tenant with demo data. */
@Injectable()
export class DemoContent {
  constructor(
    private readonly db: TenantDb,
    private readonly stage: DemoStage,
    private readonly signingKeys: SigningKeysService,
    private readonly teamCodes: TeamCodesService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Inserts everything in one transaction, with the job that completes it (`DemoFinishService`).
   * @returns undefined, without changes, when the tenant already has a product or an event
   */
  fill(demo: DemoTenant): Promise<FilledContent | undefined> {
    return this.db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [demoLock]);
      // The database's current time, which scans are compared with; the transaction's start is earlier, because it waited for the lock.
      const [found] = await tx.query<{ now: Date; filled: boolean }[]>(
        'select clock_timestamp() as now, exists (select from product where built_in is null) or exists (select from event) as filled',
      );
      if (!found || found.filled) return undefined;
      const { id, timeZone } = currentTenant();
      await this.jobs.add(tx, demoFinishJob, id, { afterSeconds: demoFinishSeconds });
      return this.write(tx, demo, new DemoClock(found.now, timeZone));
    });
  }

  /** The address of an event; undefined when the current tenant has no event of that name. */
  async slugOf(name: string): Promise<string | undefined> {
    const [found] = await this.db.transaction((tx) => tx.query<{ slug: string }[]>('select slug from event where name = $1', [name]));
    return found?.slug;
  }

  /** Ids of the current tenant's events by name, those of a series in the order of their dates. */
  async eventIds(): Promise<ReadonlyMap<string, readonly string[]>> {
    const events = await this.db.transaction((tx) =>
      tx.query<{ name: string; ids: string[] }[]>('select name, array_agg(id order by starts_at, id) as ids from event group by name'),
    );
    return new Map(events.map(({ name, ids }) => [name, ids]));
  }

  private async write(tx: Tx, demo: DemoTenant, clock: DemoClock): Promise<FilledContent> {
    const random = new DemoRandom(demo.seed);
    const people = new DemoPeople(random, demo.frenchShare);
    const events = await this.stage.setUpEvents(tx, demo, clock);
    const expiresAt = new Date(clock.now.getTime() + teamCodeDays * day);
    if (demo.bank) await tx.insert(TransferAccount, demo.bank);
    if (demo.teamCode) await this.teamCodes.createIn(tx, { ...demo.teamCode, expiresAt });
    const house = {
      now: clock.now,
      signingKeyId: await this.signingKeys.currentId(tx),
      deviceIds: await this.stage.setUpDevices(tx, demo, clock.now),
      undoReasons: demo.undoReasons,
    };

    const booked = events.map((event) => ({ event, bookings: bookEvent(event, house, people, random) }));
    const attempts = booked.flatMap(({ event, bookings }) => {
      const later = booked.filter((other) => other.event.startsAt > event.startsAt);
      return watchDoors(event, bookings, later.flatMap(validTickets), house, random);
    });

    const bookings = booked.flatMap((each) => each.bookings);
    const reservations = bookings.map(({ reservation }) => reservation);
    const tickets = bookings.flatMap((booking) => booking.tickets);
    await insertAll(tx, Reservation, reservations);
    await insertAll(tx, Ticket, tickets);
    // A separate random sequence, so that payments do not change the bookings of existing seeds.
    const purse = new DemoRandom(demo.seed + 1);
    await collect(tx, bookings, purse);
    await enrol(tx, house, people, purse);
    await queueUp(tx, events, clock.now, people, purse);
    await recount(tx);
    await insertLog(tx, attempts);
    await backdate(tx);
    return { events: events.length, reservations: reservations.length, tickets: tickets.length };
  }
}

function validTickets({ bookings }: { bookings: readonly Booking[] }): Booking['tickets'] {
  return bookings.flatMap(({ tickets }) => tickets).filter(({ status }) => status === 'K');
}
