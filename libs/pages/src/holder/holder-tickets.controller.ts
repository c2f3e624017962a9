import { HolderTicketsService, MailSenderService } from '#booking';
import { Redirection, reply, SameOriginGuard, TakesForm, type Reply } from '#http';
import { currentLanguage, drawDocument, kernelProblem, RefusedInput, RefusedInputs } from '#kernel';
import { eventCalendar, ticketsPdf, type ReservationMailFacts } from '#messages';
import { Access } from '#tenancy';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { reader } from '../forms/form-values.js';
import { personalReply } from '../frame/page-answer.js';
import { HolderAccess, isChangeable, type OpenedTicket } from './holder-access.service.js';
import { fileReply } from './holder-files.js';
import { holderWords } from './holder.words.js';
import { refusedPage, renamePage } from './ticket-forms.html.js';

type Shown = Reply<string> | Reply<Redirection>;

const nameFields = ['first_name', 'last_name'] as const;
const noFaults: ReadonlyMap<string, string> = new Map();

/** What the holder of a signed link does with one ticket. A GET never changes anything, because programs that check mails follow links. */
@Controller('reservation/:id/:mark/tickets/:ticket')
@Access('public')
export class HolderTicketsController {
  constructor(
    private readonly access: HolderAccess,
    private readonly tickets: HolderTicketsService,
    private readonly mails: MailSenderService,
  ) {}

  @Get('ticket.pdf')
  async pdf(@Param() params: TicketParams): Promise<Reply<Buffer>> {
    const facts = await this.factsOf(await this.open(params));
    return fileReply('application/pdf', `${facts.reservation.reference}.pdf`, await drawTicket(facts));
  }

  @Get('event.ics')
  async calendar(@Param() params: TicketParams): Promise<Reply<Buffer>> {
    const facts = await this.factsOf(await this.open(params));
    return fileReply('text/calendar; charset=utf-8', `${facts.reservation.reference}.ics`, Buffer.from(eventCalendar(facts)));
  }

  @Get('rename')
  async askName(@Param() params: TicketParams): Promise<Shown> {
    const opened = await this.open(params);
    const { firstName, lastName } = opened.ticket;
    if (!isChangeable(opened.ticket)) return this.refuse(opened);
    return personalReply(renamePage(opened, { typed: { first_name: firstName, last_name: lastName }, faults: noFaults }));
  }

  @Post('rename')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: nameFields })
  async rename(@Param() params: TicketParams, @Body() body: unknown): Promise<Shown> {
    const opened = await this.open(params);
    const textOf = reader(body);
    const typed = Object.fromEntries(nameFields.map((name) => [name, textOf(name)]));
    try {
      const name = { firstName: textOf('first_name'), lastName: textOf('last_name') };
      return (await this.tickets.rename(opened.ticket, name)) ? seeOther(opened.back) : this.refuse(opened);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return personalReply(renamePage(opened, { typed, faults: faultsOf(error) }), { status: 422 });
    }
  }

  private open({ id, mark, ticket }: TicketParams): Promise<OpenedTicket> {
    return this.access.ticket(id, mark, ticket);
  }

  private refuse(opened: OpenedTicket): Reply<string> {
    const words = holderWords[currentLanguage()];
    return personalReply(refusedPage(opened, words.notNowTitle, words.notNow), { status: 409 });
  }

  /** The content of files about one valid ticket. @throws Problem `route.unknown` when it has no code */
  private async factsOf({ reservation, ticket }: OpenedTicket): Promise<ReservationMailFacts> {
    const facts = await this.mails.ticketsOf(reservation);
    const tickets = facts?.tickets.filter(({ id }) => id === ticket.id) ?? [];
    if (!facts || tickets.length === 0) throw kernelProblem('route.unknown');
    return { ...facts, tickets };
  }
}

interface TicketParams {
  readonly id: string;
  readonly mark: string;
  readonly ticket: string;
}

function drawTicket(facts: ReservationMailFacts): Promise<Buffer> {
  return drawDocument('public', 'tickets', facts, () => ticketsPdf(facts));
}

/** The first fault of each field of a form. */
function faultsOf(error: RefusedInput): ReadonlyMap<string, string> {
  const names: Readonly<Record<string, string>> = { firstName: 'first_name', lastName: 'last_name' };
  const faults = error instanceof RefusedInputs ? error.faults : [error];
  return new Map(faults.toReversed().map(({ field, message }) => [names[field] ?? field, message]));
}

function seeOther(address: string): Reply<Redirection> {
  return reply(new Redirection(303, address), { headers: { 'Cache-Control': 'no-store' } });
}
