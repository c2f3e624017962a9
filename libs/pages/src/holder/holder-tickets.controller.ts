import { HolderTicketsService, TicketOffersService } from '#holders';
import { HolderCancellationsService, ReservationsService } from '#tickets';
import { Reply, SameOriginGuard, seeOther, TakesForm, type Redirection } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { BookingFactsService } from '#notices';
import { Access, currentTenant } from '#tenancy';
import { WalletAccountsService } from '#wallet';
import { Body, Controller, Get, Inject, Param, Post, Query, UseGuards } from '@nestjs/common';
import { personalReply } from '#page-kit';
import { calendarLinks } from './parts/calendar-links.js';
import { heldEventOf } from './parts/held-event.js';
import { HolderAccess, type TicketParams } from './holder-access.service.js';
import { isChangeable } from './pages/held-ticket.js';
import { answerForm, noFaults, openTicket, readFields, refuseChange } from './holder-answers.js';
import { renamePage, ticketPage } from './pages/ticket-forms.js';

type Shown = Reply<string> | Reply<Redirection>;

const nameFields = ['first_name', 'last_name'] as const;

/**
 * One ticket: of a reservation, through the buyer's link, or given to somebody else, through that person's link. A GET never changes
 * anything, because programs that check mails follow links.
 */
@Controller(['reservation/:id/:mark/tickets/:ticket', 'ticket/:ticket/:mark'])
@Access('public')
export class HolderTicketsController {
  constructor(
    private readonly access: HolderAccess,
    private readonly tickets: HolderTicketsService,
    private readonly offers: TicketOffersService,
    private readonly cancellations: HolderCancellationsService,
    private readonly reservations: ReservationsService,
    private readonly wallets: WalletAccountsService,
    private readonly facts: BookingFactsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The page of a ticket that was given to somebody. The tickets of a reservation are on its page. */
  @Get()
  async show(@Param() params: TicketParams, @Query('accepted') accepted?: unknown): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    if (params.id !== undefined) return seeOther(opened.back);
    const codes = await this.reservations.codesOfTickets([opened.ticket]);
    const cancelEnd = await this.cancellations.endOf(opened.reservation);
    const wallets = await this.wallets.offered();
    const offer = (await this.offers.pendingOf([opened.ticket])).get(opened.ticket.id);
    const held = heldEventOf(opened.reservation, await this.facts.aboutBooking(opened.reservation, opened.ticket), opened);
    const calendars = calendarLinks(held, currentTenant().timeZone, this.settings);
    const code = codes.get(opened.ticket.id);
    const shown = { code, cancelEnd, wallets, offer, calendars, isAccepted: accepted === '1' && code !== undefined };
    const page = await ticketPage(opened, shown, held);
    // Its form takes an offer back: browsers send the origin.
    return personalReply(page, { referrer: offer ? 'same-origin' : 'no-referrer' });
  }

  @Get('rename')
  async askName(@Param() params: TicketParams): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const { firstName, lastName } = opened.ticket;
    if (!isChangeable(opened.ticket)) return refuseChange(opened);
    return personalReply(renamePage(opened, { typed: { first_name: firstName, last_name: lastName }, faults: noFaults }));
  }

  @Post('rename')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: nameFields })
  async rename(@Param() params: TicketParams, @Body() body: unknown): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const typed = readFields(body, nameFields);
    return answerForm(opened, { typed, page: renamePage }, () =>
      this.tickets.rename(opened.ticket, { firstName: typed.first_name, lastName: typed.last_name }),
    );
  }
}
