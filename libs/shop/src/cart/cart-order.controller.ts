import { AccountReader, CartLinks, asksProvider, isForFrame, isPaying, lookOf, pageTenant, reader, valuesOf } from '#page-kit';
import { giftCardRefusalOf, isOfIssuer } from '#gift-cards';
import { EmailCorrectionsService } from '#holders';
import { TooManyMemberships } from '#memberships';
import {
  CartCompletionService,
  CartSavingsService,
  CodeConfirmationService,
  RefusedCartPart,
  RefusedDraft,
  VenueInsteadService,
  type CartContents,
  type OrderedCart,
} from '#selling';
import { awaitsConfirmation, HolderLinks, isSignedIn, RefusedBooking } from '#tickets';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { currentLanguage, kernelProblem, RefusedInput, siteOfClient } from '#kernel';
import { PublicEventsService } from '#pages';
import { CheckoutOutcomesService, checkoutUrlOf, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { Access } from '#tenancy';
import { Body, Controller, Get, Headers, Ip, Param, Post, Query, UseGuards } from '@nestjs/common';
import { contactFaults, contactFields, knownContact, readContact, typedContact } from '../order/contact-form.dto.js';
import { enterCode, isToConfirm } from '../inbox/entered-code.js';
import { orderWords } from '../frame/order.words.js';
import { isOrderOpen } from '../order/order-link.js';
import { toFormRefusal } from '../order/order-steps.js';
import { hasSameTickets } from '../order/same-tickets.js';
import { FollowingBuyersService } from '../following/following-buyers.service.js';
import { renewalsIn } from './cart-memberships.js';
import { asOneOrder, isCartPayable } from './cart-order.js';
import { CartPagesService } from './cart-pages.service.js';

type Shown = Reply<string> | Reply<Redirection>;

/** The pages of a cart: what it contains, the contact form for everything, and the payment. */
@Controller('cart/:id/:mark')
@Access('public')
export class CartOrderController {
  constructor(
    private readonly orders: CartCompletionService,
    private readonly savings: CartSavingsService,
    private readonly pages: CartPagesService,
    private readonly venue: PublicEventsService,
    private readonly links: CartLinks,
    private readonly account: AccountReader,
    private readonly outcomes: CheckoutOutcomesService,
    private readonly corrections: EmailCorrectionsService,
    private readonly codes: CodeConfirmationService,
    private readonly holders: HolderLinks,
    private readonly following: FollowingBuyersService,
    private readonly venueInstead: VenueInsteadService,
  ) {}

  @Get()
  async show(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Headers('sec-fetch-dest') destination: string | undefined,
    @Query() query?: unknown,
    @Headers('cookie') cookie?: string,
  ): Promise<Shown> {
    const cart = await this.find(id, mark);
    const path = this.links.pathTo(id);
    if (isForFrame(destination) && cart.isOpen) return this.pages.leave(cart, path);
    const visitor = await this.account.visitor(cookie);
    const queried = reader(query);
    if (cart.isOpen) {
      const held = visitor?.memberships ?? new Set();
      const same = await this.sameBefore(cart, queried('after'));
      return this.pages.cart(cart, path, { savings: await this.savings.find(cart, held), held, same });
    }
    const all = [...cart.parts, ...cart.memberships];
    if (all.length === 0) return this.pages.empty();
    const isOwn = all.every((one) => isSignedIn({ email: one.email, signedIn: visitor?.email }));
    const isOpen = await this.isOpen(cart);
    if (!isOwn && !isOpen && !isCartPayable(cart) && !all.some(isPaying)) return this.pages.ended();
    const look = lookOf(queried('paid'));
    const payments = all.filter(isPaying).flatMap((one) => one.payments);
    // The provider's event may be lost.
    if (asksProvider(look)) await this.outcomes.askSoon(payments);
    const mail = isOpen ? { path, isSentAgain: queried('sent') === 'again' } : undefined;
    return this.pages.completed(cart, path, { look, signedIn: visitor?.email, mail, gift: queried('gift') });
  }

  /** Mails the links that confirm the order again, also to another address. */
  @Post('email')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['email'] })
  async sendAgain(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Shown> {
    const cart = await this.find(id, mark);
    const path = this.links.pathTo(id);
    if (cart.isOpen) return seeOther(path);
    const awaiting = cart.parts.filter(awaitsConfirmation).map((part) => part.id);
    if (!isToConfirm(cart.parts) || !(await this.isOpen(cart))) return seeOther(path);
    const email = reader(body)('email');
    try {
      return seeOther((await this.corrections.ofBuyer(awaiting, email)) ? `${path}?sent=again` : path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const status = error instanceof RefusedDraft ? 429 : 422;
      return this.pages.completed(cart, path, { mail: { path, status, email, fault: error.message } });
    }
  }

  /** Confirms the order with the code in its mails. */
  @Post('code')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['code'] })
  async confirm(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Shown> {
    const cart = await this.find(id, mark);
    const path = this.links.pathTo(id);
    if (cart.isOpen || !isToConfirm(cart.parts) || !(await this.isOpen(cart))) return seeOther(path);
    const entered = await enterCode(this.codes, id, reader(body)('code'));
    if (entered.fault !== undefined)
      return this.pages.completed(cart, path, { mail: { path, status: entered.status, codeFault: entered.fault } });
    return seeOther(entered.part ? this.holders.pathTo({ reservationId: entered.part.id }, entered.part.linkVersion) : path);
  }

  /** Changes the cart to the cheaper way that its page named. When that is not the cheapest one any more, the page shows what is now. */
  @Post('save')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['membership', 'sum'] })
  async save(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Headers('cookie') cookie?: string,
  ): Promise<Shown> {
    await this.find(id, mark);
    const path = this.links.pathTo(id);
    try {
      const sum = reader(body)('sum').slice(0, 20);
      await this.savings.apply(id, valuesOf(body, 'membership').slice(0, 10), sum, await this.heldBy(cookie));
      return seeOther(path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const now = await this.orders.find(id);
      const tickets = now.parts.flatMap((part) => part.tickets);
      const faults =
        error instanceof RefusedCartPart ? new Map([[error.partId, toFormRefusal(error.cause, tickets, false).message]]) : undefined;
      return now.isOpen ? this.pages.cart(now, path, { faults }) : seeOther(path);
    }
  }

  @Get('contact')
  async contact(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Headers('cookie') cookie?: string,
    @Query() query?: unknown,
  ): Promise<Shown> {
    const cart = await this.find(id, mark);
    const gift = reader(query)('gift');
    if (!cart.isOpen) return seeOther(`${this.links.pathTo(id)}${gift === 'ended' ? '?gift=ended' : ''}`);
    const signedIn = (await this.account.person(cookie))?.email;
    const typed = knownContact({ offeredTo: '' }, signedIn);
    return this.pages.contact(id, cart, this.links.pathTo(id), { typed, signedIn, gift });
  }

  /** Completes all parts at once. Every further request leads to the same place. */
  @Post('contact')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: contactFields })
  async complete(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Ip() client: string,
    @Headers('cookie') cookie?: string,
  ): Promise<Shown> {
    const cart = await this.find(id, mark);
    if (!cart.isOpen) return this.goOn(id, cart);
    const merged = asOneOrder(cart);
    const settings = { language: currentLanguage(), hasTerms: await this.venue.hasTerms() };
    const signedIn = (await this.account.person(cookie))?.email;
    try {
      const contact = { ...readContact(body, merged, merged.questions, settings), signedIn };
      const renewed = renewalsIn(typedContact(body), await this.pages.renewable(cart));
      const completed = await this.orders.complete(id, contact, siteOfClient(client), renewed);
      await this.following.take(body, client, signedIn);
      return await this.goOn(id, completed, contact.accountId);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.refuse(id, error, { body, signedIn });
    }
  }

  /** Shows the form as it was typed, with the cart as it is now. */
  private async refuse(
    id: string,
    error: RefusedInput,
    { body, signedIn }: { readonly body: unknown; readonly signedIn: string | undefined },
  ): Promise<Shown> {
    const now = await this.orders.find(id);
    const path = this.links.pathTo(id);
    if (!now.isOpen) return seeOther(isOfIssuer(giftCardRefusalOf(error)) ? `${path}?gift=${giftCardRefusalOf(error)}` : path);
    const cause = error instanceof RefusedCartPart ? error.cause : error;
    const isOwn = isSignedIn({ email: typedContact(body)('email')[0] ?? '', signedIn });
    const refusal = refusalOf(error, now, isOwn);
    const isConflict = cause instanceof RefusedBooking || cause instanceof RefusedDraft;
    const status = isConflict ? 409 : cause instanceof TooManyMemberships ? 429 : 422;
    const form = { status, typed: typedContact(body), signedIn };
    if (error instanceof RefusedCartPart && refusal.field !== 'email') {
      const fault = this.pages.partFault(error, now, refusal.message);
      return this.pages.contact(id, now, path, { ...form, partFaults: new Map([[error.partId, fault]]) });
    }
    const { tickets, questions } = asOneOrder(now);
    return this.pages.contact(id, now, path, { ...form, faults: contactFaults(refusal, tickets, questions) });
  }

  /** After the form: to the payment, where one is due online; else to the page that says what comes next. */
  private async goOn(id: string, cart: CartContents, accountId?: string): Promise<Shown> {
    const path = this.links.pathTo(id);
    const begun = checkoutOf(cart);
    if (begun !== undefined || !isCartPayable(cart)) return seeOther(begun ?? path);
    try {
      return seeOther(checkoutOf(await this.orders.pay(id, cart, path, accountId)) ?? path);
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused || error instanceof PaymentProviderUnavailable)) throw error;
      return this.pages.completed(cart, path, { status: 503, fault: orderWords[currentLanguage()].payFailed });
    }
  }

  /**
   * Lets everything be paid at the venue instead of online, or nothing; without the donation that the form names. What is not possible
   * (any more) leads back to the page, which says why.
   */
  @Post('venue')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async atVenue(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Headers('cookie') cookie?: string,
  ): Promise<Shown> {
    const cart = await this.find(id, mark);
    const path = this.links.pathTo(id);
    if (cart.isOpen) return seeOther(path);
    const signedIn = (await this.account.person(cookie))?.email;
    try {
      await this.venueInstead.change(
        cart.parts.map((part) => part.id),
        signedIn,
        reader(body)('without').toLowerCase(),
      );
      return seeOther(path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return this.pages.completed(cart, path, { status: 409, fault: error.message, signedIn });
    }
  }

  private isOpen({ parts, memberships }: CartContents): Promise<boolean> {
    return isOrderOpen(parts, this.corrections, memberships);
  }

  /** The page of a cart that this browser completed before, with the same tickets. @param cookie see `OrderRepliesService.toCart` */
  private async sameBefore(cart: OrderedCart, cookie: string): Promise<string | undefined> {
    const before = this.links.cartOf(cookie);
    if (before === undefined) return undefined;
    return hasSameTickets((await this.orders.find(before)).parts, cart.parts) ? this.links.pathTo(before) : undefined;
  }

  /** Products of the memberships of who is signed in. */
  private async heldBy(cookie: string | undefined): Promise<ReadonlySet<string>> {
    return (await this.account.visitor(cookie))?.memberships ?? new Set();
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  private async find(id: string, mark: string): Promise<OrderedCart> {
    pageTenant();
    if (!this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    return this.orders.find(id);
  }
}

/** The address of the open checkout of a cart. */
function checkoutOf({ parts, memberships }: CartContents): string | undefined {
  const paying = [...parts.filter(({ status }) => status === 'U'), ...memberships.filter(({ status }) => status === 'pending')];
  return paying.flatMap(({ payments }) => checkoutUrlOf(payments) ?? [])[0];
}

/** The refusal at the field that shows it. What a membership refuses to a person is shown at the address. */
function refusalOf(error: RefusedInput, { chosen, parts }: OrderedCart, isOwn: boolean): RefusedInput {
  const tickets = parts.flatMap((part) => part.tickets);
  if (!(error instanceof RefusedCartPart)) return toFormRefusal(error, tickets, isOwn);
  const { cause, partId } = error;
  const isPersonal = cause instanceof RefusedBooking && cause.isPersonal;
  return isPersonal && chosen.some(({ id }) => id === partId) ? cause.at('email') : toFormRefusal(cause, tickets, isOwn);
}
