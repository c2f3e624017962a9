import { AccountReader, CartLinks, OrderLinks, isForFrame, pageTenant, reader } from '#page-kit';
import { giftCardRefusalOf } from '#gift-cards';
import { EmailCorrectionsService } from '#holders';
import {
  CartsService,
  CodeConfirmationService,
  DraftCompletionService,
  DraftsService,
  EnteredCodesService,
  RefusedDraft,
  type CompletedReservation,
  type OrderedTickets,
} from '#selling';
import { awaitsConfirmation, HolderLinks, isHold, isSignedIn, RefusedBooking, type WholeReservation } from '#tickets';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { currentLanguage, isUuid, kernelProblem, RefusedInput } from '#kernel';
import { PublicEventsService } from '#pages';
import { checkoutUrlOf, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { Access } from '#tenancy';
import { Body, Controller, Get, Headers, Ip, Param, Post, Query, UseGuards } from '@nestjs/common';
import { contactFaults, contactFields, knownContact, paymentOf, readContact, typedContact } from './contact-form.dto.js';
import { asksWithOrders, readDonation } from '../donations/ask-donation.js';
import { FollowingBuyersService } from '../following/following-buyers.service.js';
import { KeptContactService } from './kept-contact.service.js';
import { OrderPagesService } from './order-pages.service.js';
import { enterCode, isToConfirm } from '../inbox/entered-code.js';
import { isOrderOpen, leadsToHolder } from './order-link.js';
import type { Refused } from '../donations/refused-order.js';
import { hasSameTickets } from './same-tickets.js';
import { isOver, isPayable, toFormRefusal } from './order-steps.js';

type Shown = Reply<string> | Reply<Redirection>;

/** The second page of an order, with the contact form, and what follows it. */
@Controller('order/:id/:mark')
@Access('public')
export class OrderController {
  constructor(
    private readonly orders: DraftCompletionService,
    private readonly pages: OrderPagesService,
    private readonly links: OrderLinks,
    private readonly carts: CartLinks,
    private readonly baskets: CartsService,
    private readonly holders: HolderLinks,
    private readonly venue: PublicEventsService,
    private readonly account: AccountReader,
    private readonly corrections: EmailCorrectionsService,
    private readonly codes: CodeConfirmationService,
    private readonly following: FollowingBuyersService,
    private readonly drafts: DraftsService,
    private readonly discounts: EnteredCodesService,
    private readonly kept: KeptContactService,
  ) {}

  @Get()
  async show(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Headers('sec-fetch-dest') destination: string | undefined,
    @Headers('cookie') cookie?: string,
    @Query() query?: unknown,
  ): Promise<Shown> {
    const order = await this.find(id, mark);
    if (!order) return this.pages.gone();
    const { reservation } = order;
    if (reservation.cartId !== null) return this.toCart(reservation.cartId);
    const signedIn = (await this.account.person(cookie))?.email;
    const queried = reader(query);
    if (reservation.isDraft) {
      const same = await this.sameBefore(reservation, queried('after'));
      return this.pages.contact(order, this.links.pathTo(id), {
        typed: this.kept.of(id, cookie, knownContact(order, signedIn)),
        signedIn,
        same,
        gift: queried('gift'),
      });
    }
    const isSentAgain = queried('sent') === 'again';
    return isForFrame(destination)
      ? this.completedInFrame(reservation, signedIn, isSentAgain)
      : this.completed(reservation, signedIn, isSentAgain, queried('gift'));
  }

  /** Mails the link that confirms the order again, also to another address. */
  @Post('email')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['email'] })
  async sendAgain(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Shown> {
    const order = await this.find(id, mark);
    const path = this.links.pathTo(id);
    if (!order || !isToConfirm([order.reservation]) || !(await this.isOpen(order.reservation))) return seeOther(path);
    const email = reader(body)('email');
    try {
      return seeOther((await this.corrections.ofBuyer([id], email)) ? `${path}?sent=again` : path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const status = error instanceof RefusedDraft ? 429 : 422;
      return this.pages.sent(order.reservation, { path, status, email, fault: error.message });
    }
  }

  /** Confirms the order with the code in the mail. */
  @Post('code')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['code'] })
  async confirm(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Shown> {
    const order = await this.find(id, mark);
    const path = this.links.pathTo(id);
    if (!order || !isToConfirm([order.reservation]) || !(await this.isOpen(order.reservation))) return seeOther(path);
    const entered = await enterCode(this.codes, order.reservation.cartId ?? id, reader(body)('code'));
    if (entered.fault !== undefined) return this.pages.sent(order.reservation, { path, status: entered.status, codeFault: entered.fault });
    return seeOther(entered.part ? `${this.holders.pathTo({ reservationId: entered.part.id }, entered.part.linkVersion)}?done=1` : path);
  }

  /** Uses a code; an empty one is given up. */
  @Post('discount')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['code'] })
  async useCode(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown, @Ip() client: string): Promise<Shown> {
    this.check(id, mark);
    const typed = reader(body)('code');
    try {
      await this.drafts.useCode(id, await this.discounts.enter(typed, client));
      return seeOther(this.links.pathTo(id));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.refuse(id, error, { body, signedIn: undefined, code: { typed: typed.slice(0, 60), fault: error.message } });
    }
  }

  /** Adds a donation: a cart has the order and the donation then, and its contact form follows. */
  @Post('donation')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['donation'] })
  async donate(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Shown> {
    this.check(id, mark);
    const { typed, amount, choice } = readDonation(body);
    const add = async (): Promise<boolean> =>
      asksWithOrders(await this.venue.venue()) && (await this.baskets.addDonation(id, amount, choice));
    return this.added(id, add, (fault) => ({ body, donation: { typed, fault } }));
  }

  /** Adds places for others: a cart has the order and them then, and its contact form follows. */
  @Post('places')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['places'] })
  async givePlaces(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Shown> {
    this.check(id, mark);
    const add = (): Promise<boolean> => this.baskets.addGivenPlaces(id, reader(body)('places'));
    return this.added(id, add, (places) => ({ body, places }));
  }

  /** Completes the order once. Every further request leads to the same place. The button that changes the tickets sends the form, too. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: contactFields })
  async complete(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Ip() client: string,
    @Headers('sec-fetch-dest') destination: string | undefined,
    @Headers('cookie') cookie?: string,
  ): Promise<Shown> {
    this.check(id, mark);
    if (reader(body)('change') !== '') return this.kept.keep(id, body, `${this.links.pathTo(id)}/tickets`);
    const settings = { language: currentLanguage(), hasTerms: await this.venue.hasTerms() };
    const signedIn = (await this.account.person(cookie))?.email;
    try {
      const completed = await this.orders.complete(id, ({ reservation, questions }) => ({
        ...readContact(body, reservation, questions, settings),
        signedIn,
      }));
      if (!completed) return await this.pages.gone();
      await this.following.take(body, client, signedIn);
      if (completed.cartId !== null) return this.toCart(completed.cartId);
      return await this.goOn(completed, isForFrame(destination), paymentOf(body).accountId);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.refuse(id, error, { body, signedIn });
    }
  }

  /** Leads to the cart that the order has become, or says why not. */
  private async added(id: string, add: () => Promise<boolean>, sent: (fault: string) => Omit<Refused, 'signedIn'>): Promise<Shown> {
    try {
      return seeOther((await add()) ? `${this.carts.pathTo(id)}/contact` : this.links.pathTo(id));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.refuse(id, error, { ...sent(error.message), signedIn: undefined });
    }
  }

  /** Shows the form as it was typed, with the order as it is now. */
  private async refuse(id: string, error: RefusedInput, { body, signedIn, donation, code, places }: Refused): Promise<Shown> {
    const now = await this.orders.find(id);
    if (!now?.reservation.isDraft)
      return now ? this.completed(now.reservation, signedIn, false, giftCardRefusalOf(error)) : this.pages.gone();
    const { reservation, questions } = now;
    if (reservation.cartId !== null) return this.toCart(reservation.cartId);
    const isOwn = isSignedIn({ email: typedContact(body)('email')[0] ?? '', signedIn });
    const faults = contactFaults(toFormRefusal(error, reservation.tickets, isOwn), reservation.tickets, questions);
    const status = error instanceof RefusedBooking || error instanceof RefusedDraft ? 409 : 422;
    const typed = typedContact(body);
    return this.pages.contact(now, this.links.pathTo(id), {
      status,
      typed,
      faults: donation || code || places !== undefined ? new Map() : faults,
      signedIn,
      donation,
      places,
      code,
    });
  }

  /** After the form: to the payment, where one is due online; else to the page that says what comes next. */
  private async goOn(reservation: CompletedReservation, inFrame: boolean, accountId: string | undefined): Promise<Shown> {
    const ownPage = seeOther(this.links.pathTo(reservation.id));
    if (reservation.status === 'U' && checkoutUrlOf(reservation.payments) !== undefined)
      return inFrame ? ownPage : this.toCheckout(reservation);
    if (!isPayable(reservation)) return ownPage;
    try {
      const paying = await this.orders.pay(reservation, accountId);
      return inFrame ? ownPage : this.toCheckout(paying);
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused || error instanceof PaymentProviderUnavailable)) throw error;
      return this.pages.pay(reservation, this.links.pathTo(reservation.id), { hasFailed: true });
    }
  }

  /** The tickets of a cart are ordered together. */
  private toCart(cartId: string): Reply<Redirection> {
    return seeOther(this.carts.pathTo(cartId));
  }

  private toCheckout({ id, payments }: CompletedReservation): Reply<Redirection> {
    return seeOther(checkoutUrlOf(payments) ?? this.links.pathTo(id));
  }

  /**
   * The page of a completed order. It leads to the holder's page, which shows the tickets and confirms the address, only where
   * `leadsToHolder` says so; others find its link in the mail.
   */
  private async completed(reservation: WholeReservation, signedIn: string | undefined, isSentAgain = false, gift?: string): Promise<Shown> {
    const path = this.links.pathTo(reservation.id);
    if (isPayable(reservation)) return this.pages.pay(reservation, path, { gift });
    const leads = leadsToHolder(reservation, signedIn);
    if (leads && !awaitsConfirmation(reservation)) return seeOther(this.donePath(reservation));
    const isPaying = reservation.status === 'U' && checkoutUrlOf(reservation.payments) !== undefined;
    if (isPaying) return this.pages.pay(reservation, path, { gift });
    if (!(await this.isOpen(reservation))) return this.pages.ended();
    if (awaitsConfirmation(reservation)) return this.pages.sent(reservation, { path, isSentAgain });
    return isOver(reservation) ? this.pages.gone() : this.pages.booked(reservation);
  }

  /** As `completed`, in a frame on a page of another site: the payment and the tickets open outside of it. */
  private async completedInFrame(reservation: WholeReservation, signedIn: string | undefined, isSentAgain: boolean): Promise<Shown> {
    const isLeaving = leadsToHolder(reservation, signedIn) && !awaitsConfirmation(reservation) && !isPayable(reservation);
    if (!isLeaving) return this.completed(reservation, signedIn, isSentAgain);
    if (isOver(reservation)) return this.pages.gone();
    const checkout = reservation.status === 'U' ? checkoutUrlOf(reservation.payments) : undefined;
    return this.pages.leave(reservation, checkout ?? this.holderPath(reservation));
  }

  /**
   * The page of an order that this browser completed before, with the same tickets.
   * @param cookie value that remembers that order; see `OrderRepliesService.after`
   */
  private async sameBefore(draft: WholeReservation, cookie: string): Promise<string | undefined> {
    const before = this.links.orderOf(cookie);
    const found = before === undefined ? undefined : await this.orders.find(before);
    return found && hasSameTickets([found.reservation], [draft]) ? this.links.pathTo(found.reservation.id) : undefined;
  }

  private isOpen(reservation: WholeReservation): Promise<boolean> {
    return isOrderOpen([reservation], this.corrections);
  }

  private holderPath({ id, linkVersion }: WholeReservation): string {
    return this.holders.pathTo({ reservationId: id }, linkVersion);
  }

  /** The holder's page, as what follows an order: where the tickets are valid, it says so first. */
  private donePath(reservation: WholeReservation): string {
    const isValid = !isHold(reservation.status) && reservation.status !== 'C';
    return `${this.holderPath(reservation)}${isValid ? '?done=1' : ''}`;
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  private find(id: string, mark: string): Promise<OrderedTickets | undefined> {
    this.check(id, mark);
    return this.orders.find(id);
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  private check(id: string, mark: string): void {
    pageTenant();
    if (!isUuid(id) || !this.links.opens(id, mark)) throw kernelProblem('route.unknown');
  }
}
