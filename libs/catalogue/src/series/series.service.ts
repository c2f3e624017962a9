import { Injectable } from '@nestjs/common';
import { dayAndTimeWords, forEachLanguage, isVisible, refuseUnfitText, RefusedInput, retryOnDeadlock } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { EventCopiesService } from '../copies/event-copies.service.js';
import { EventSeries } from '../entities/event-series.entity.js';
import { eventTexts } from '../entities/event.entity.js';
import { lockEventByKey } from '../event-data/event-key.js';
import type { WholeEvent } from '../event-data/whole-event.js';
import { lockEvents, lockLinkable, productsOf } from '../event-queries/event-products.js';
import { datesFrom, newSeries, unpublishedDateSql } from '../event-queries/series-rows.js';
import type { EventChange } from '../events/event-change.js';
import { refusing } from '../events/event-rules.js';
import type { Times } from '../events/event-times.js';
import { EventsService, type UnderLock, type WithChange } from '../events/events.service.js';
import { texts } from '../locales/catalogue.texts.js';
import { plainText } from '../values/event-text.js';
import { advisoryLock } from '../values/turns.js';
import { atClocks, checkClocks, clockOfInstant, type DateClocks } from './date-clocks.js';
import { timesOf, type SeriesDates } from './series-dates.js';

/** A change of several dates of a series. */
export interface DateChange {
  readonly change?: Omit<EventChange, 'startsAt' | 'endsAt' | 'doorsAt' | 'seriesId' | 'place' | 'picture' | 'sticker'>;
  /** They apply to the dates that begin at the same time of day as the first one. */
  readonly clocks?: DateClocks;
  /** Products that are sold from now on, and that are no longer sold. */
  readonly products?: { readonly added: readonly string[]; readonly removed: readonly string[] };
}

/** A series that was just made, and the capacity of its first date. */
export interface MadeSeries {
  readonly seriesId: string;
  readonly capacity: number;
}

/** What also happens when the dates make a series: first in the transaction, and after the series is made. */
interface WithSeries {
  readonly before: (tx: Tx) => Promise<unknown>;
  readonly made: (tx: Tx, series: MadeSeries) => Promise<unknown>;
}

/** What also happens to each date: as `EventsService.update`. */
interface WithEach {
  readonly underLock?: (current: WholeEvent, change: EventChange) => EventChange;
  readonly more?: WithChange;
}

/**
 * Manages series of the current tenant: events that are dates of one thing. Each date is an event of its own. A series without dates is
 * deleted with its last one.
 */
@Injectable()
export class SeriesService {
  constructor(
    private readonly db: TenantDb,
    private readonly events: EventsService,
    private readonly copies: EventCopiesService,
  ) {}

  /**
   * Adds dates to the series of an event, all or none, as copies of the event. The series is made when the event has none. Dates that the
   * series has already are left out.
   * @returns the new dates by start; undefined when there is no such event
   * @throws RefusedInput on step, until, days or clocks; RefusedEvent `exists`
   */
  add(eventId: string, dates: SeriesDates, published: boolean, more?: WithSeries): Promise<WholeEvent[] | undefined> {
    return this.changing(async (tx) => {
      await more?.before(tx);
      return this.addIn(tx, eventId, dates, published, more);
    });
  }

  /** The same in a transaction that `refusing` wraps. */
  async addIn(
    tx: Tx,
    eventId: string,
    dates: SeriesDates,
    published: boolean,
    more?: Pick<WithSeries, 'made'>,
  ): Promise<WholeEvent[] | undefined> {
    await advisoryLock(tx, 'series of events');
    let event = await lockEventByKey(tx, eventId, 'for_no_key_update');
    if (!event) return undefined;
    const times = await newTimes(tx, event, dates);
    if (times.length === 0) throw new RefusedInput(dates.step ? 'until' : 'days', texts.localized('series.allThere'));
    const seriesId = event.seriesId ?? (await newSeries(tx, event.name));
    const isNew = !event.seriesId;
    if (isNew) event = (await this.events.updateIn(tx, event.id, { seriesId })) as WholeEvent;
    const copies = await this.copies.copiesIn(tx, event, times, { published, seriesId });
    if (isNew) await more?.made(tx, { seriesId, capacity: event.capacity });
    return copies;
  }

  /** The starts that an event at these times and its further dates would have, in order. @throws RefusedInput as `add` */
  startsWith(event: Pick<WholeEvent, 'startsAt' | 'endsAt' | 'doorsAt'>, dates: SeriesDates): Promise<Date[]> {
    return this.db.transaction(async (tx) => {
      const times = await timesOf(tx, event, dates);
      return [event, ...times].map(({ startsAt }) => startsAt).toSorted((one, other) => one.getTime() - other.getTime());
    });
  }

  /** The starts of the dates that `add` would make, in order; none when there is no such event. @throws RefusedInput as `add` */
  async newStarts(eventId: string, dates: SeriesDates): Promise<Date[]> {
    const event = await this.events.find(eventId);
    if (!event) return [];
    return this.db.transaction(async (tx) => (await newTimes(tx, event, dates)).map(({ startsAt }) => startsAt));
  }

  /** Ids of an event and of the later dates of its series that are not cancelled, by start. Empty: there is no such event. */
  datesFrom(eventId: string): Promise<string[]> {
    return this.db.transaction((tx) => datesFromId(tx, eventId));
  }

