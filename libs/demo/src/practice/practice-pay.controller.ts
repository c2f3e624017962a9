import { Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { currency, kernelProblem } from '#kernel';
import { personalReply } from '#page-kit';
import { PaymentsService, ProviderEventHandlerService } from '#payments';
import { Access, TenantDb } from '#tenancy';
import { practicePayPage } from './practice-pay.page.js';
import { practicePay } from './practice-pay.provider.js';
import { PracticePages, type PracticePage } from './practice-pages.js';

type Shown = Reply<string> | Reply<Redirection>;

/** The page of the practice provider, where buyers pay or go back. The address is sealed, and is the only credential. */
@Controller('practice-payment/:sealed')
@Access('public')
export class PracticePayController {
  constructor(
    private readonly pages: PracticePages,
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly events: ProviderEventHandlerService,
  ) {}

  /** What is decided leads back to the venue, whose page says what became of it. */
  @Get()
  async show(@Param('sealed') sealed: string): Promise<Shown> {
    const page = this.open(sealed);
    const payments = await this.db.transaction((tx) => this.payments.ofCheckout(tx, page.paymentId));
    const isOpen = payments.length > 0 && payments.every(({ status }) => status === 'pending');
    return isOpen ? personalReply(practicePayPage(page)) : seeOther(page.successUrl);
  }

  /** Reports the payment as the event of a provider does, which has an effect once. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async pay(@Param('sealed') sealed: string): Promise<Reply<Redirection>> {
    const { paymentId, reference, amount, successUrl } = this.open(sealed);
    const change = { type: 'paid', paymentId, reference, providerPayment: reference, amount, currency } as const;
    await this.events.apply(practicePay, { id: `${reference} paid`, change });
    return seeOther(successUrl);
  }

  /** @throws Problem `route.unknown` when the program did not make the address for this tenant */
  private open(sealed: string): PracticePage {
    const page = this.pages.read(sealed);
    if (!page) throw kernelProblem('route.unknown');
    return page;
  }
}
