import { CartsService, RefusedDraft, DraftsService, checkSize, type DraftChoice, BookingTurnsService } from '#selling';
import { RefusedBooking } from '#tickets';
import { PageTurns } from '#http';
import {
  databaseNow,
  isDatabaseUnavailable,
  Kept,
  LoopShare,
  Problem,
  RefusedInput,
  SETTINGS,
  UnavailableError,
  type ClientNetworks,
  type Settings,
} from '#kernel';
import { currentTenant, demandModule, TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { limits } from '../limits.js';
import { EventQueue, type NoSpot, type QueueLoad, type Standing } from './event-queue.js';
import {
  exchange,
  findSpot,
  pruneSpots,
  queueStatements,
  rechoose,
  removeSpot,
  serveSpot,
  type QueueChanges,
  type QueueRead,
  type QueueStatements,
  type StoredSpot,
} from './queue-rows.js';

/** The tickets are held: alone as a draft, or as a part of a cart. */
export type Held = { readonly kind: 'draft'; readonly id: string } | { readonly kind: 'cart'; readonly cartId: string };

/** The buyer waits. */
export interface Waits extends Standing {
  readonly kind: 'waits';
  /** Of the spot. */
  readonly id: string;
}

/** It was the buyer's turn, and the tickets were refused. The spot stays the first one for another choice, unless they are not on sale. */
export interface RefusedSpot extends Pick<StoredSpot, 'choice' | 'cartId'> {
  readonly kind: 'refused';
  readonly error: RefusedInput;
}

/** What a buyer brings. */
export interface Buyer {
  readonly networks: ClientNetworks;
  /** The draft or spot that this browser began before. */
  readonly begun?: string | undefined;
  /** The cart to which the tickets are added; undefined: they are booked alone. */
  readonly cartId?: string | undefined;
}

/** Minutes for which spots are kept after their owners were expected last: who comes back in time has the old position. */
const keptMinutes = 10;
/** The share of the time for which bookings may keep the event loop busy, and by how many times their number grows or falls at once. */
const busy = { share: 0.9, least: 0.7, most: 2.5 };

/**
 * The queue of buyers on the public pages. While few people book, nobody notices it. When more arrive than a process works off within
 * about a second, the next ones get a spot in the database, which all servers see, and ask again until it is their turn. Spots are
 * served in the order of arrival; who does not ask any more does not hold up others.
 */
@Injectable()
export class BookingQueueService {
  private readonly queues = new Kept<EventQueue>(limits.queues.kept);
  /** Spots that are being served by this process: several windows of one buyer share it. */
  private readonly serving = new Map<string, Promise<Held | RefusedSpot | undefined>>();
  private readonly loop = new LoopShare();
  private readonly pruned = new Kept<true>(limits.pruned.kept);
  private readonly statements: QueueStatements;

  constructor(
    private readonly db: TenantDb,
    private readonly drafts: DraftsService,
    private readonly carts: CartsService,
    private readonly turns: BookingTurnsService,
    private readonly pages: PageTurns,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.statements = queueStatements(settings);
  }

  /**
   * Holds the chosen tickets, or gives the buyer a spot in the queue. A buyer who waits already keeps the position with the new choice.
   * Nobody waits for what is not on sale yet.
   * @throws like `DraftsService.hold` and `CartsService.add`; RefusedDraft `queue_full`
   */
  async hold(choice: DraftChoice, buyer: Buyer): Promise<Held | Waits> {
    demandModule('ticketing');
    checkSize(choice.lines);
    const queue = this.queueOf(choice.eventId);
    const isActive = queue.isActive;
    if (isActive && (await this.keepsSpot(choice, buyer))) return this.waitsAgain(queue, buyer.begun as string);
    if (await this.changesOrder(choice, buyer)) return { kind: 'draft', id: buyer.begun as string };
    if (!isActive && !this.isCrowded()) {
      try {
        return await this.holdAtOnce(choice, buyer);
      } catch (error) {
        if (!(error instanceof RefusedDraft) || (error.reason !== 'queue_ahead' && error.reason !== 'queue_lapsed')) throw error;
      }
    }
    if (!isActive && (await this.keepsSpot(choice, buyer))) return this.waitsAgain(queue, buyer.begun as string);
    return this.arrive(queue, choice, buyer);
  }

  /**
   * The owner of a spot asks whether it is the turn.
   * @param eventId whose queue the spot belongs to
   * @returns undefined when there is no such spot (any more)
   * @throws what `DraftsService.hold` throws, except for refusals of the choice
   */
  async ask(eventId: string, id: string): Promise<Held | Waits | RefusedSpot | undefined> {
    const queue = this.queueOf(eventId);
    let standing = await queue.ask(id);
    if (!standing) {
      const spot = await findSpot(this.db, id);
      if (spot?.eventId !== eventId) return undefined;
      if (spot.isServed) return heldOf(id, spot);
      standing = await queue.revive(id);
    }
    if (!standing) return this.outside(id);
    const waits: Waits = { kind: 'waits', id, ...standing };
    if (!queue.isTurn(standing)) return waits;
    try {
      return await this.serveOnce(queue, id);
    } catch (error) {
      // The spot is kept: its owner asks again.
      if (isTemporary(error)) return waits;
      throw error;
    }
  }

  /** The spot of a buyer who sent the form again. Whether it is the turn is decided when its page is opened. */
  private async waitsAgain(queue: EventQueue, id: string): Promise<Waits> {
    const standing = (await queue.ask(id)) ?? (await queue.revive(id)) ?? firstStanding;
    return { kind: 'waits', id, ...standing };
  }

  /** Whether the buyer has a spot in the queue, which keeps its position with this choice. */
  private async keepsSpot(choice: DraftChoice, { begun, cartId }: Buyer): Promise<boolean> {
    if (begun === undefined) return false;
    const kept = await this.whileOnSale(choice, () => rechoose(this.db, this.statements, begun, choice, cartId ?? null));
    return kept === 'kept';
  }

  /** Changes the order that the buyer began. One whose hold has ended does not come before those who wait. */
  private async changesOrder(choice: DraftChoice, { begun, cartId }: Buyer): Promise<boolean> {
    if (begun === undefined || cartId !== undefined) return false;
    try {
      return await this.drafts.change(begun, choice);
    } catch (error) {
      if (error instanceof RefusedDraft && error.reason === 'queue_lapsed') return false;
      throw error;
    }
  }

  /** A spot that is not in the queue any more: it was served meanwhile, or others came while its owner was away. */
  private async outside(id: string): Promise<Held | RefusedSpot | undefined> {
    const spot = await findSpot(this.db, id);
    if (!spot || spot.isServed) return spot && heldOf(id, spot);
    const { choice, cartId } = spot;
    return { kind: 'refused', error: new RefusedDraft('queue_full'), choice, cartId };
  }

  /**
   * Tells why a choice is not on sale. When it is by now, tries again.
   * @param work answers `shut` for a choice that is not on sale
   * @throws RefusedInput, RefusedInputs, RefusedBooking as for `DraftsService.hold`
   */
  private async whileOnSale<Result>(choice: DraftChoice, work: () => Promise<Result | 'shut'>): Promise<Result> {
    const first = await work();
    if (first !== 'shut') return first;
    await this.drafts.check(choice);
    const second = await work();
    if (second === 'shut') throw new RefusedDraft('queue_full');
    return second;
  }

  private async holdAtOnce(choice: DraftChoice, { networks, cartId }: Buyer): Promise<Held> {
    if (cartId === undefined) return { kind: 'draft', id: await this.drafts.hold(choice, networks) };
    if (await this.carts.add(cartId, choice, networks)) return { kind: 'cart', cartId };
    // That cart was completed: another one begins.
    const made = randomUUID();
    await this.carts.add(made, choice, networks);
    return { kind: 'cart', cartId: made };
  }

  private async arrive(queue: EventQueue, choice: DraftChoice, { networks, cartId }: Buyer): Promise<Waits> {
    const id = randomUUID();
    const spot = { id, ...this.drafts.keysOf(networks), choice, cartId: cartId ?? null };
    const standing = await this.whileOnSale<Standing | Exclude<NoSpot, 'shut'>>(choice, () => queue.arrive(spot));
    if (typeof standing === 'object') return { kind: 'waits', id, ...standing };
    throw new RefusedDraft(standing === 'full' ? 'queue_full' : 'too_many_held');
  }

  private serveOnce(queue: EventQueue, id: string): Promise<Held | RefusedSpot | undefined> {
    let work = this.serving.get(id);
    if (!work) {
      work = this.serve(queue, id).finally(() => this.serving.delete(id));
      this.serving.set(id, work);
    }
    return work;
  }

  private async serve(queue: EventQueue, id: string): Promise<Held | RefusedSpot | undefined> {
    const tried: { spot?: StoredSpot } = {};
    try {
      const held = await this.drafts.taking(async (tx) => {
        const spot = await serveSpot(tx, id);
        return spot && this.holdFor(tx, (tried.spot = spot), id);
      });
      if (held) return held;
    } catch (error) {
      if (!(error instanceof RefusedInput) || !tried.spot) throw error;
      queue.leave(id);
      if (losesSpot(error)) await removeSpot(this.db, id);
      const { choice, cartId } = tried.spot;
      return { kind: 'refused', error, choice, cartId };
    }
    const spot = await findSpot(this.db, id);
    return spot && heldOf(id, spot);
  }

  private async holdFor(tx: Tx, { cartId, choice, ...networks }: StoredSpot, id: string): Promise<Held> {
    if (cartId === null) return { kind: 'draft', id: await this.drafts.holdIn(tx, choice, networks, { spot: id }) };
    if (await this.carts.addIn(tx, cartId, choice, networks, id)) return { kind: 'cart', cartId };
    // That cart was completed: another one begins. Its id is that of the spot, which other windows of the buyer know.
    await tx.query('update booking_queue set cart_id = $1 where id = $1', [id]);
    await this.carts.addIn(tx, id, choice, networks, id);
    return { kind: 'cart', cartId: id };
  }

  private queueOf(eventId: string): EventQueue {
    const key = `${currentTenant().id} ${eventId}`;
    const bounds = { spots: this.settings.bookingQueuePlaces, ofNetwork: this.settings.heldTicketsPerNetwork };
    const exchanged = async (changes: QueueChanges): Promise<QueueRead> => {
      await this.prune();
      return exchange(this.db, this.statements, eventId, changes, bounds);
    };
    return this.queues.of(key, () => new EventQueue(exchanged, databaseNow, undefined, () => this.load()));
  }

  private isCrowded(): boolean {
    return this.turns.isCrowded() || this.pages.isCrowded();
  }

  private load(): QueueLoad {
    const growth = Math.min(busy.most, Math.max(busy.least, busy.share / Math.max(this.loop.read(), 0.01)));
    return { growth, isCrowded: this.isCrowded() };
  }

  /** Deletes old spots of the tenant, once a minute while it has a queue. */
  private async prune(): Promise<void> {
    const { id } = currentTenant();
    if (this.pruned.has(id)) return;
    this.pruned.set(id, true);
    await pruneSpots(this.db, keptMinutes);
  }
}

/** Of a spot that another process is serving. */
const firstStanding: Standing = { position: 1, seconds: 1, askAgainAfter: 2 };

const heldOf = (id: string, { cartId }: StoredSpot): Held => (cartId === null ? { kind: 'draft', id } : { kind: 'cart', cartId });

/** Whether a refused spot is lost: the sale of its choice was moved, or the price is gone. Nobody waits for a sale that is not open. */
function losesSpot(error: RefusedInput): boolean {
  return error instanceof RefusedBooking ? error.reason === 'sale_not_open' : error.field.endsWith('.priceId');
}

/** Whether the same request may succeed a moment later. */
function isTemporary(error: unknown): boolean {
  if (error instanceof Problem) return error.status === 503 || error.code === 'tenant.busy';
  return error instanceof UnavailableError || isDatabaseUnavailable(error);
}
