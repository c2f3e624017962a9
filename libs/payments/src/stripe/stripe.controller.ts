import { Controller, Headers, HttpCode, Post, RawBody } from '@nestjs/common';
import { Access } from '#tenancy';
import { paymentProblem } from '../payment.problems.js';
import { PaymentEventRefused } from '../online/payment-errors.js';
import { ProviderEventHandlerService } from '../online/provider-event-handler.service.js';
import { StripeCheckoutService } from './stripe-checkout.service.js';

/** Receives Stripe's events. The signature over the body authenticates them. */
@Controller('payments/stripe')
@Access('public')
export class StripeController {
  constructor(
    private readonly stripe: StripeCheckoutService,
    private readonly handler: ProviderEventHandlerService,
  ) {}

  /** Answers after the event is stored, because Stripe repeats an event until it gets a successful answer. */
  @Post()
  @HttpCode(200)
  async receive(@RawBody() bytes: Buffer | undefined, @Headers('stripe-signature') signature = ''): Promise<{ received: true }> {
    try {
      await this.handler.apply(this.stripe.name, await this.stripe.readEvent(bytes ?? Buffer.alloc(0), signature));
    } catch (error) {
      if (error instanceof PaymentEventRefused) throw paymentProblem('payment.event_refused');
      throw error;
    }
    return { received: true };
  }
}
