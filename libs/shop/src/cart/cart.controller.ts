import { MembershipOrdersService } from '#memberships';
import { CartCompletionService, CartsService, EnteredCodesService, RefusedDraft } from '#selling';
import { BookingQueueService } from '#waiting';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { clientNetworks, isUuid, kernelProblem, RefusedInput } from '#kernel';
import { CartLinks, pageTenant, reader, valuesOf } from '#page-kit';
import { Access, hasModule } from '#tenancy';
import { Body, Controller, Get, Headers, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readDonation } from '../donations/ask-donation.js';
import { OrderRepliesService } from '../tickets/order-replies.service.js';
import { TicketChoiceService } from '../tickets/ticket-choice.service.js';
import { ticketFields } from '../tickets/tickets-form.dto.js';
import { CartPagesService } from './cart-pages.service.js';

/**
 * Fills a cart. The cookie names the cart to which tickets are added; pages outside of `/cart` do not read it, so that they stay the
 * same for all.
 */
@Controller('cart')
@Access('public')
export class CartController {
  constructor(
    private readonly carts: CartsService,
    private readonly orders: CartCompletionService,
    private readonly choices: TicketChoiceService,
    private readonly memberships: MembershipOrdersService,
    private readonly links: CartLinks,
    private readonly pages: CartPagesService,
    private readonly queue: BookingQueueService,
    private readonly replies: OrderRepliesService,
    private readonly codes: EnteredCodesService,
  ) {}

  /** The cart of this browser. */
  @Get()
  show(@Headers('cookie') cookie = ''): Promise<Reply<string>> | Reply<Redirection> {
    pageTenant();
    const id = this.replies.cartOf(cookie);
    return id === undefined ? this.pages.empty() : seeOther(this.links.pathTo(id));
  }

  /** Adds tickets for an event to the cart of this browser, or to a new one. Tickets for the same event replace those before. */
  @Post('event/:slug')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ticketFields })
  async add(
    @Param('slug') slug: string,
    @Body() body: unknown,
    @Ip() client: string,
    @Headers('cookie') cookie = '',
  ): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    return this.take(slug, body, { client, cookie, path: `/cart/event/${encodeURI(slug)}` }, { keepsOthers: false });
  }

  /** Adds goods to the cart of this browser, or to a new one. What it contains for the same event at other prices stays. */
  @Post('goods')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['event', ...ticketFields] })
  async addGoods(@Body() body: unknown, @Ip() client: string, @Headers('cookie') cookie = ''): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    const event = reader(body)('event');
    if (!isUuid(event)) throw kernelProblem('route.unknown');
    return this.take(event, body, { client, cookie, path: '/cart/goods' }, { keepsOthers: true });
  }

  /** Adds a membership to the cart of this browser, or to a new one. Another price of the same membership replaces the one before. */
  @Post('membership/:price')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async join(@Param('price') price: string, @Headers('cookie') cookie = ''): Promise<Reply<Redirection>> {
    pageTenant();
    if (!isUuid(price) || !hasModule('membership')) throw kernelProblem('route.unknown');
    // The page of the offer says why nobody can join.
    const closed = seeOther(`/memberships/${price.toLowerCase()}`);
    if (!(await this.memberships.canPay())) return closed;
    try {
      return await this.addTo(cookie, (cartId) => this.carts.addMembership(cartId, price.toLowerCase()));
    } catch (error) {
      if (!(error instanceof RefusedDraft)) throw error;
      return closed;
    }
  }

  /** Changes the donation in a cart: to an amount that the page suggests, or to another one. */
  @Post(':id/:mark/donation')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['donation'] })
  async donate(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    if (!this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    const path = this.links.pathTo(id);
    const { typed, amount, choice } = readDonation(body);
    try {
      await this.carts.setDonation(id, amount, choice);
      return seeOther(path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const cart = await this.orders.find(id);
      return cart.isOpen ? this.pages.cart(cart, path, { refused: { typed, fault: error.message } }) : seeOther(path);
    }
  }

  /** Changes the places that a cart gives to others at an event. */
  @Post(':id/:mark/places')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['event', 'places'] })
  async givePlaces(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
  ): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    if (!this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    const [path, event] = [this.links.pathTo(id), reader(body)('event').toLowerCase()];
    if (!isUuid(event)) throw kernelProblem('route.unknown');
    try {
      await this.carts.setGivenPlaces(id, event, reader(body)('places'));
      return seeOther(path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const cart = await this.orders.find(id);
      return cart.isOpen ? this.pages.cart(cart, path, { places: new Map([[event, error.message]]) }) : seeOther(path);
    }
  }

  /** Chooses the dates of a pass. */
  @Post(':id/:mark/dates')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['price'] })
  async chooseDates(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Ip() client: string,
  ): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    if (!this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    const [path, price] = [this.links.pathTo(id), reader(body)('price').toLowerCase()];
    const dates = valuesOf(body, 'date').map((date) => date.toLowerCase());
    if (!isUuid(price) || !dates.every(isUuid)) throw kernelProblem('route.unknown');
    try {
      await this.carts.chooseDates(id, price, dates, clientNetworks(client));
      return seeOther(path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const cart = await this.orders.find(id);
      const refused = { faults: new Map([[price, error.message]]), dates: new Map([[price, new Set(dates)]]) };
      return cart.isOpen ? this.pages.cart(cart, path, refused) : seeOther(path);
    }
  }

  /** Uses a code for what it is for in the cart; an empty one is given up. */
  @Post(':id/:mark/discount')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['code'] })
  async useCode(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Ip() client: string,
  ): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    if (!this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    const [typed, path] = [reader(body)('code'), this.links.pathTo(id)];
    try {
      await this.carts.useCode(id, await this.codes.enter(typed, client));
      return seeOther(path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const cart = await this.orders.find(id);
      const code = { typed: typed.slice(0, 60), fault: error.message };
      return cart.isOpen ? this.pages.cart(cart, path, { code }) : seeOther(path);
    }
  }

  /** Removes the tickets of an event, a membership or the donation. */
  @Post(':id/:mark/remove')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['part'] })
  async remove(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Reply<Redirection>> {
    pageTenant();
    if (!this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    const part = reader(body)('part').toLowerCase();
    if (isUuid(part)) await this.carts.remove(id, part);
    return seeOther(this.links.pathTo(id));
  }

  /**
   * Holds what was chosen in the cart of the browser, or gives the buyer a place in the queue of the event. The form sent again keeps that
   * place: a cookie names it.
   */
  private take(
    slug: string,
    body: unknown,
    { client, cookie, path }: { readonly client: string; readonly cookie: string; readonly path: string },
    how: { readonly keepsOthers: boolean },
  ): Promise<Reply<string> | Reply<Redirection>> {
    const known = this.replies.cartOf(cookie);
    const form = { action: `/event/${slug}/book`, kind: 'book', held: known, cookie, client } as const;
    return this.choices.choose(slug, body, form, async (choice) => {
      const begun = this.replies.begun(cookie, slug, path);
      const buyer = { networks: clientNetworks(client), begun, cartId: known ?? randomUUID() };
      return this.replies.after(await this.queue.hold({ ...choice, ...how }, buyer), slug, { form: path, before: known });
    });
  }

  /** @param add returns false when that cart was completed: another one begins */
  private async addTo(cookie: string, add: (cartId: string) => Promise<boolean>): Promise<Reply<Redirection>> {
    const known = this.replies.cartOf(cookie);
    if (known !== undefined && (await add(known))) return this.replies.toCart(known);
    const made = randomUUID();
    await add(made);
    return this.replies.toCart(made);
  }
}
