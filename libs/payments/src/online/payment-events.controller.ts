import type { IncomingHttpHeaders } from 'node:http';
import { Controller, Headers, HttpCode, Param, Post, RawBody } from '@nestjs/common';
import { kernelProblem } from '#kernel';
import { Access } from '#tenancy';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { paymentProblem } from '../payment.problems.js';
import { PaymentEventRefused } from '../providers/payment-errors.js';
import type { PaymentProvider, ProviderAccount } from '../providers/payment-provider.js';
import { PaymentProviders } from '../providers/payment-providers.js';
import type { ProviderEvent } from '../providers/provider-event.js';
import { ProviderEventHandlerService } from './provider-event-handler.service.js';

/** Receives the events of payment providers. Each provider authenticates its own, for example by a signature over the body. */
@Controller('payments/:provider')
@Access('public')
export class PaymentEventsController {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly accounts: PaymentAccountsService,
    private readonly handler: ProviderEventHandlerService,
  ) {}

  /** Answers after the event is stored, because a provider repeats an event until it gets a successful answer. */
  @Post()
  @HttpCode(200)
  async receive(
    @Param('provider') name: string,
    @RawBody() bytes: Buffer | undefined,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<{ received: true }> {
    const provider = this.providers.find(name.toLowerCase());
    if (!provider?.readEvent) throw kernelProblem('route.unknown');
    try {
      const accounts = await this.accounts.ofProvider(provider.name);
      await this.handler.apply(provider.name, await readFrom(provider, accounts, bytes ?? Buffer.alloc(0), headers));
    } catch (error) {
      if (error instanceof PaymentEventRefused) throw paymentProblem('payment.event_refused');
      throw error;
    }
    return { received: true };
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
