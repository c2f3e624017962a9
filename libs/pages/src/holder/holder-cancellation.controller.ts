import { type CancellationEnd, HolderCancellationsService, mayCancelBefore, RefusedTransition } from '#tickets';
import { Reply, SameOriginGuard, seeOther, TakesForm, type Redirection } from '#http';
import { currentLanguage } from '#kernel';
import { Access } from '#tenancy';
import { Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { personalReply } from '#page-kit';
import { lateWords } from './pages/cancel-row.js';
import { cancellationPage, type Cancellation } from './pages/cancellation.js';
import { HolderAccess, type TicketParams } from './holder-access.service.js';
import { isChangeable } from './pages/held-ticket.js';
import { holderWordsFor } from './pages/holder.words.js';
import { refusedPage } from './pages/ticket-forms.js';

type Shown = Reply<string> | Reply<Redirection>;

/** Names the tickets by a link; without a ticket all that the buyer holds. */
type CancellationParams = Omit<TicketParams, 'ticket'> & { readonly ticket?: string };

/** Cancellation of one ticket or of all that the buyer holds. The page asks once and says what is refunded. */
@Controller(['reservation/:id/:mark/cancel', 'reservation/:id/:mark/tickets/:ticket/cancel', 'ticket/:ticket/:mark/cancel'])
@Access('public')
export class HolderCancellationController {
  constructor(
    private readonly access: HolderAccess,
    private readonly cancellations: HolderCancellationsService,
  ) {}

  @Get()
  async ask(@Param() params: CancellationParams): Promise<Shown> {
    const subject = await this.open(params);
    const { reservation, tickets, holderEmail } = subject;
    const end = await this.cancellations.endOf(reservation);
    if (tickets.length === 0 || end === undefined || !mayCancelBefore(end)) return refuse(subject, end);
    const refunds = await this.cancellations.refundsFor(
      reservation,
      tickets.map(({ id }) => id),
    );
    const isBuyer = holderEmail === null;
    const order = isBuyer ? await this.access.sameOrderOf(reservation) : undefined;
    return personalReply(cancellationPage(subject, { end, refunds, isBuyer, order }));
  }

  /** A second click finds the tickets cancelled and leads to the same page. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async cancel(@Param() params: CancellationParams): Promise<Shown> {
    const subject = await this.open(params);
    const { reservation, tickets, holderEmail, back, isCancelled } = subject;
    if (isCancelled) return seeOther(back);
    const wanted = { reservationId: reservation.id, ticketIds: tickets.map(({ id }) => id), holderEmail };
    try {
      if (tickets.length > 0 && (await this.cancellations.cancel(wanted))) return seeOther(back);
    } catch (error) {
      if (!(error instanceof RefusedTransition)) throw error;
      return refuse(subject, undefined, error.reason === 'transition' ? 'cancelPaying' : 'notNow');
    }
    return refuse(subject, await this.cancellations.endOf(reservation));
  }

  /** @throws Problem `route.unknown` when the link is not valid, or the ticket was given to somebody else */
  private async open({ id, mark, ticket }: CancellationParams): Promise<Cancellation> {
    if (ticket === undefined) {
      const reservation = await this.access.reservation(id ?? '', mark);
      const own = reservation.tickets.filter(({ holderEmail }) => holderEmail === null);
      const path = this.access.pathTo(reservation);
      const isUsed = own.some((one) => one.status !== 'R' && !isChangeable(one));
      const live = own.filter((one) => one.status !== 'R');
      const whole = { reservation, path, back: path, venue: await this.access.venue() };
      return { ...whole, tickets: isUsed ? [] : live, asked: live, holderEmail: null, isCancelled: live.length === 0 };
    }
    const opened = await this.access.heldTicket({ ...(id !== undefined && { id }), mark, ticket });
    const { ticket: one, ...rest } = opened;
    return {
      ...rest,
      tickets: isChangeable(one) ? [one] : [],
      asked: [one],
      holderEmail: one.holderEmail,
      isCancelled: one.status === 'R',
    };
  }
}

/** @param end when it is not over, the tickets themselves cannot be cancelled */
function refuse(subject: Cancellation, end: CancellationEnd, reason?: 'cancelPaying' | 'notNow'): Reply<string> {
  const words = holderWordsFor(currentLanguage(), subject.asked);
  const text = reason ? words[reason] : (lateWords(end, words) ?? (end ? words.notNow : words.cancelOff));
  return personalReply(refusedPage(subject, words.notNowTitle, text), { status: 409 });
}
