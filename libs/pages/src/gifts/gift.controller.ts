import { TicketOffersService } from '#holders';
import { HolderLinks, ReservationsService } from '#tickets';
import { kernelProblem, RefusedInput } from '#kernel';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { Access } from '#tenancy';
import { Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { pageTenant, personalReply } from '#page-kit';
import { HolderAccess } from '../holder/holder-access.service.js';
import { endedGiftPage, giftPage, type OpenedGift } from './gift.page.js';

type Shown = Reply<string> | Reply<Redirection>;

interface GiftParams {
  readonly gift: string;
  readonly mark: string;
}

/**
 * The page on which a person accepts a ticket that somebody offers. The link of the mail is the only credential; a GET never changes
 * anything, because programs that check mails follow links.
 */
@Controller('gift/:gift/:mark')
@Access('public')
export class GiftController {
  constructor(
    private readonly access: HolderAccess,
    private readonly links: HolderLinks,
    private readonly reservations: ReservationsService,
    private readonly offers: TicketOffersService,
  ) {}

  @Get()
  async show(@Param() params: GiftParams): Promise<Shown> {
    return this.answer(await this.open(params));
  }

  /** A second click finds the ticket accepted and leads to the same page. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async accept(@Param() params: GiftParams): Promise<Shown> {
    const opened = await this.open(params);
    if (opened.offer.state !== 'pending') return this.answer(opened);
    try {
      await this.offers.accept(opened.offer.id);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return personalReply(giftPage(opened, error.message), { status: 422 });
    }
    const now = await this.open(params);
    return this.answer(now.offer.state === 'pending' ? { ...now, offer: { ...now.offer, state: 'lapsed' } } : now);
  }

  private answer(opened: OpenedGift): Shown {
    if (opened.offer.state === 'pending') return personalReply(giftPage(opened));
    const path = this.pathOfAccepted(opened);
    return path === undefined ? personalReply(endedGiftPage(opened), { status: 410 }) : seeOther(path);
  }

  /** The page of the ticket, while the person who accepted it holds it. */
  private pathOfAccepted({ offer, ticket, reservation }: OpenedGift): string | undefined {
    const isHeld = offer.state === 'accepted' && ticket.codeVersion === offer.codeVersion + 1;
    if (!isHeld) return undefined;
    if (ticket.holderKey === offer.toKey) return `${this.links.pathTo({ ticketId: ticket.id }, ticket.codeVersion)}?accepted=1`;
    // It went back to the buyer, whose page has it.
    return ticket.holderKey === null && reservation.emailKey === offer.toKey ? this.access.pathTo(reservation) : undefined;
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  private async open({ gift, mark }: GiftParams): Promise<OpenedGift> {
    pageTenant();
    const offer = this.links.opens({ giftId: gift.toLowerCase() }, mark, 0) ? await this.offers.find(gift) : undefined;
    const reservation = offer && (await this.reservations.findOfTicket(offer.ticketId));
    const ticket = reservation?.tickets.find(({ id }) => id === offer?.ticketId);
    if (!offer || !reservation || !ticket) throw kernelProblem('route.unknown');
    return { offer, reservation, ticket, path: this.links.pathTo({ giftId: offer.id }), venue: await this.access.venue() };
  }
}
