import {
  AvailabilityService,
  deletedMeanwhile,
  linesOfReservation,
  loadOffer,
  networkLimit,
  type KeptCode,
  type Lines,
  type NetworkKeys,
  noteEnded,
  RefusedBooking,
  SigningKeysService,
  takesMore,
  total,
} from '#tickets';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RefusedInput, refusalsOf, retryOnDeadlock, SETTINGS, SignedLinks, sumOf, type ClientNetworks, type Settings } from '#kernel';
import { CheckoutsService } from '#payments';
import { currentTenant, demandModule, inside, TenantDb, type ReadingIn, type Tx } from '#tenancy';
import { choiceOf, forgetChoice, holdsPass, lockDraft, type DraftOrigin } from './draft-rows.js';
import { withBuying } from '../discounts/order-discounts.js';
import { keptCodeOf } from '../codes/used-codes.js';
import { BookingTurnsService } from '../new-reservations/booking-turns.service.js';
import { SalesService, type Planned, type Planning } from '../sales/sales.service.js';
import { payAtVenueUntil } from './payment-ways.js';
import { checkSize } from '../rules/size.js';
import { checkedChoice, offerOfChoice, plannedHold, type CheckedChoice, type DraftChoice } from './wanted-draft.js';

/** Whose tickets are held, and since when. */
interface Holding extends DraftOrigin {
  readonly id: string;
  readonly networks: Pick<NetworkKeys, 'networkSite'> & { readonly network: string | null };
  /** The hold that is changed. */
  readonly before?: {
    readonly expiresAt: Date;
    /** It has ended. */
    readonly lapsed: boolean;
    /** What it gave back in this transaction. */
    readonly lines: Lines | undefined;
    /** What it used of a code. */
    readonly code: KeptCode | undefined;
  };
  /** Of a proposal to somebody who waits: until when it holds, at the latest until the event begins. */
  readonly proposedUntil?: Date;
}

/**
 * Drafts: what buyers on the public pages chose before they sent the contact form. A draft is a reservation in state R that holds its
 * places for `HOLD_MINUTES`, counted like every other hold, but is told to nobody. `DraftCompletionService` makes a reservation of it.
 */
