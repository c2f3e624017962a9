import { databaseNow, RefusedInput, retryOnDeadlock, SETTINGS, toCents, type ClientNetworks, type Settings } from '#kernel';
import { beginOrder, forgetEmptyOrder, lockOrder, removeLines } from '#orders';
import { lockEvent, type NetworkKeys } from '#tickets';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { choiceOf, lockDraft, orderFacts, type LockedDraft } from '../drafts/draft-rows.js';
import { DraftsService } from '../drafts/drafts.service.js';
import type { DraftChoice } from '../drafts/wanted-draft.js';
import { membershipsWithout } from '../discounts/order-discounts.js';
import { checkSize } from '../rules/size.js';
import type { DonationChoice } from '../donations/donation.js';
import { choosePlaces, placesOf } from '../donations/given-places.js';
import { CartDiscountsService } from './cart-discounts.service.js';
import { chooseMembership, useCodeForMemberships } from './cart-memberships.js';
import { BookedDatesService } from '../passes/booked-dates.service.js';
import { otherDatesOf, passesIn, rechosenDates, type OtherDates } from '../passes/cart-passes.js';
import { partsOf, type CartPart } from './cart-rows.js';
import { refuseFull } from './cart-size.js';
import { giveWithCart, givenWith, wantedDonation } from './cart-donations.js';

/** For dates that give something back only. */
const noNetworks: NetworkKeys = { network: '', networkSite: null };

/** The holds of a cart are renewed until this many times `HOLD_MINUTES` after its first part was added. */
const longestHolds = 2;

/**
 * Carts: open orders with drafts for several events, memberships and a donation, that one buyer completes and pays together. Each part is
 * a draft of its own and holds its places like every other; lines without a draft hold nothing. `CartCompletionService` makes reservations
 * and memberships of them.
 */
