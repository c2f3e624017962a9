import {
  AvailabilityService,
  deletedMeanwhile,
  linesOfReservation,
  networkLimit,
  type NetworkKeys,
  type NewHold,
  noteEnded,
  type ReadingIn,
  SigningKeysService,
  takesMore,
  total,
} from '#tickets';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { retryOnDeadlock, SETTINGS, SignedLinks, sumOf, type ClientNetworks, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { CheckoutsService } from '#payments';
import { currentTenant, demandModule, TenantDb, type Tx } from '#tenancy';
import { draftExpiryJob } from './draft-jobs.js';
import {
  forgetChoice,
  insertDraftOptions,
  insertDraftTickets,
  lockDraft,
  refuseOvertaking,
  type DraftOrigin,
  type LockedDraft,
} from './draft-rows.js';
import { BookingTurnsService } from '../new-reservations/booking-turns.service.js';
import { inside, SalesService, type Planned, type Planning } from '../sales/sales.service.js';
import { refuseTooMany } from './network-refusals.js';
import { payAtVenueUntil } from './payment-ways.js';
import { checkSize } from '../rules/size.js';
import {
  checkedChoice,
  claimOfHold,
  offerOfChoice,
  plannedHold,
  readChoice,
  type CheckedChoice,
  type DraftChoice,
} from './wanted-draft.js';

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
    private readonly jobs: JobsService,
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
    const origin = { cartId: null, passesQueue: false };
    const planning = this.planning(choice, this.keysOf(networks), { ...origin, id: randomUUID() });
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
  async holdIn(tx: Tx, choice: DraftChoice, networks: NetworkKeys, { cartId = null, spot }: DraftOrigin): Promise<string> {
    const planning = this.planning(choice, networks, { cartId, passesQueue: spot !== undefined, id: spot ?? randomUUID() });
    const { sale } = await this.sales.planIn(tx, offerOfChoice(choice), planning);
    await this.sales.writeIn(tx, sale);
    return sale.reservation.id;
  }

  private planning(
    choice: DraftChoice,
    networks: NetworkKeys,
    origin: Pick<NewHold, 'cartId' | 'passesQueue'> & { readonly id: string },
  ): Planning<Planned> {
    return async (offer, now, read) => {
      const checked = checkedChoice(choice, offer);
      if (origin.cartId === null) await this.refuseTooSmall(choice, checked, read);
      const signingKeyId = this.signingKeys.accept(offer.signingKey);
      return { sale: plannedHold(checked, offer, { ...networkLimit(networks, this.settings), ...origin, now, signingKeyId }) };
    };
  }

  /**
   * Replaces the tickets of a draft, all or none: when the new choice is refused, the old one stays held. The hold ends when it ended
   * before; one that has ended begins anew. While people wait in the queue of the event, it does not, and nothing more is taken.
   * @returns false when there is no such draft (any more); it may have been completed
   * @throws like `hold`; RefusedDraft `queue_lapsed`
   */
  change(id: string, choice: DraftChoice): Promise<boolean> {
    demandModule('ticketing');
    checkSize(choice.lines);
    return this.taking((tx) => this.changeIn(tx, id, choice));
  }

  /**
   * Checks a choice like `hold`, as far as that needs no places, and holds nothing.
   * @throws like `hold`
   */
  async check(choice: DraftChoice): Promise<void> {
    await this.taking((tx) => readChoice(tx, choice, this.settings));
  }

  /** Like `change`, inside a transaction that `taking` runs. @param spot in the queue whose turn it is */
  async changeIn(tx: Tx, id: string, choice: DraftChoice, spot?: string): Promise<boolean> {
    const checked = await readChoice(tx, choice, this.settings);
    const draft = await lockDraft(tx, id);
    if (!draft || draft.eventId !== checked.eventId) return false;
    if (draft.cartId === null) await this.refuseTooSmall(choice, checked, inside(tx));
    await refuseTooMany(tx, draft, checked.tickets, this.settings);
    const givenBack = draft.released ? undefined : await linesOfReservation(tx, id);
    if (spot === undefined && (draft.lapsed || takesMore(checked.lines, givenBack))) await refuseOvertaking(tx, draft);
    if (givenBack) {
      await noteEnded(tx, id, draft.lapsed ? 0 : total(checked.lines.admission));
      await this.availability.giveBack(tx, draft.eventId, givenBack);
    }
    await forgetChoice(tx, id);
    await this.insertChoice(tx, id, checked);
    await this.renewed(tx, draft, sumOf(checked.tickets));
    // After the end of a hold, people who wait come first, whether or not a job has released its places.
    const keeps = draft.lapsed ? undefined : givenBack;
    await this.availability.take(tx, { ...claimOfHold(id, checked), ...(keeps && { givenBack: keeps }) });
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
    const refusal = this.checkouts.tooSmall(sumOf(tickets), chosen < 0 ? 'tickets' : `tickets.${chosen}.amount`);
    if (refusal && (await read((tx) => payAtVenueUntil(tx, eventId))) === undefined) throw refusal;
  }

  /** Writes the new sum, and begins a hold that has ended anew. */
  private async renewed(tx: Tx, { id, lapsed }: LockedDraft, amount: string): Promise<void> {
    await tx.query(
      `update reservation set amount = $2, released_at = null,
         expires_at = case when $3 then (select now() + make_interval(mins => $4)) else expires_at end where id = $1`,
      [id, amount, lapsed, this.settings.holdMinutes],
    );
    if (lapsed) await this.jobs.add(tx, draftExpiryJob, id, { afterSeconds: this.settings.holdMinutes * 60 });
  }

  private async insertChoice(tx: Tx, id: string, { eventId, tickets, options, signingKey }: CheckedChoice): Promise<void> {
    await insertDraftTickets(tx, { id, eventId, signingKeyId: this.signingKeys.accept(signingKey) }, tickets);
    await insertDraftOptions(tx, id, options);
  }
}
