import { BookingFactsService } from '#notices';
import { Reply, seeOther, type Redirection } from '#http';
import { drawDocument, kernelProblem } from '#kernel';
import { eventCalendar, ticketsPdf, type MailTicket, type ReservationMailFacts } from '#messages';
import { Access } from '#tenancy';
import { WalletPassesService, walletPaths } from '#wallet';
import { Controller, Get, Param } from '@nestjs/common';
import { HolderAccess, type TicketParams } from './holder-access.service.js';
import type { OpenedTicket } from './pages/held-ticket.js';
import { fileReply, openTicket } from './holder-answers.js';

type Shown = Reply<string> | Reply<Redirection>;

interface ValidTicket {
  readonly facts: ReservationMailFacts;
  readonly ticket: MailTicket;
}

/** Files and passes of one valid ticket: through the buyer's link, or through that of the person to whom it was given. */
@Controller(['reservation/:id/:mark/tickets/:ticket', 'ticket/:ticket/:mark'])
@Access('public')
export class TicketFilesController {
  constructor(
    private readonly access: HolderAccess,
    private readonly facts: BookingFactsService,
    private readonly wallets: WalletPassesService,
  ) {}

  @Get('ticket.pdf')
  async pdf(@Param() params: TicketParams): Promise<Shown | Reply<Buffer>> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const { facts } = await this.valid(opened);
    const drawing = drawDocument('public', 'tickets', facts, () => ticketsPdf(facts));
    return fileReply('application/pdf', `${facts.reservation.reference}.pdf`, await drawing);
  }

  @Get('event.ics')
  async calendar(@Param() params: TicketParams): Promise<Shown | Reply<Buffer>> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const { facts } = await this.valid(opened);
    return fileReply('text/calendar; charset=utf-8', `${facts.reservation.reference}.ics`, eventCalendar(facts));
  }

  @Get(walletPaths.apple)
  async applePass(@Param() params: TicketParams): Promise<Shown | Reply<Buffer>> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const { facts, ticket } = await this.valid(opened);
    const pass = await this.wallets.apple(facts, [ticket]);
    if (!pass) throw kernelProblem('route.unknown');
    return fileReply('application/vnd.apple.pkpass', `${facts.reservation.reference}.pkpass`, pass);
  }

  /** Leads to Google Wallet; Google learns of the ticket only there. */
  @Get(walletPaths.google)
  async googlePass(@Param() params: TicketParams): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const { facts, ticket } = await this.valid(opened);
    const address = await this.wallets.google(facts, ticket);
    if (address === undefined) throw kernelProblem('route.unknown');
    return seeOther(address);
  }

  /** @throws Problem `route.unknown` when the ticket has no valid code */
  private async valid({ reservation, ticket }: OpenedTicket): Promise<ValidTicket> {
    const facts = await this.facts.ticketsOf(reservation, ticket);
    const [shown] = facts?.tickets ?? [];
    if (!facts || !shown) throw kernelProblem('route.unknown');
    return { facts, ticket: shown };
  }
}
