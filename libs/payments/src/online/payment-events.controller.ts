import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Headers, HttpCode, Param, Post, RawBody } from '@nestjs/common';
import { TakesForm } from '#http';
import { kernelProblem } from '#kernel';
import { Access } from '#tenancy';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { paymentProblem } from '../payment.problems.js';
import { PaymentEventRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import type { ProviderAccount } from '../providers/account-fields.js';
import type { PaymentProvider } from '../providers/payment-provider.js';
import { PaymentProviders } from '../providers/payment-providers.js';
import type { ProviderEvent } from '../providers/provider-event.js';
import { CheckoutOutcomesService } from './checkout-outcomes.service.js';
import { ProviderEventHandlerService } from './provider-event-handler.service.js';

/**
 * Receives the events of payment providers. Each provider authenticates its own, for example by a signature over the body; or it sends
 * notices that are believed in nothing, and is asked.
 */
@Controller('payments/:provider')
@Access('public')
export class PaymentEventsController {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly accounts: PaymentAccountsService,
    private readonly handler: ProviderEventHandlerService,
    private readonly outcomes: CheckoutOutcomesService,
  ) {}

  /** Answers after the event is stored, because a provider repeats an event until it gets a successful answer. */
  @Post()
  @HttpCode(200)
  @TakesForm()
  async receive(
    @Param('provider') name: string,
    @RawBody() bytes: Buffer | undefined,
    @Body() body: unknown,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<{ received: true }> {
    const provider = this.providers.find(name.toLowerCase());
    if (!provider?.readEvent && !provider?.readNotice) throw kernelProblem('route.unknown');
    try {
      if (provider.readNotice) await this.outcomes.askNoticed(provider.name, provider.readNotice(body));
      else await this.apply(provider, bytes ?? Buffer.alloc(0), headers);
    } catch (error) {
      if (error instanceof PaymentEventRefused) throw paymentProblem('payment.event_refused');
      if (error instanceof PaymentProviderUnavailable) throw paymentProblem('payment.unavailable', { headers: { 'Retry-After': '30' } });
      throw error;
    }
    return { received: true };
  }

  private async apply(provider: PaymentProvider, bytes: Buffer, headers: IncomingHttpHeaders): Promise<void> {
    const accounts = await this.accounts.ofProvider(provider.name);
    return this.handler.apply(provider.name, await readFrom(provider, accounts, bytes, headers));
  }
}

/** @throws PaymentEventRefused unless the event comes from one of the accounts */
async function readFrom(
  provider: PaymentProvider,
  accounts: readonly ProviderAccount[],
  bytes: Buffer,
  headers: IncomingHttpHeaders,
): Promise<ProviderEvent> {
  let refusal = new PaymentEventRefused('There is no payment account.');
  for (const account of accounts) {
    try {
      return (await provider.readEvent?.(bytes, headers, account)) as ProviderEvent;
    } catch (error) {
      if (!(error instanceof PaymentEventRefused)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
