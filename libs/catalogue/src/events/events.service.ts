import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, retryOnDeadlock, type Settings } from '#kernel';
import { currentTenant, demandModule, TenantDb, type Tx } from '#tenancy';
import { Event } from '../entities/event.entity.js';
import { cleaned, differences, type EventChange, type EventWords, type NewEvent, type StoredChange } from './event-change.js';
import { EventPublisherService } from '../event-data/event-publisher.service.js';
import { EventProjections } from '../event-queries/event-projections.js';
import { linkProducts, lockEvents, lockLinkable, setProducts, unlinkOthers } from '../event-queries/event-products.js';
import { checkEvent, circularParent, refusing, slugOf } from './event-rules.js';
import { followingTimes } from './event-times.js';
import { StartMoves } from './start-moves.js';
import { dropEmptySeries } from '../event-queries/series-rows.js';
import { searchEvents, stateOfEvents, type EventClock, type EventQuery } from '../event-queries/event-search.js';
import { demandOptions, setKeywords, setOptions } from './event-words.js';
import { lockEventByKey, whereKey } from '../event-data/event-key.js';
import { loadWhole, type WholeEvent } from '../event-data/whole-event.js';
import { GalleriesService } from '../galleries/galleries.service.js';
import { ImagesService } from '../images/images.service.js';
import { removePictures, storePictures } from '../images/pictures.js';
import { PostalAddress } from '../entities/postal-address.entity.js';
import { addressOfPlace } from '../addresses/event-places.js';
import { PostalAddressesService, type NewPostalAddress } from '../addresses/postal-addresses.service.js';
import { advisoryLock } from '../values/turns.js';

/**
 * Callback that sees an event while it is locked, and either throws or returns further changes. Must be quick: it runs inside the
 * transaction.
 */
export type UnderLock<Result> = (current: WholeEvent) => Result;

/** Runs in the transaction of a change, after it: with the event before and now. */
export type WithChange = (tx: Tx, before: WholeEvent, now: WholeEvent) => Promise<void>;
const nothingMore: WithChange = () => Promise.resolve();