@Injectable()
export class DraftsService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly signingKeys: SigningKeysService,
    private readonly turns: BookingTurnsService,
    private readonly checkouts: CheckoutsService,
    private readonly links: SignedLinks,
    private readonly sales: SalesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Holds the chosen tickets, all or none.
   * @param networks of the buyer; counted towards `HELD_TICKETS_PER_NETWORK`
   * @returns the id of the draft
   * @throws RefusedInput, RefusedInputs on `tickets`, `tickets.<i>.priceId`, `tickets.<i>.amount`, `options`, `eventId`
   * @throws RefusedBooking with the remaining quantities, or the number that a person may book; RefusedDraft
   *   `too_many_held`, `too_many_here`, `queue_ahead` while people wait in the queue of the event
   * @throws RefusedAmount on `tickets.<i>.amount` or `tickets` when the sum cannot be paid online, and not at the venue
   * @throws Problem 429 `tenant.busy`; Problem 403 `tenant.module`
   */
  hold(choice: DraftChoice, networks: ClientNetworks): Promise<string> {
    demandModule('ticketing');
    checkSize(choice.lines);
    const planning = this.planning(choice, { id: randomUUID(), networks: this.keysOf(networks) });
    const once = async (round: number): Promise<string> => {
      const { sale } = await this.sales.plan(offerOfChoice(choice), round === 1, planning);
      await this.sales.write(sale);
      return sale.reservation.id;
    };
    return this.availability.retryAfterRelease((round) => this.turns.run(() => once(round)));
  }

  /**
   * Like `hold`, at the end of a transaction that `taking` runs.
   * @param networks of `keysOf`
   */
  holdIn(tx: Tx, choice: DraftChoice, networks: NetworkKeys, origin: DraftOrigin): Promise<string> {
    return this.writeIn(tx, choice, { ...origin, id: origin.spot ?? randomUUID(), networks });
  }

  /**
   * Holds tickets for somebody on the waiting list, whose event is locked, in a transaction that `AvailabilityService.retryAfterRelease`
   * repeats. Nobody comes first.
   * @param until end of the hold, at the latest when the event begins
   * @throws like `hold`
   */
  proposeIn(tx: Tx, choice: DraftChoice, until: Date): Promise<string> {
    return this.writeIn(tx, choice, { id: randomUUID(), networks: { network: null, networkSite: null }, proposedUntil: until });
  }

  private async writeIn(tx: Tx, choice: DraftChoice, holding: Holding): Promise<string> {
    const { sale } = await this.sales.planIn(tx, offerOfChoice(choice), this.planning(choice, holding));
    await this.sales.writeIn(tx, sale);
    return holding.id;
  }

  private planning(choice: DraftChoice, { id, cartId = null, spot, networks, before, proposedUntil }: Holding): Planning<Planned> {
    const { network, networkSite } = networks;
    return async (offer, now, read) => {
      const isProposal = proposedUntil !== undefined;
      const keptCode = before?.lapsed ? undefined : before?.code;
      const orderId = cartId ?? (before ? id : null);
      const decides = isProposal || (choice.isKept === true && before?.lapsed === false);
      const checked = checkedChoice(await withBuying(choice, offer, orderId, read), offer, { decides, keptCode });
      if (cartId === null && !isProposal) await this.refuseTooSmall(choice, checked, read);
      // After the end of a hold, people who wait come first, whether or not a job has released its places.
      const kept = before?.lapsed ? undefined : before?.lines;
      const until = new Date(now.getTime() + this.settings.holdMinutes * 60_000);
      const sale = plannedHold(checked, offer, {
        id,
        now,
        expiresAt: proposedUntil ?? (before && !before.lapsed ? before.expiresAt : until),
        signingKeyId: this.signingKeys.accept(offer.signingKey),
        cartId,
        network: network === null ? null : networkLimit({ network, networkSite }, this.settings),
        passesQueue: isProposal || spot !== undefined || (kept !== undefined && !takesMore(checked.lines, kept)),
        isRenewed: before?.lapsed ?? false,
        kept,
        keptCode,
        passesList: isProposal,
      });
      return { sale };
    };
  }

  /**
   * Replaces the tickets of a draft, all or none: when the new choice is refused, the old one stays held. The hold ends when it ended
   * before; one that has ended begins anew. While people wait in the queue of the event, it does not, and nothing more is taken.
   * @returns false when there is no such draft (any more); it may have been completed
   * @throws like `hold`; RefusedDraft `queue_lapsed`; RefusedBooking `whole_series` when the draft has tickets of a pass
   */
  change(id: string, choice: DraftChoice): Promise<boolean> {
    demandModule('ticketing');
    checkSize(choice.lines);
    return this.taking(async (tx) => {
      // In a cart they are changed for all dates together.
      if (await holdsPass(tx, id)) throw new RefusedBooking('whole_series', 'tickets');
      return this.changeIn(tx, id, choice);
    });
  }

  /**
   * Uses a code for a draft, or none any more.
   * @returns false when there is no such draft (any more)
   * @throws like `change`
   */
  useCode(id: string, code: string | undefined): Promise<boolean> {
    demandModule('ticketing');
    return this.taking(async (tx) => {
      const draft = await lockDraft(tx, id);
      return draft !== undefined && this.changeIn(tx, id, { ...(await choiceOf(tx, draft)), code, allDates: true });
    });
  }

  /** Why a choice cannot be had with its code, or without one, before anything is changed; undefined: it can. */
  async codeFault(tx: Tx, choice: DraftChoice): Promise<RefusedInput | undefined> {
    try {
      checkedChoice(choice, await loadOffer(tx, offerOfChoice(choice), this.settings));
      return undefined;
    } catch (error) {
      if (error instanceof RefusedInput) return error;
      throw error;
    }
  }

  /**
   * Checks a choice like `hold`, as far as that needs no places, and holds nothing.
   * @throws like `hold`
   */
  async check(choice: DraftChoice): Promise<void> {
    await this.taking(async (tx) => checkedChoice(choice, await loadOffer(tx, offerOfChoice(choice), this.settings)));
  }

  /**
   * Prices a held draft anew with what its cart contains. Changes nothing when its sum stays, or when it could not be bought any more.
   * @throws like `change`
   */
  async repriceIn(tx: Tx, { id, eventId }: { readonly id: string; readonly eventId: string }, choice: DraftChoice): Promise<void> {
    const draft = await lockDraft(tx, id);
    if (!draft || draft.eventId !== eventId) return;
    const offer = await loadOffer(tx, offerOfChoice(choice), this.settings);
    const priced = await withBuying(choice, offer, draft.cartId ?? id, inside(tx));
    const how = { decides: choice.isKept === true && !draft.lapsed, keptCode: await keptCodeOf(tx, id) };
    let sum = draft.amount;
    const refusals = refusalsOf(() => (sum = sumOf(checkedChoice(priced, offer, how).tickets)));
    if (refusals.length === 0 && sum !== draft.amount) await this.changeIn(tx, id, choice);
  }

  /** Like `change`, inside a transaction that `taking` runs. @param spot in the queue whose turn it is */
  async changeIn(tx: Tx, id: string, choice: DraftChoice, spot?: string): Promise<boolean> {
    const draft = await lockDraft(tx, id);
    if (!draft || draft.eventId !== choice.eventId) return false;
    // What the draft holds is given back, and the new choice is written like a new hold. When it is refused, all of that rolls back.
    const lines = draft.released ? undefined : await linesOfReservation(tx, id);
    if (lines) await this.availability.giveBack(tx, draft.eventId, lines);
    const code = draft.released ? undefined : await keptCodeOf(tx, id);
    const holding = { id, cartId: draft.cartId, spot, networks: draft, before: { ...draft, lines, code } };
    const { sale } = await this.sales.planIn(tx, offerOfChoice(choice), this.planning(choice, holding));
    if (lines) await noteEnded(tx, id, draft.lapsed ? 0 : total(sale.claim.lines.admission));
    await forgetChoice(tx, id);
    await this.sales.writeIn(tx, sale);
    return true;
  }

  /** The keyed hashes of a buyer's networks: they are stored in this form only, because they are only compared. */
  keysOf({ own, site }: ClientNetworks): NetworkKeys {
    const keyOf = (network: string): string => this.links.markOf(`network:${currentTenant().id}:${network}`);
    return { network: keyOf(own), networkSite: site === null ? null : keyOf(site) };
  }

  /**
   * Runs a transaction that takes places in its turn, and repeats it after expired holds were released.
   */
  taking<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const once = (): Promise<Result> =>
      retryOnDeadlock(() => this.db.transaction(work)).catch((error: unknown) => {
        throw deletedMeanwhile(error) ?? error;
      });
    return this.availability.retryAfterRelease(() => this.turns.run(once));
  }

  /**
   * Who can pay at the venue chooses later how to pay, and what a cart costs is known when it is complete.
   * @throws RefusedAmount
   */
  private async refuseTooSmall({ lines }: DraftChoice, { eventId, tickets, prices }: CheckedChoice, read: ReadingIn): Promise<void> {
    const chosen = lines.findIndex(({ priceId }) => prices.some(({ id, freeAmount }) => id === priceId && freeAmount));
    const refusal = await this.checkouts.tooSmall(read, sumOf(tickets), chosen < 0 ? 'tickets' : `tickets.${chosen}.amount`);
    if (refusal && (await read((tx) => payAtVenueUntil(tx, [eventId]))) === undefined) throw refusal;
  }
}
