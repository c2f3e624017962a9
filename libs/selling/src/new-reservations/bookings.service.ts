import {
  AvailabilityService,
  eventSelling,
  HolderLinks,
  isVerifiedSql,
  loadReservations,
  ReservationChangesService,
  type ShownReservation,
  SigningKeysService,
} from '#tickets';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, retryOnDeadlock, type Settings } from '#kernel';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { GiftCardRedemptionService } from '#gift-cards';
import { CheckoutsService } from '#payments';
import { AccountOrdersService } from '#transfers';
import { planBooking, type BookingPlan } from './booking-plan.js';
import { BookingTurnsService } from './booking-turns.service.js';
import { checkNewReservation, emailOf, hasPrices, priceIdsOf, type NewReservation, type PricedReservation } from './new-reservation.js';
import { SalesService, type Planning } from '../sales/sales.service.js';
import { membershipsFor } from '../discounts/memberships-for.js';
import { withPrices } from './volunteering-lines.js';

/** Creates reservations. API, box office and public pages all use this service. */
@Injectable()
export class BookingsService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly signingKeys: SigningKeysService,
    private readonly giftCards: GiftCardRedemptionService,
    private readonly checkouts: CheckoutsService,
    private readonly changes: ReservationChangesService,
    private readonly links: HolderLinks,
    private readonly turns: BookingTurnsService,
    private readonly sales: SalesService,
    private readonly accounts: AccountOrdersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Books all tickets or none. Free bookings await e-mail confirmation (unless the address is verified already); paid ones await payment,
   * online if the tenant accepts it; both for the duration of a hold. A confirmed booking is valid at once.
   * @throws RefusedInput on `eventId`, `email`, `tickets`, `tickets.<i>.priceId`, `.amount`, `.holders`, `options`; RefusedInputs of
   *   RefusedAnswer
   * @throws RefusedInputs of MissingPrice on `tickets.<i>.priceId` for lines without a price, except for volunteering slots
   * @throws RefusedBooking with the remaining quantities, or the number that this person may still book
   * @throws Problem 429 `tenant.busy` when too many bookings of this tenant wait, or the client left while its booking waited
   * @throws PaymentProviderUnavailable, PaymentProviderRefused when no checkout can be opened. Nothing is booked then, unless the request
   *   has an `Idempotency-Key` and the provider did not refuse: then the repeated request finds the hold and opens the checkout
   * @throws Problem 403 `tenant.module`
   */
  async book(wanted: NewReservation): Promise<ShownReservation> {
    demandModule('ticketing');
    checkNewReservation(wanted);
    // Checked before booking: after the commit, an error here would hide the booking from the caller.
    const canPayOnline = !wanted.confirmed && (await this.checkouts.available());
    const sell = () => this.availability.retryAfterRelease((round) => this.turns.run(() => this.sell(wanted, round === 1)));
    const booked = await this.giftCards.sell(sell);
    if (booked.status !== 'R') return booked;
    const { giftCard } = wanted;
    if (!canPayOnline && giftCard === undefined) return booked;
    // A repeated request whose hold has expired books anew.
    if (this.db.repetition() === 'replay' && (await this.changes.giveUpCheckout(booked.id, { lapsedOnly: true }))) return this.book(wanted);
    if (giftCard !== undefined && ((await this.payWithCard(booked, giftCard)) || !canPayOnline)) return this.asItIs(booked);
    return this.sendToCheckout(booked);
  }

  /** @param recent an offer that was read some seconds ago may do */
  private async sell(given: NewReservation, recent: boolean): Promise<ShownReservation> {
    const committed = this.db.committedOutcome();
    if (committed) return committed.outcome as ShownReservation;
    const wanted = await this.priced(given);
    const eventId = wanted.eventId ?? (await this.eventOf(wanted));
    const plan = await this.sales.plan({ eventId, priceIds: priceIdsOf(wanted), code: wanted.code }, recent, this.planning(wanted));
    // The result of a request that may be repeated is stored before the commit.
    if (plan.venueMethod || this.db.repetition()) return retryOnDeadlock(() => this.db.transactionOnce((tx) => this.writeIn(tx, plan)));
    await this.sales.write(plan.sale);
    return plan.sale.reservation;
  }

  private planning(wanted: PricedReservation): Planning<BookingPlan> {
    return async (offer, now, read) => {
      const signingKeyId = this.signingKeys.accept(offer.signingKey);
      const how = { now, signingKeyId, verified: false, holdMinutes: this.settings.holdMinutes };
      const memberships = await membershipsFor(offer, emailOf(wanted), read);
      const plan = planBooking(wanted, offer, how, memberships);
      if (plan.sale.reservation.status !== 'F') return plan;
      const verified = await read((tx) => isVerified(tx, plan.sale.reservation.emailKey));
      return verified ? planBooking(wanted, offer, { ...how, verified }, memberships) : plan;
    };
  }

  private async priced(wanted: NewReservation): Promise<PricedReservation> {
    return hasPrices(wanted) ? wanted : this.db.transaction((tx) => withPrices(tx, wanted));
  }

  private eventOf(wanted: PricedReservation): Promise<string> {
    return this.db.transaction((tx) => eventSelling(tx, priceIdsOf(wanted), this.settings));
  }

  /** Opens a checkout. On failure, frees the places at once, unless the request may be repeated. */
  private async sendToCheckout(reservation: ShownReservation): Promise<ShownReservation> {
    const { id, email, language, event, expiresAt } = reservation;
    const subject = { reservationId: id };
    const returnUrl = this.links.urlTo(subject);
    const bill = { subject, description: event.name, email, language, expiresAt: expiresAt as Date, returnUrl };
    try {
      return await this.checkouts.open(bill, {
        opened: (tx) => this.changes.openedCheckout(tx, id),
        read: async (tx) => (await loadReservations(tx, [id]))[0] ?? reservation,
      });
    } catch (error) {
      // If the cancellation fails too, the hold expires later.
      if (!this.checkouts.mayBeRepeated(error)) await this.changes.giveUpCheckout(id).catch(() => undefined);
      throw error;
    }
  }

  /** Like `book`, in a running transaction, and without opening a checkout. The event is named. */
  async bookIn(tx: Tx, given: NewReservation & { readonly eventId: string }): Promise<ShownReservation> {
    const wanted = await withPrices(tx, given);
    const priceIds = priceIdsOf(wanted);
    return this.writeIn(tx, await this.sales.planIn(tx, { eventId: given.eventId, priceIds, code: wanted.code }, this.planning(wanted)));
  }

  private async writeIn(tx: Tx, { sale, venueMethod, customerId, giftCard }: BookingPlan): Promise<ShownReservation> {
    const { id, amount } = sale.reservation;
    await this.sales.writeIn(tx, sale);
    const method = customerId === undefined ? venueMethod : undefined;
    if (venueMethod) await this.giftCards.payAtVenue(tx, { reservationId: id }, { amount, method, giftCard });
    if (venueMethod && customerId !== undefined && !sale.order.isOpen) await this.accounts.billTo(tx, sale.order.id, customerId);
    return sale.reservation;
  }

  /** Pays a new reservation with a gift card, or reserves what the card has. @returns whether nothing is left to pay */
  private async payWithCard({ id }: ShownReservation, giftCard: string): Promise<boolean> {
    try {
      // A repeated request has chosen the card already, and may have used it up.
      const isChosen = this.db.repetition() === 'replay' && (await this.giftCards.chosen(id)).length > 0;
      if (!isChosen) await this.giftCards.choose(id, await this.giftCards.enter(giftCard), { isPlaced: true });
      return await this.giftCards.reserve(id, [{ reservationId: id }]);
    } catch (error) {
      await this.changes.giveUpCheckout(id).catch(() => undefined);
      throw error;
    }
  }

  private async asItIs(booked: ShownReservation): Promise<ShownReservation> {
    return (await this.db.transaction(async (tx) => (await loadReservations(tx, [booked.id]))[0])) ?? booked;
  }
}

async function isVerified(tx: Tx, emailKey: string): Promise<boolean> {
  const [row] = await tx.query<{ verified: boolean }[]>(`select ${isVerifiedSql('$1')} as verified`, [emailKey]);
  return row?.verified === true;
}
