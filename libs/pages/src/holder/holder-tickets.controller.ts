import { HolderTicketsService } from '#holders';
import { HolderCancellationsService, ReservationsService } from '#tickets';
import { Reply, SameOriginGuard, seeOther, TakesForm, type Redirection } from '#http';
import { RefusedInput } from '#kernel';
import { Access } from '#tenancy';
import { WalletAccountsService } from '#wallet';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { personalReply, reader } from '#page-kit';
import { HolderAccess, type TicketParams } from './holder-access.service.js';
import { isChangeable, isTransferable, type OpenedTicket } from './pages/held-ticket.js';
import { openTicket } from './holder-answers.js';
import { refusedPage, renamePage, ticketPage, transferPage, wordsOf } from './pages/ticket-forms.js';

type Shown = Reply<string> | Reply<Redirection>;

const nameFields = ['first_name', 'last_name'] as const;
const holderFields = ['email', ...nameFields] as const;
const noFaults: ReadonlyMap<string, string> = new Map();

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
    private readonly cancellations: HolderCancellationsService,
    private readonly reservations: ReservationsService,
    private readonly wallets: WalletAccountsService,
  ) {}

  /** The page of a ticket that was given to somebody. The tickets of a reservation are on its page. */
  @Get()
  async show(@Param() params: TicketParams): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    if (params.id !== undefined) return seeOther(opened.back);
    const codes = await this.reservations.codesOfTickets([opened.ticket]);
    const mayCancel = await this.cancellations.isOpen(opened.reservation.event);
    const wallets = await this.wallets.offered();
    const page = await ticketPage(opened, { code: codes.get(opened.ticket.id), mayCancel, wallets });
    return personalReply(page, { referrer: 'no-referrer' });
  }

  @Get('rename')
  async askName(@Param() params: TicketParams): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const { firstName, lastName } = opened.ticket;
    if (!isChangeable(opened.ticket)) return refuse(opened);
    return personalReply(renamePage(opened, { typed: { first_name: firstName, last_name: lastName }, faults: noFaults }));
  }

  @Post('rename')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: nameFields })
  async rename(@Param() params: TicketParams, @Body() body: unknown): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const typed = read(body, nameFields);
    return changing(opened, typed, renamePage, () =>
      this.tickets.rename(opened.ticket, { firstName: typed.first_name, lastName: typed.last_name }),
    );
  }

  @Get('transfer')
  async askHolder(@Param() params: TicketParams): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    return isTransferable(opened.ticket) ? personalReply(transferPage(opened, { typed: {}, faults: noFaults })) : refuse(opened);
  }

  /** A second click finds the ticket given away and leads to the same page. */
  @Post('transfer')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: holderFields })
  async transfer(@Param() params: TicketParams, @Body() body: unknown): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const typed = read(body, holderFields);
    return changing(opened, typed, transferPage, () =>
      this.tickets.transfer(opened.ticket, { email: typed.email, firstName: typed.first_name, lastName: typed.last_name }),
    );
  }
}

/** Answers a form: back to the ticket when `work` changed it, else why not. */
async function changing(
  opened: OpenedTicket,
  typed: Readonly<Record<string, string>>,
  page: typeof renamePage,
  work: () => Promise<boolean>,
): Promise<Shown> {
  try {
    return (await work()) ? seeOther(opened.back) : refuse(opened);
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    return personalReply(page(opened, { typed, faults: faultsOf(error) }), { status: 422 });
  }
}

function refuse(opened: OpenedTicket): Reply<string> {
  const words = wordsOf(opened);
  return personalReply(refusedPage(opened, words.notNowTitle, words.notNow), { status: 409 });
}

function read<Field extends string>(body: unknown, fields: readonly Field[]): Record<Field, string> {
  const textOf = reader(body);
  return Object.fromEntries(fields.map((field) => [field, textOf(field)])) as Record<Field, string>;
}

/** The first fault of each field of a form, in the order of the fields. */
function faultsOf(error: RefusedInput): ReadonlyMap<string, string> {
  const names: Readonly<Record<string, string>> = { firstName: 'first_name', lastName: 'last_name' };
  const shown = new Map<string, string>();
  for (const { field, message } of error.faults) {
    const name = names[field] ?? field;
    if (!shown.has(name)) shown.set(name, message);
  }
  return shown;
}
