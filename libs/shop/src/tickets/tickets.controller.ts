import { OrderLinks, pageTenant } from '#page-kit';
import { DraftCompletionService, DraftsService, type DraftChoice, type OrderedTickets } from '#selling';
import { BookingQueueService } from '#waiting';
import { Redirection, SameOriginGuard, TakesForm, type Reply } from '#http';
import { clientNetworks, currentLanguage, isUuid, kernelProblem, writtenAmount } from '#kernel';
import type { TypedTickets } from '#pages';
import { Access } from '#tenancy';
import { Body, Controller, Get, Headers, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { OrderRepliesService } from './order-replies.service.js';
import { TicketChoiceService } from './ticket-choice.service.js';
import { ticketFields } from './tickets-form.dto.js';

type Shown = Reply<string> | Reply<Redirection> | Redirection;

/** The first page of an order: which tickets. */
@Controller()
@Access('public')
export class TicketsController {
  constructor(
    private readonly choices: TicketChoiceService,
    private readonly orders: DraftCompletionService,
    private readonly drafts: DraftsService,
    private readonly queue: BookingQueueService,
    private readonly links: OrderLinks,
    private readonly replies: OrderRepliesService,
  ) {}

  /**
   * Begins an order. A form that is sent again, after the browser's Back button, changes the order that it began: a cookie
   * names it. Without the cookie it begins another order. A pass for several dates goes into the cart. In a rush the
   * buyer gets a place in the queue first.
   */
  @Post('event/:slug/book')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ticketFields })
  async book(@Param('slug') slug: string, @Body() body: unknown, @Ip() client: string, @Headers('cookie') cookie?: string): Promise<Shown> {
    pageTenant();
    const begun = this.replies.begun(cookie, slug);
    const form = { action: `/event/${slug}/book`, kind: 'book', held: begun, cookie, client } as const;
    return this.choices.choose(slug, body, form, async (choice) => {
      if (choice.allDates) return this.bookPass(choice, slug, client, cookie);
      const outcome = await this.queue.hold(choice, { networks: clientNetworks(client), begun });
      return this.replies.after(outcome, slug, { before: begun });
    });
  }

  @Get('order/:id/:mark/tickets')
  async show(@Param('id') id: string, @Param('mark') mark: string, @Headers('cookie') cookie?: string): Promise<Shown> {
    pageTenant();
    const found = await this.find(id, mark);
    if (!found?.reservation.isDraft) return new Redirection(303, this.links.pathTo(id));
    const page = await this.choices.readWith(found.reservation.event.slug, found.code?.code, id);
    return this.choices.show(page, { ...this.formOf(id), cookie, code: found.code?.code, typed: chosen(found) });
  }

  /** Changes the tickets of an order, all or none. */
  @Post('order/:id/:mark/tickets')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ticketFields })
  async change(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Ip() client: string,
    @Headers('cookie') cookie?: string,
  ): Promise<Shown> {
    pageTenant();
    const found = await this.find(id, mark);
    if (!found?.reservation.isDraft) return new Redirection(303, this.links.pathTo(id));
    return this.choices.choose(found.reservation.event.slug, body, { ...this.formOf(id), held: id, cookie, client }, async (choice) => {
      await this.drafts.change(id, { ...choice, allDates: false });
      return new Redirection(303, this.links.pathTo(id));
    });
  }

  /** Books a pass in the cart of the browser, or in a new one, because each of its dates is a part of its own. */
  private async bookPass(choice: DraftChoice, slug: string, client: string, cookie?: string): Promise<Reply<Redirection>> {
    const known = this.replies.cartOf(cookie);
    const form = `/cart/event/${encodeURI(slug)}`;
    const begun = this.replies.begun(cookie, slug, form);
    const buyer = { networks: clientNetworks(client), begun, cartId: known ?? randomUUID() };
    return this.replies.after(await this.queue.hold(choice, buyer), slug, { form, before: known });
  }

  private formOf(id: string): { action: string; kind: 'change'; order: string } {
    const order = this.links.pathTo(id);
    return { action: `${order}/tickets`, kind: 'change', order };
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  private async find(id: string, mark: string): Promise<OrderedTickets | undefined> {
    if (!isUuid(id) || !this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    return this.orders.find(id);
  }
}

/** The form as it was filled in for the tickets that an order has now. */
function chosen({ reservation }: OrderedTickets): TypedTickets {
  const quantities = new Map<string, string>();
  const amounts = new Map<string, string>();
  for (const { priceId, amount, price } of reservation.tickets) {
    quantities.set(priceId, String(Number(quantities.get(priceId) ?? 0) + 1));
    if (price.freeAmount) amounts.set(priceId, writtenAmount(amount, currentLanguage()));
  }
  return { quantities, amounts, options: new Set(reservation.options.map(({ optionId }) => optionId)) };
}
