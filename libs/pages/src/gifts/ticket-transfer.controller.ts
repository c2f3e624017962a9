import { TicketOffersService } from '#holders';
import { MailsService } from '#tickets';
import { Reply, SameOriginGuard, seeOther, TakesForm, type Redirection } from '#http';
import { Access } from '#tenancy';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { personalReply } from '#page-kit';
import { HolderAccess, type TicketParams } from '../holder/holder-access.service.js';
import { answerForm, noFaults, openTicket, readFields, refuseChange } from '../holder/holder-answers.js';
import { isTransferable, type OpenedTicket } from '../holder/pages/held-ticket.js';
import type { TypedForm } from '../holder/pages/ticket-forms.js';
import { giftFields, transferLookPage, transferPage } from './transfer.page.js';

type Shown = Reply<string> | Reply<Redirection>;

/**
 * Offers a ticket to somebody else: a form, the same once more to look at, and then the ticket waits for that person (`GiftController`).
 * Until then its holder can take the offer back.
 */
@Controller(['reservation/:id/:mark/tickets/:ticket/transfer', 'ticket/:ticket/:mark/transfer'])
@Access('public')
export class TicketTransferController {
  constructor(
    private readonly access: HolderAccess,
    private readonly offers: TicketOffersService,
    private readonly mails: MailsService,
  ) {}

  /** A ticket that is offered already shows to whom. */
  @Get()
  async ask(@Param() params: TicketParams): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    if (!isTransferable(opened.ticket)) return refuseChange(opened);
    const pending = await this.offers.pendingOf([opened.ticket]);
    return pending.size > 0 ? seeOther(opened.back) : personalReply(this.form(opened, { typed: {}, faults: noFaults }));
  }

  /** Without a step: the look at what is sent. A second click on the last step finds the ticket offered and leads to the same page. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['email', 'first_name', 'last_name'] })
  async offer(@Param() params: TicketParams, @Body() body: unknown): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    const { step, ...typed } = readFields(body, [...giftFields, 'step']);
    if (step === 'change') return personalReply(this.form(opened, { typed, faults: noFaults }));
    const to = { email: typed.email, firstName: typed.first_name, lastName: typed.last_name, message: typed.message };
    const form = { typed, page: this.form };
    if (step === 'send') return answerForm(opened, form, () => this.offers.offer(opened.ticket, to));
    if ((await this.offers.pendingOf([opened.ticket])).size > 0) return seeOther(opened.back);
    const look = (): Reply<string> => personalReply(transferLookPage(opened, typed, this.mails.deliver));
    return answerForm(opened, form, () => this.offers.check(opened.ticket, to), look);
  }

  private readonly form = (opened: OpenedTicket, form: TypedForm): string => transferPage(opened, form, this.mails.deliver);

  /** A second click, and one after the acceptance, lead to the page that says who has the ticket. */
  @Post('withdraw')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async withdraw(@Param() params: TicketParams): Promise<Shown> {
    const opened = await openTicket(this.access, params);
    if (opened instanceof Reply) return opened;
    await this.offers.withdraw(opened.ticket);
    return seeOther(opened.back);
  }
}