@Injectable()
export class CartsService {
  constructor(
    private readonly db: TenantDb,
    private readonly drafts: DraftsService,
    private readonly dates: BookedDatesService,
    private readonly discounts: CartDiscountsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Holds tickets for an event in a cart, all or none. A choice for an event that the cart contains replaces the one before. The holds of
   * the other parts are renewed, at most until two holds after the first part was added. A price for all dates of a series is booked for
   * each of them, and given up for all.
   * @param networks as for `DraftsService.hold`
   * @returns false when the cart was completed already
   * @throws like `DraftsService.hold`; RefusedDraft `cart_full`
   */
  add(cartId: string, wanted: DraftChoice, networks: ClientNetworks): Promise<boolean> {
    demandModule('ticketing');
    checkSize(wanted.lines);
    return this.drafts.taking((tx) => this.addIn(tx, cartId, wanted, this.drafts.keysOf(networks)));
  }

  /**
   * Like `add`, at the end of a transaction that `DraftsService.taking` runs.
   * @param networks of `DraftsService.keysOf`
   * @param spot in the queue whose turn it is
   */
  async addIn(tx: Tx, cartId: string, wanted: DraftChoice, networks: NetworkKeys, spot?: string): Promise<boolean> {
    if (!(await beginOrder(tx, cartId))) return false;
    const parts = await partsOf(tx, cartId);
    const others = parts.filter(({ eventId }) => eventId !== wanted.eventId);
    const same = parts.find(({ eventId }) => eventId === wanted.eventId);
    const choice = { ...(same && wanted.keepsOthers ? together(await choiceOf(tx, same), wanted) : wanted), allDates: true };
    const dates = await otherDatesOf(tx, choice, await passesIn(tx, cartId), this.settings);
    refuseFull(
      others.filter(({ eventId }) => !dates.has(eventId)),
      choice,
      dates,
    );
    await this.renew(tx, cartId, parts);
    // In one order, because others may choose the same pass at another date.
    await this.discounts.lock(tx, parts, [choice.eventId, ...dates.keys()]);
    if (!same || !(await this.drafts.changeIn(tx, same.id, choice, spot))) await this.drafts.holdIn(tx, choice, networks, { cartId, spot });
    await this.bookDates(tx, cartId, { parts, dates, keys: networks });
    // A part that is new knows the others; the dates of a pass come one after another.
    await this.discounts.reprice(tx, dates.size > 0 ? await partsOf(tx, cartId) : parts, choice.buying?.memberships);
    return true;
  }

  /**
   * Uses a code for each event and membership of a cart that it is for, instead of the code before; without one, none is used any more but
   * where tickets cannot be had without it.
   * @returns false when the cart was completed already
   * @throws like `add`; RefusedInput when nothing can be had with it, or without one
   */
  useCode(cartId: string, code: string | undefined): Promise<boolean> {
    demandModule('ticketing');
    return this.drafts.taking(async (tx) => {
      if (!(await beginOrder(tx, cartId))) return false;
      const parts = await partsOf(tx, cartId);
      const used: DraftChoice[] = [];
      const memberships = await useCodeForMemberships(tx, cartId, code);
      let fault: RefusedInput | undefined;
      for (const part of parts) {
        const before = await choiceOf(tx, part);
        if (code === undefined && before.code === undefined) continue;
        const choice = { ...before, code, allDates: true };
        const refusal = await this.drafts.codeFault(tx, choice);
        if (refusal === undefined) used.push(choice);
        fault ??= refusal;
      }
      fault ??= memberships.fault;
      if (fault && used.length === 0 && !memberships.isUsed) throw fault;
      const ids = used.map(({ eventId }) => eventId).toSorted();
      for (const eventId of ids) await lockEvent(tx, eventId);
      for (const choice of used.toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1)))
        await this.drafts.changeIn(tx, parts.find(({ eventId }) => eventId === choice.eventId)?.id ?? '', choice);
      return true;
    });
  }

  /**
   * Chooses other dates for a pass of a cart. The holds of the tickets are renewed as in `add`.
   * @param eventIds as many as the pass is for
   * @returns false when the cart was completed already
   * @throws like `add`; RefusedDraft `pass_dates` on the id of the price
   */
  chooseDates(cartId: string, priceId: string, eventIds: readonly string[], networks: ClientNetworks): Promise<boolean> {
    demandModule('ticketing');
    return this.changing(cartId, async (tx) => {
      const parts = await partsOf(tx, cartId);
      const dates = await rechosenDates(tx, priceId, new Set(eventIds), { before: await passesIn(tx, cartId), assumed: this.settings });
      const others = parts.filter(({ eventId }) => !dates.has(eventId));
      refuseFull(others, { lines: [] }, dates);
      await this.discounts.lock(tx, parts, [...dates.keys()]);
      await this.bookDates(tx, cartId, { parts, dates, keys: this.drafts.keysOf(networks) });
    });
  }

  /**
   * Adds a membership to a cart; another price of the same product replaces it. The holds of the tickets are renewed as in `add`.
   * @returns false when the cart was completed already
   * @throws RefusedDraft `membership_gone`, `too_many_memberships`
   */
  addMembership(cartId: string, priceId: string): Promise<boolean> {
    demandModule('membership');
    return this.changing(cartId, (tx) => chooseMembership(tx, cartId, priceId));
  }

  /**
   * Changes the donation in a cart. The holds of the tickets are renewed as in `add`.
   * @param amount as it was typed; `0` removes it
   * @returns false when the cart was completed already
   * @throws RefusedInput on `donation`
   */
  setDonation(cartId: string, amount: string, choice: DonationChoice = {}): Promise<boolean> {
    const wanted = wantedDonation(amount, choice);
    return this.changing(cartId, async (tx) => {
      await giveWithCart(tx, cartId, wanted);
      await forgetEmptyOrder(tx, cartId);
    });
  }

  /**
   * Changes the places that a cart gives to others at an event of it. The holds of the tickets are renewed as in `add`.
   * @param typed their number; `0` removes them
   * @returns false when the cart was completed already
   * @throws RefusedInput on `places`
   */
  setGivenPlaces(cartId: string, eventId: string, typed: string): Promise<boolean> {
    const quantity = placesOf(typed);
    return this.changing(cartId, async (tx) => {
      await choosePlaces(tx, cartId, eventId, quantity);
      await forgetEmptyOrder(tx, cartId);
    });
  }

  /**
   * Like `addDonation`, with places for others at the event of the draft.
   * @throws RefusedInput on `places`
   */
  addGivenPlaces(draftId: string, typed: string): Promise<boolean> {
    const quantity = placesOf(typed);
    return this.adding(
      draftId,
      ({ cartId }) => cartId !== null || quantity > 0,
      (tx, { eventId }) => choosePlaces(tx, draftId, eventId, quantity),
    );
  }

  /**
   * Makes a cart of a draft that is ordered alone, with a donation: what an order sells itself belongs to a cart. The order keeps its id.
   * @param amount as it was typed
   * @returns false when the draft was completed or deleted, or is in another cart
   * @throws RefusedInput on `donation`
   */
  addDonation(draftId: string, amount: string, choice: DonationChoice = {}): Promise<boolean> {
    const wanted = wantedDonation(amount, choice);
    const isSome = ({ cartId, amount: sum }: LockedDraft): boolean => cartId !== null || toCents(givenWith(sum, wanted)) > 0;
    return this.adding(draftId, isSome, (tx) => giveWithCart(tx, draftId, wanted));
  }

  private adding(
    draftId: string,
    isSome: (draft: LockedDraft) => boolean,
    give: (tx: Tx, draft: LockedDraft) => Promise<void>,
  ): Promise<boolean> {
    const adding = async (tx: Tx): Promise<boolean> => {
      if (!(await lockOrder(tx, draftId))) return false;
      const draft = await lockDraft(tx, draftId);
      if (!draft || (draft.cartId !== null && draft.cartId !== draftId)) return false;
      if ((await orderFacts(tx, draftId)).offeredTo !== '' || !isSome(draft)) return false;
      await tx.query('update reservation set cart_id = id where id = $1', [draftId]);
      await give(tx, draft);
      return true;
    };
    return retryOnDeadlock(() => this.db.transaction(adding));
  }

  /** Changes a cart, and renews its holds. @returns false when it was completed already */
  private changing(cartId: string, change: (tx: Tx) => Promise<void>): Promise<boolean> {
    const changing = async (tx: Tx): Promise<boolean> => {
      if (!(await beginOrder(tx, cartId))) return false;
      await change(tx);
      const parts = await partsOf(tx, cartId);
      await this.renew(tx, cartId, parts);
      await this.discounts.lock(tx, parts);
      await this.discounts.reprice(tx, parts);
      return true;
    };
    return this.drafts.taking(changing);
  }

  /**
   * Removes a part or a line of a cart, and frees the places of the part. A pass leaves the cart with each of its dates.
   * What is not there (any more), or was completed, stays unchanged.
   */
  async remove(cartId: string, id: string): Promise<void> {
    const removing = async (tx: Tx, keepsRest: boolean): Promise<void> => {
      if (!(await lockOrder(tx, cartId))) return;
      const kept = await membershipsWithout(tx, cartId, id);
      await removeLines(tx, cartId, [id]);
      const parts = await partsOf(tx, cartId);
      await this.discounts.lock(tx, parts);
      const part = parts.find((one) => one.id === id);
      const dates = part ? await otherDatesOf(tx, { ...part, lines: [] }, await passesIn(tx, cartId), this.settings) : [];
      if (part) await this.dates.free(tx, id);
      else await forgetEmptyOrder(tx, cartId);
      for (const [eventId, passes] of dates) {
        const other = parts.find((one) => one.eventId === eventId);
        if (!other) continue;
        if (keepsRest) await this.dates.book(tx, { eventId, passes, part: other, cartId }, noNetworks);
        else await this.dates.free(tx, other.id);
      }
      await this.discounts.reprice(tx, parts, kept);
    };
    try {
      await this.drafts.taking((tx) => removing(tx, true));
    } catch (error) {
      // Other tickets for the dates of a pass cannot be had any more.
      if (!(error instanceof RefusedInput)) throw error;
      await this.drafts.taking((tx) => removing(tx, false));
    }
  }

  private async bookDates(
    tx: Tx,
    cartId: string,
    { parts, dates, keys }: { readonly parts: readonly CartPart[]; readonly dates: OtherDates; readonly keys: NetworkKeys },
  ): Promise<void> {
    for (const [eventId, passes] of dates) {
      const part = parts.find((one) => one.eventId === eventId);
      await this.dates.book(tx, { eventId, passes, part, cartId }, keys);
    }
  }

  /** Renews the holds that have not ended. The jobs that end them find the new time. */
  private async renew(tx: Tx, cartId: string, [first]: readonly CartPart[]): Promise<void> {
    if (!first) return;
    const holdMs = this.settings.holdMinutes * 60_000;
    const now = databaseNow();
    const end = Math.min(now.getTime() + holdMs, first.createdAt.getTime() + longestHolds * holdMs);
    await tx.query(
      `update reservation set expires_at = $2
       where cart_id = $1 and is_draft and released_at is null and expires_at > $3 and expires_at < $2`,
      [cartId, new Date(end), now],
    );
  }
}

/** What was chosen before, with what is chosen now instead of the same prices. */
function together(before: DraftChoice, now: DraftChoice): DraftChoice {
  const kept = before.lines.filter(({ priceId }) => now.lines.every((line) => line.priceId !== priceId));
  return { ...before, lines: [...kept, ...now.lines], code: now.code ?? before.code };
}
