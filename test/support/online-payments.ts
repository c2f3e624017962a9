import { PaymentAccountsService } from '#payments';
import { ReservationChangesService, ReservationsService, type WholeReservation } from '#booking';
import { JobRunner } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import { expectNoDrift } from './booking.js';
import { openSmtpSink, type SmtpSink } from './smtp-sink.js';
import { StripeServer, type StripeEvent } from './stripe-server.js';
import { startTestApp, type TestApp } from './test-app.js';

/** An application with background jobs, a Stripe server, a mail server and a tenant that sells online. */
export class OnlinePayments {
  private constructor(
    readonly test: TestApp,
    readonly stripe: StripeServer,
    readonly post: SmtpSink,
    readonly tenant: TenantIdentity,
  ) {}

  /** @param environment more settings */
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<OnlinePayments> {
    const stripe = await StripeServer.start();
    const post = await openSmtpSink();
    const test = await startTestApp({ environment: { STRIPE_API_BASE: stripe.url, SMTP_URL: post.url, ...environment } });
    test.app.get(JobRunner).start();
    const payments = new OnlinePayments(test, stripe, post, await test.newTenant());
    const keys = { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret };
    await payments.inside(() => test.app.get(PaymentAccountsService).save(keys));
    return payments;
  }

  /** Call it after each test. */
  readonly settle = async (): Promise<void> => {
    this.stripe.fault = undefined;
    await expectNoDrift(this.test, this.tenant);
  };

  readonly stop = async (): Promise<void> => {
    await this.test.close();
    await this.stripe.stop();
    await this.post.close();
  };

  readonly inside = <Result>(work: () => Promise<Result>): Promise<Result> => this.test.inside(this.tenant, work);

  /** The reservation as it is now. */
  readonly again = async (id: string): Promise<WholeReservation> =>
    (await this.inside(() => this.test.app.get(ReservationsService).find(id)))!;

  readonly cancel = (id: string): Promise<unknown> =>
    this.inside(() => this.test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));

  /** Sends an event to the tenant's webhook endpoint. */
  readonly deliver = (event: StripeEvent): ReturnType<StripeServer['deliver']> =>
    this.stripe.deliver(event, `http://127.0.0.1:${this.test.port}/payments/stripe/`, this.tenant.host);

  /** The requests for refunds of a payment. */
  readonly refundsOf = (id: string): StripeServer['requests'] =>
    this.stripe.requests.filter(({ path, parameters }) => path === '/v1/refunds' && Object.values(parameters).includes(id));
}

/** The id of the checkout session of the last payment. */
export const sessionOf = ({ payments }: Pick<WholeReservation, 'payments'>): string => payments.at(-1)!.reference!;
