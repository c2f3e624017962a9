import { OrderLinks, pageTenant } from '#page-kit';
import type { DraftChoice } from '#selling';
import { BookingQueueService, type RefusedSpot } from '#waiting';
import { seeOther, type Redirection, type Reply } from '#http';
import { isUuid, kernelProblem } from '#kernel';
import type { BookingForm, TypedTickets } from '#pages';
import { Access } from '#tenancy';
import { Controller, Get, Headers, Param } from '@nestjs/common';
import { OrderRepliesService } from './order-replies.service.js';
import { queuePage } from './queue.page.js';
import { TicketChoiceService } from './ticket-choice.service.js';

/** The page of a spot in the booking queue of an event. It asks again by itself, and leads on when it is the turn. */
@Controller('event/:slug/queue')
@Access('public')
export class QueueController {
  constructor(
    private readonly choices: TicketChoiceService,
    private readonly queue: BookingQueueService,
    private readonly links: OrderLinks,
    private readonly replies: OrderRepliesService,
  ) {}

  @Get(':id/:mark')
  async show(
    @Param('slug') slug: string,
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Headers('cookie') cookie?: string,
  ): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    if (!isUuid(id) || !this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    const page = await this.choices.read(slug);
    const outcome = await this.queue.ask(page.found.event.id, id);
    // The page of the order says that it has ended.
    if (!outcome) return seeOther(this.links.pathTo(id));
    if (outcome.kind === 'waits') return queuePage(page, outcome);
    if (outcome.kind !== 'refused') return this.replies.after(outcome, slug);
    const { error, choice } = outcome;
    return this.choices.refuse(
      slug,
      { ...formOf(slug, outcome), cookie, code: choice.code, typed: typedTickets(choice) },
      error,
      choice.lines,
    );
  }
}

/** The form that the spot came from: its path has the cookie with the spot. */
function formOf(slug: string, { cartId, choice }: RefusedSpot): Pick<BookingForm, 'action' | 'kind' | 'event'> {
  if (cartId === null) return { action: `/event/${slug}/book`, kind: 'book' };
  if (choice.keepsOthers) return { action: '/cart/goods', kind: 'cart', event: choice.eventId };
  return { action: `/cart/event/${slug}`, kind: 'cart' };
}

function typedTickets({ lines, options }: DraftChoice): TypedTickets {
  return {
    quantities: new Map(lines.map(({ priceId, quantity }) => [priceId, String(quantity)])),
    amounts: new Map(lines.flatMap(({ priceId, amount }) => (amount === undefined ? [] : [[priceId, amount] as const]))),
    options: new Set(options),
  };
}