/** Manages events of the current tenant. A `key` is an event's UUID or its slug. */
@Injectable()
export class EventsService {
  constructor(
    private readonly db: TenantDb,
    private readonly publisher: EventPublisherService,
    private readonly addresses: PostalAddressesService,
    private readonly images: ImagesService,
    private readonly galleries: GalleriesService,
    private readonly projections: EventProjections,
    private readonly moves: StartMoves,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Published events, including private ones, by start. */
  list(query: EventQuery = {}): Promise<WholeEvent[]> {
    const clock = this.clock();
    return this.db.transaction(async (tx) => loadWhole(tx, await searchEvents(tx, query, clock)));
  }

  /** A short version tag of such a list, much cheaper than the list itself. */
  state(query: EventQuery = {}): Promise<string> {
    const clock = this.clock();
    return this.db.transaction((tx) => stateOfEvents(tx, query, clock));
  }

  /** Finds an event, published or not. */
  find(key: string): Promise<WholeEvent | undefined> {
    return this.db.transaction(async (tx) => {
      const event = await tx.findOne(Event, { where: whereKey(key), select: { id: true } });
      return event ? (await loadWhole(tx, [event.id]))[0] : undefined;
    });
  }

  /**
   * Creates an event. When `postalAddressId` is absent (not null), it gets the tenant's main address.
   * @throws RefusedInput naming the field; RefusedEvent `exists`, `super_event_required`; Problem 403 `tenant.module`
   */
  create(input: NewEvent): Promise<WholeEvent> {
    const clean = cleaned(input);
    return retryOnDeadlock(() => this.db.transactionOnce((tx) => this.insert(tx, clean)));
  }

  /** @throws as `create` */
  createIn(tx: Tx, input: NewEvent): Promise<WholeEvent> {
    return this.insert(tx, cleaned(input));
  }

  /**
   * Changes an event. The slug stays, so that existing links keep working. Equal values are not a change.
   * @returns the updated event; undefined when there is no such event
   * @throws as `create`, and what `underLock` and `more` throw
   */
  update(
    key: string,
    change: EventChange,
    underLock: UnderLock<EventChange> = () => ({}),
    more = nothingMore,
  ): Promise<WholeEvent | undefined> {
    return this.changing((tx) => this.updateIn(tx, key, change, underLock, more));
  }

  /** Changes an event in a transaction that `refusing` wraps. @throws as `update` */
  async updateIn(
    tx: Tx,
    key: string,
    change: EventChange,
    underLock: UnderLock<EventChange> = () => ({}),
    more = nothingMore,
  ): Promise<WholeEvent | undefined> {
    const clean = cleaned(change);
    if (clean.superEventId) await advisoryLock(tx, 'parents of events');
    if (clean.place) await advisoryLock(tx, 'places of events');
    const current = await lockEventByKey(tx, key, 'for_no_key_update');
    if (!current) return undefined;
    const changed = await this.change(tx, current, { ...clean, ...underLock(current) });
    await more(tx, current, changed);
    return changed;
  }

  /**
   * Links an existing or a new address to an event.
   * @returns the updated event; undefined when there is no such event, and then no address is created
   * @throws RefusedInput on postalAddressId or a field of the new address, and what `underLock` throws
   */
  link(
    key: string,
    address: { readonly id: string } | NewPostalAddress,
    underLock: UnderLock<void> = () => undefined,
  ): Promise<WholeEvent | undefined> {
    return this.changing(async (tx) => {
      const current = await lockEventByKey(tx, key, 'for_no_key_update');
      if (!current) return undefined;
      underLock(current);
      const { id } = 'id' in address ? address : await this.addresses.createIn(tx, address);
      return this.change(tx, current, { postalAddressId: id });
    });
  }

  /**
   * Deletes an event without reservations. Its sub-events lose their parent.
   * @returns false when there is no such event
   * @throws RefusedEvent `has_reservations`, `has_sub_events` (volunteering needs its parent), and what `underLock` throws
   */
  remove(key: string, underLock: UnderLock<void> = () => undefined): Promise<boolean> {
    return this.changing(async (tx) => {
      const event = await lockEventByKey(tx, key, 'pessimistic_write');
      if (!event) return false;
      underLock(event);
      const { id } = event;
      const children = await tx.find(Event, { where: { superEventId: id }, select: { id: true } });
      await tx.update(Event, { id }, { sequence: event.sequence + 1 });
      await this.publisher.publish(tx, 'event.deleted', [id]);
      await this.galleries.clearIn(tx, id);
      await tx.delete(Event, { id });
      await removePictures(tx, this.images, event, { imageId: null, stickerImageId: null });
      await this.publisher.publishAgain(
        tx,
        children.map((child) => child.id),
      );
      await this.projections.changed(tx, [id]);
      await dropEmptySeries(tx, event.seriesId);
      return true;
    });
  }

  /**
   * Links products to an event, all or none. Products that are already linked are not a change.
   * @returns the updated event; undefined when there is no such event
   * @throws UnknownIds on productIds, and what `underLock` throws
   */
  sell(key: string, productIds: readonly string[], underLock: UnderLock<void> = () => undefined): Promise<WholeEvent | undefined> {
    return this.changing(async (tx) => {
      await lockLinkable(tx, productIds);
      const current = await lockEventByKey(tx, key, 'for_no_key_update');
      if (!current) return undefined;
      underLock(current);
      const linked = await linkProducts(tx, current.id, productIds);
      return linked ? (await this.publisher.publishAgain(tx, [current.id]))[0] : current;
    });
  }

  /** Links a product to events, to all or none. @throws UnknownIds on eventIds */
  async sellIn(tx: Tx, eventIds: readonly string[], productId: string): Promise<void> {
    await this.publisher.publishAgain(tx, await linkIn(tx, eventIds, productId));
  }

  /** Links a product to exactly these events. @throws UnknownIds on eventIds */
  async sellOnlyIn(tx: Tx, eventIds: readonly string[], productId: string): Promise<void> {
    const unlinked = await unlinkOthers(tx, eventIds, productId);
    // Published together: publishing takes locks behind those of the events.
    await this.publisher.publishAgain(tx, [...unlinked, ...(await linkIn(tx, eventIds, productId))]);
  }

  /** Links products to an event that was not published to webhooks yet. */
  async linkProducts(tx: Tx, eventId: string, productIds: readonly string[]): Promise<void> {
    await linkProducts(tx, eventId, productIds);
  }

  /** Links exactly these products to an event; unknown ones are ignored. @returns false when there is no such event */
  setProducts(eventId: string, productIds: readonly string[]): Promise<boolean> {
    return this.changing(async (tx) => {
      await lockLinkable(tx, productIds);
      if (!(await lockEventByKey(tx, eventId, 'for_no_key_update'))) return false;
      await this.setProductsIn(tx, eventId, productIds);
      return true;
    });
  }

  /** The same for an event that the transaction has locked. */
  async setProductsIn(tx: Tx, eventId: string, productIds: readonly string[]): Promise<void> {
    if (await setProducts(tx, eventId, productIds)) await this.publisher.publishAgain(tx, [eventId]);
  }

  /** Sells one product in place of another for an event that the transaction has locked. */
  async replaceProductIn(tx: Tx, eventId: string, productId: string, otherId: string): Promise<void> {
    await tx.query('delete from event_product where event_id = $1 and product_id = $2', [eventId, productId]);
    await linkProducts(tx, eventId, [otherId]);
    await this.publisher.publishAgain(tx, [eventId]);
  }

  /** URL of the tenant's own page of an event. */
  pageOf(event: Pick<Event, 'slug'>): string {
    return this.publisher.pageOf(event);
  }

  private clock(): EventClock {
    return { ...this.settings, timeZone: currentTenant().timeZone };
  }

  private async insert(tx: Tx, input: NewEvent): Promise<WholeEvent> {
    const { keywords = [], radioOptions = [], checkboxOptions = [], picture, sticker, place, ...columns } = input;
    demandModule('events');
    demandOptions(radioOptions, checkboxOptions);
    checkEvent(columns);
    const pictures = await storePictures(tx, this.images, { picture, sticker });
    const id = randomUUID();
    const slug = slugOf(input.name, input.startsAt, id, currentTenant().timeZone);
    const given = place ? await addressOfPlace(tx, place) : input.postalAddressId;
    const postalAddressId = given === undefined ? await mainAddressId(tx) : given;
    await refusing(tx.insert(Event, tx.create(Event, { ...columns, ...pictures, id, slug, postalAddressId, sequence: 1 })));
    await setWords(tx, id, { keywords, radioOptions, checkboxOptions });
    const [event] = await this.publisher.publish(tx, 'event.created', [id]);
    return event as WholeEvent;
  }

  private async change(tx: Tx, current: WholeEvent, given: EventChange): Promise<WholeEvent> {
    const { id } = current;
    const { picture, sticker, place, ...others } = given;
    const moved = { ...others, ...followingTimes(current, others) };
    checkEvent({ ...current, ...moved });
    const pictures = await storePictures(tx, this.images, { picture, sticker });
    const linked = place && { postalAddressId: await addressOfPlace(tx, place) };
    const wanted: StoredChange = { ...moved, ...linked, ...pictures };
    const changed = differences(current, wanted);
    if (Object.keys(changed).length === 0) return current;
    if (changed.superEventId && (await isWithin(tx, changed.superEventId, id))) throw circularParent();
    const { keywords, radioOptions, checkboxOptions, ...columns } = changed;
    demandOptions(radioOptions, checkboxOptions);
    const marks = { sequence: current.sequence + 1, updatedAt: () => 'now()' };
    await refusing(tx.update(Event, { id }, { ...columns, ...marks }));
    await setWords(tx, id, { keywords, radioOptions, checkboxOptions });
    await removePictures(tx, this.images, current, pictures);
    if (changed.startsAt !== undefined) await this.moves.moved(tx, id);
    const [event] = await this.publisher.publish(tx, 'event.updated', [id]);
    if (changed.seriesId !== undefined) await dropEmptySeries(tx, current.seriesId);
    return event as WholeEvent;
  }

  private changing<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return retryOnDeadlock(() => this.db.transactionOnce((tx) => refusing(work(tx))));
  }
}