  /**
   * Changes an event and the later dates of its series that are not cancelled, all or none. Only what the change names is changed; each
   * date follows the rules of a single change.
   * @returns the dates; undefined when there is no such event
   * @throws as `EventsService.update`; RefusedInput on begins, ends or doors
   */
  changeFrom(
    eventId: string,
    { change = {}, clocks = {}, products = { added: [], removed: [] } }: DateChange,
    { underLock = () => ({}), more }: WithEach = {},
  ): Promise<WholeEvent[] | undefined> {
    checkClocks(clocks);
    const { timeZone } = currentTenant();
    return this.changing(async (tx) => {
      await advisoryLock(tx, 'series of events');
      await lockLinkable(tx, products.added);
      // All at once, because everybody locks events in the order of their ids.
      await lockEvents(tx, await datesFromId(tx, eventId));
      const first = await lockEventByKey(tx, eventId, 'for_no_key_update');
      if (!first) return undefined;
      const ids = await datesFrom(tx, first);
      await lockEvents(tx, ids);
      const clock = clockOfInstant(first.startsAt, timeZone);
      const changed: WholeEvent[] = [];
      for (const id of ids) {
        let at = first.startsAt;
        const whole: UnderLock<EventChange> = (current) => {
          at = current.startsAt;
          const times = clockOfInstant(current.startsAt, timeZone) === clock ? atClocks(current, clocks, timeZone) : {};
          return { ...times, ...underLock(current, { ...change, ...times }) };
        };
        const date = await naming(
          () => (id === first.id ? undefined : at),
          () => this.events.updateIn(tx, id, change, whole, more),
        );
        if (date) changed.push(date);
        if (products.added.length > 0 || products.removed.length > 0) await this.sell(tx, id, products);
      }
      if (first.seriesId && change.name !== undefined) await renameWith(tx, first.seriesId, first.name, changed[0]?.name ?? first.name);
      return changed;
    });
  }

  /** Publishes the coming dates of the series of an event that are neither published nor cancelled, all or none. @returns them */
  publishAll(eventId: string): Promise<WholeEvent[]> {
    return this.changing(async (tx) => {
      await advisoryLock(tx, 'series of events');
      const rows = await tx.query<{ id: string }[]>(
        `select id from event where series_id = (select series_id from event where id = $1) and ${unpublishedDateSql('event')}`,
        [eventId],
      );
      const changed: WholeEvent[] = [];
      for (const id of await lockEvents(
        tx,
        rows.map((row) => row.id),
      )) {
        const date = await this.events.updateIn(tx, id, { published: true });
        if (date) changed.push(date);
      }
      return changed;
    });
  }

  /** Renames a series; its address stays. @returns false when there is no such series @throws RefusedInput on name */
  async rename(id: string, given: string): Promise<boolean> {
    refuseUnfitText('name', given, eventTexts.name);
    const name = plainText(given);
    if (!isVisible(name)) throw new RefusedInput('name', texts.localized('series.nameMissing'));
    const { affected } = await this.db.transaction((tx) => tx.update(EventSeries, { id }, { name, updatedAt: () => 'now()' }));
    return affected === 1;
  }

  private async sell(tx: Tx, id: string, { added, removed }: NonNullable<DateChange['products']>): Promise<void> {
    const sold = (await productsOf(tx, id)).filter((productId) => !removed.includes(productId));
    await this.events.setProductsIn(tx, id, [...new Set([...sold, ...added])]);
  }

  private changing<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return retryOnDeadlock(() => this.db.transactionOnce((tx) => refusing(work(tx))));
  }
}

/** As `datesFrom` of `series-rows`, by the id alone. Empty: there is no such event. */
async function datesFromId(tx: Tx, id: string): Promise<string[]> {
  const [event] = await tx.query<{ id: string; seriesId: string | null; startsAt: Date }[]>(
    'select id, series_id as "seriesId", starts_at as "startsAt" from event where id = $1',
    [id],
  );
  return event ? datesFrom(tx, event) : [];
}

/** The times of further dates that the series of an event does not have yet. @throws RefusedInput on step, until, days or clocks */
async function newTimes(tx: Tx, event: WholeEvent, dates: SeriesDates): Promise<Times[]> {
  const wanted = await timesOf(tx, event, dates);
  const known = new Set(await startsOf(tx, event));
  return wanted.filter(({ startsAt }) => !known.has(startsAt.getTime()));
}

/** The starts of all dates of the series of an event, in milliseconds. */
async function startsOf(tx: Tx, { id, seriesId }: WholeEvent): Promise<number[]> {
  const rows = await tx.query<{ startsAt: Date }[]>('select starts_at as "startsAt" from event where id = $1 or series_id = $2', [
    id,
    seriesId,
  ]);
  return rows.map(({ startsAt }) => startsAt.getTime());
}

/** A series that is named like its dates gets their new name with the last of them. */
async function renameWith(tx: Tx, id: string, before: string, now: string): Promise<void> {
  await tx.query(
    `update event_series set name = $3, updated_at = now() where id = $1 and name = $2
       and not exists (select 1 from event where series_id = $1 and name = $2)`,
    [id, before, now],
  );
}

/** Says which date a fault of a change is about. @param moment undefined: the date that the form shows */
async function naming<Result>(moment: () => Date | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const at = moment();
    if (!(error instanceof RefusedInput) || !at) throw error;
    const { timeZone } = currentTenant();
    throw new RefusedInput(
      error.field,
      forEachLanguage((language) => `${dayAndTimeWords(at, language, timeZone)}: ${error.message}`),
    );
  }
}
