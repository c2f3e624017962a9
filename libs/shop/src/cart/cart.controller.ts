import { BookingQueueService, CartsService, MembershipOrdersService, RefusedDraft } from '#booking';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { isUuid, kernelProblem, networkOfClient } from '#kernel';
import { cookieIn, pageTenant, reader } from '#pages';
import { Access, hasModule } from '#tenancy';
import { Body, Controller, Get, Headers, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { cartCookie, OrderRepliesService } from '../tickets/order-replies.service.js';
import { TicketChoiceService } from '../tickets/ticket-choice.service.js';
import { ticketFields } from '../tickets/tickets-form.dto.js';
import { CartLinks } from '../order/cart-links.js';
import { CartPagesService } from './cart-pages.service.js';

/**
 * Fills a cart. The cookie names the cart to which tickets are added, and is sent only to `/cart`, so that other pages stay the same for
 * all.
 */
@Controller('cart')
@Access('public')
export class CartController {
  constructor(
    private readonly carts: CartsService,
    private readonly choices: TicketChoiceService,
    private readonly memberships: MembershipOrdersService,
    private readonly links: CartLinks,
    private readonly pages: CartPagesService,
    private readonly queue: BookingQueueService,
    private readonly replies: OrderRepliesService,
  ) {}

  /** The cart of this browser. */
  @Get()
  show(@Headers('cookie') cookie = ''): Promise<Reply<string>> | Reply<Redirection> {
    pageTenant();
    const id = this.links.cartOf(cookieIn(cookie, cartCookie));
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
    const known = this.links.cartOf(cookieIn(cookie, cartCookie));
    const form = { action: `/event/${slug}/book`, kind: 'book', cookie } as const;
    return this.choices.choose(slug, body, form, async (choice) => {
      const outcome = await this.queue.hold(choice, { network: networkOfClient(client), cartId: known ?? randomUUID() });
      return this.replies.after(outcome, slug);
    });
  }

  /** Adds goods to the cart of this browser, or to a new one. What it contains for the same event at other prices stays. */
  @Post('goods')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['event', ...ticketFields] })
  async addGoods(@Body() body: unknown, @Ip() client: string, @Headers('cookie') cookie = ''): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    const event = reader(body)('event');
    if (!isUuid(event)) throw kernelProblem('route.unknown');
    const known = this.links.cartOf(cookieIn(cookie, cartCookie));
    const form = { action: `/event/${event}/book`, kind: 'book', cookie } as const;
    return this.choices.choose(event, body, form, async (choice) => {
      const network = networkOfClient(client);
      if (known !== undefined && (await this.carts.add(known, choice, network, { keepsOthers: true }))) return this.replies.toCart(known);
      const made = randomUUID();
      await this.carts.add(made, choice, network);
      return this.replies.toCart(made);
    });
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
    const known = this.links.cartOf(cookieIn(cookie, cartCookie));
    try {
      if (known !== undefined && (await this.carts.addMembership(known, price.toLowerCase()))) return this.replies.toCart(known);
      const made = randomUUID();
      await this.carts.addMembership(made, price.toLowerCase());
      return this.replies.toCart(made);
    } catch (error) {
      if (!(error instanceof RefusedDraft)) throw error;
      return closed;
    }
  }

  /** Removes the tickets of an event, or a membership. */
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
}