/** Links a product to events, to all or none. @returns those that were not linked before */
async function linkIn(tx: Tx, eventIds: readonly string[], productId: string): Promise<string[]> {
  const changed: string[] = [];
  for (const id of await lockEvents(tx, eventIds)) if (await linkProducts(tx, id, [productId])) changed.push(id);
  return changed;
}

/** Locks the address until the event is written, so that it is not deleted at the same time. */
async function mainAddressId(tx: Tx): Promise<string | null> {
  const main = await tx.findOne(PostalAddress, { where: { isMain: true }, select: { id: true }, lock: { mode: 'for_key_share' } });
  return main?.id ?? null;
}

/** Whether an event is the event `whole` or one of its descendants. */
async function isWithin(tx: Tx, id: string, whole: string): Promise<boolean> {
  const rows = (await tx.query(
    `with recursive upward (id) as (select $1::uuid union select event.super_event_id from event join upward on event.id = upward.id)
     select 1 from upward where id = $2`,
    [id, whole],
  )) as unknown[];
  return rows.length > 0;
}

async function setWords(tx: Tx, id: string, words: Partial<EventWords>): Promise<void> {
  if (words.keywords) await setKeywords(tx, id, words.keywords);
  if (words.radioOptions) await setOptions(tx, id, 'radio', words.radioOptions);
  if (words.checkboxOptions) await setOptions(tx, id, 'checkbox', words.checkboxOptions);
}
