import { AccountReader, OrderLinks, personalReply } from '#page-kit';
import { DraftCompletionService, VenueInsteadService } from '#selling';
import { awaitsConfirmation, RefusedBooking, ReservationsService, type WholeReservation } from '#tickets';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { currentLanguage, RefusedInput } from '#kernel';
import { checkoutUrlOf, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { Access } from '#tenancy';
import { Controller, Headers, Param, Post, UseGuards } from '@nestjs/common';
import { maximumWords } from '../ticket-forms/booking.words.js';
import { HolderAccess } from './holder-access.service.js';
import { holderWordsFor } from './pages/holder.words.js';
import { refusedPage } from './pages/ticket-forms.js';

type Shown = Reply<string> | Reply<Redirection>;

/** The change of the way to pay of a reservation that is not paid. What is not possible any more leads back to its page, which says why. */
@Controller('reservation/:id/:mark')
@Access('public')
export class HolderPaymentController {
  constructor(
    private readonly access: HolderAccess,
    private readonly reservations: ReservationsService,
    private readonly venue: VenueInsteadService,
    private readonly drafts: DraftCompletionService,
    private readonly orders: OrderLinks,
    private readonly account: AccountReader,
  ) {}

  /** At the venue instead of online. Who is not known to be the owner of the address confirms it by mail, as the page of the order says. */
  @Post('venue')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async atVenue(@Param('id') id: string, @Param('mark') mark: string, @Headers('cookie') cookie?: string): Promise<Shown> {
    const reservation = await this.access.reservation(id, mark);
    const back = this.access.pathTo(reservation);
    // The parts of a cart change together, on its page.
    if (reservation.cartId !== null) return seeOther(back);
    const signedIn = (await this.account.person(cookie))?.email;
    try {
      await this.venue.change([id], signedIn);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const isMaximum = error instanceof RefusedBooking && error.reason === 'limit_per_user';
      return this.refuse(reservation, 409, isMaximum ? maximumWords(error, currentLanguage(), true) : error.message);
    }
    const now = await this.reservations.find(id);
    return seeOther(now && awaitsConfirmation(now) ? this.orders.pathTo(id) : back);
  }

  /** Online instead of at the venue. The places stay reserved while the buyer is at the provider, and when nothing is paid there. */
  @Post('online')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async online(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    const reservation = await this.access.reservation(id, mark);
    const back = this.access.pathTo(reservation);
    if ((await this.access.otherWay(reservation)) !== 'online') return seeOther(back);
    try {
      return seeOther(checkoutUrlOf((await this.drafts.pay(reservation)).payments) ?? back);
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused || error instanceof PaymentProviderUnavailable)) throw error;
      return this.refuse(reservation, 503, holderWordsFor(currentLanguage(), reservation.tickets).payFailed);
    }
  }

  private async refuse(reservation: WholeReservation, status: number, text: string): Promise<Reply<string>> {
    const words = holderWordsFor(currentLanguage(), reservation.tickets);
    const subject = { reservation, back: this.access.pathTo(reservation), venue: await this.access.venue() };
    return personalReply(refusedPage(subject, words.notNowTitle, text), { status });
  }
}
