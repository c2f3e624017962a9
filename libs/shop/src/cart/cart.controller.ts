import { CartsService, MembershipOrdersService, RefusedDraft } from '#booking';
import { reply, Redirection, SameOriginGuard, seeOther, TakesForm, type Reply } from '#http';
import { isUuid, kernelProblem, networkOfClient, SETTINGS, type Settings } from '#kernel';
import { cookieIn, pageCookie, pageTenant, reader } from '#pages';
import { Access, hasModule } from '#tenancy';
import { Body, Controller, Get, Headers, Inject, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { TicketChoiceService } from '../tickets/ticket-choice.service.js';
import { ticketFields } from '../tickets/tickets-form.dto.js';
import { CartLinks } from '../order/cart-links.js';
import { CartPagesService } from './cart-pages.service.js';

const cookieName = 'guichet-cart';

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
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The cart of this browser. */
  @Get()
  show(@Headers('cookie') cookie = ''): Promise<Reply<string>> | Reply<Redirection> {
    pageTenant();
    const id = this.links.cartOf(cookieIn(cookie, cookieName));
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
    const known = this.links.cartOf(cookieIn(cookie, cookieName));
    const form = { action: `/event/${slug}/book`, kind: 'book', cookie } as const;
    return this.choices.choose(slug, body, form, async (choice) => {
      const network = networkOfClient(client);
      if (known !== undefined && (await this.carts.add(known, choice, network))) return this.toCart(known);
      const made = randomUUID();
      await this.carts.add(made, choice, network);
      return this.toCart(made);
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
    const known = this.links.cartOf(cookieIn(cookie, cookieName));
    try {
      if (known !== undefined && (await this.carts.addMembership(known, price.toLowerCase()))) return this.toCart(known);
      const made = randomUUID();
      await this.carts.addMembership(made, price.toLowerCase());
      return this.toCart(made);
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

  private toCart(id: string): Reply<Redirection> {
    // As long as a cart can be completed: two holds, and an hour after the last one.
    const seconds = this.settings.holdMinutes * 120 + 3600;
    const cookie = pageCookie(this.settings, cookieName, this.links.cookieOf(id), { path: '/cart', seconds });
    return reply(new Redirection(303, this.links.pathTo(id)), { headers: { 'Cache-Control': 'no-store', 'Set-Cookie': cookie } });
  }
}
