import { ReservationChangesService, ReservationsService, type WholeReservation } from '#tickets';
import { JobRunner } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import { expectNoDrift } from './booking.js';
import { openSmtpSink, type SmtpSink } from './smtp-sink.js';
import { startStripeApp, type StripeApp } from './stripe-app.js';
import type { StripeEvent, StripeServer } from './stripe-server.js';
import type { TestAppOptions } from './test-app.js';

/** An application with background jobs, a Stripe server, a mail server and a tenant that sells online. */
export class OnlinePayments {
  private constructor(
    readonly test: StripeApp,
    readonly post: SmtpSink,
    readonly tenant: TenantIdentity,
  ) {}

  /** @param environment more settings @param options others of the application */
  static async start(environment: Readonly<Record<string, string>> = {}, options: TestAppOptions = {}): Promise<OnlinePayments> {
    const post = await openSmtpSink();
    const test = await startStripeApp({ ...options, environment: { SMTP_URL: post.url, ...environment } });
    test.app.get(JobRunner).start();
    return new OnlinePayments(test, post, await test.newVenue());
  }

  get stripe(): StripeServer {
    return this.test.stripe;
  }

  /** Call it after each test. */
  readonly settle = async (): Promise<void> => {
    this.stripe.fault = undefined;
    await expectNoDrift(this.test, this.tenant);
  };

  readonly stop = async (): Promise<void> => {
    await this.test.close();
    await this.post.close();
  };

  readonly inside = <Result>(work: () => Promise<Result>): Promise<Result> => this.test.inside(this.tenant, work);

  /** The reservation as it is now. */
  readonly again = async (id: string): Promise<WholeReservation> =>
    (await this.inside(() => this.test.app.get(ReservationsService).find(id)))!;

  readonly cancel = (id: string): Promise<unknown> =>
    this.inside(() => this.test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));

  /** Sends an event to the tenant's webhook endpoint. */
  readonly deliver = (event: StripeEvent): ReturnType<StripeApp['deliver']> => this.test.deliver(event, this.tenant);

  /** The requests for refunds of a payment. */
  readonly refundsOf = (id: string): StripeServer['requests'] =>
    this.stripe.requests.filter(({ path, parameters }) => path === '/v1/refunds' && Object.values(parameters).includes(id));
}

/** The id of the checkout session of the last payment. */
export const sessionOf = ({ payments }: Pick<WholeReservation, 'payments'>): string => payments.at(-1)!.reference!;
