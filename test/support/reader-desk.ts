import { randomUUID } from 'node:crypto';
import { PlaceProfileService } from '#places';
import { CardReadersService, PaymentAccountsService, ReaderPaymentsService } from '#payments';
import { ReservationsService, type WholeReservation } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { oneEvent } from './box-office.js';
import type { PanelAnswer, PanelClient } from './panel-client.js';
import { staffOf } from './panel-staff.js';
import type { ReaderDouble } from './reader-doubles.js';
import type { TestApp } from './test-app.js';
import { until } from './until.js';

/** What the page shows while a reader asks, or when it took nothing. */
interface Asked {
  readonly payment: string;
  readonly state: 'asking' | 'failed' | 'ended';
  readonly amount: string;
  readonly fault: string | null;
}

interface PairedReader {
  readonly id: string;
  /** Its id at the provider. */
  readonly reference: string;
}

/** A box office with a card reader, "Bar". */
export class ReaderDesk {
  private constructor(
    readonly test: TestApp,
    readonly double: ReaderDouble,
    readonly venue: TenantIdentity,
    readonly staff: PanelClient,
    private readonly accountId: string,
  ) {}

  reader!: PairedReader;

  static async open(test: TestApp, double: ReaderDouble): Promise<ReaderDesk> {
    const venue = await test.newTenant({ name: 'Venue' });
    await double.addAccount(venue);
    const address = { streetAddress: '1 rue Haute', postalCode: '69001', city: 'Lyon', country: 'FR' };
    await test.inside(venue, () => test.app.get(PlaceProfileService).change(address));
    const [account] = await test.inside(venue, () => test.app.get(PaymentAccountsService).all());
    const desk = new ReaderDesk(test, double, venue, await staffOf(test, venue), account!.id);
    desk.reader = await desk.paired('Bar');
    return desk;
  }

  readonly pair = (name: string, code = this.double.codeOf(name)): Promise<PanelAnswer> =>
    this.staff.send('card-readers', 'pair', { account: this.accountId, name, code });

  readonly paired = async (name: string): Promise<PairedReader> => {
    await this.pair(name);
    const all = await this.test.inside(this.venue, () => this.test.app.get(CardReadersService).usable());
    return all.find((one) => one.name === name)!;
  };

  /** Sells two tickets at the reader. */
  readonly sell = (event: { readonly id: string; readonly priceId: string }, more: object = {}): Promise<PanelAnswer> =>
    this.staff.send(
      'reservations',
      'sell',
      oneEvent({
        eventId: event.id,
        email: `${randomUUID()}@example.org`,
        paymentMethod: 'reader',
        readerId: this.reader.id,
        tickets: [{ priceId: event.priceId, quantity: 2 }],
        ...more,
      }),
    );

  readonly step = (payment: string, name: string, more: object = {}): Promise<PanelAnswer> =>
    this.staff.send('reservations', 'sell', { payment, step: name, ...more });

  /** Takes back what a reader asks for. One that stops later is looked at until it has. */
  readonly cancel = async (payment: string): Promise<PanelAnswer> => {
    await this.step(payment, 'cancel');
    return until(
      () => this.step(payment, 'look'),
      (answer) => asked(answer)?.state !== 'asking',
    );
  };

  /** Has a background job of a payment be due now. */
  readonly dueNow = (payment: string): Promise<unknown> =>
    this.test.database.query('update shared.job set due_at = now() where subject_id = $1', [payment]);

  /** Has it run, and waits until it is to run again. */
  readonly lookedAt = async (payment: string): Promise<void> => {
    await this.dueNow(payment);
    const sql = `select from shared.job where subject_id = $1 and due_at > now() + interval '1 second'`;
    await until(
      () => this.test.database.query<unknown[]>(sql, [payment]),
      (rows) => rows.length > 0,
    );
  };

  /** As five minutes after a payment was begun. */
  readonly age = (payment: string): Promise<unknown> => {
    const table = `"${this.venue.schemaName}".payment`;
    // Statements of one query are one transaction.
    return this.test.database.query(`alter table ${table} disable trigger user;
      update ${table} set created_at = created_at - interval '5 minutes' where id = '${payment}';
      alter table ${table} enable trigger user`);
  };

  readonly switchAccount = (enabled: boolean): Promise<void> =>
    this.test.inside(this.venue, () => this.test.app.get(PaymentAccountsService).setEnabled(this.accountId, enabled));

  /** The reservation that a payment is for. */
  readonly reservationOf = (payment: string): Promise<WholeReservation> =>
    this.test.inside(this.venue, async () => {
      const found = await this.test.app.get(ReaderPaymentsService).find(payment);
      const part = found!.subjects.find((one) => 'reservationId' in one) as { readonly reservationId: string };
      return (await this.test.app.get(ReservationsService).find(part.reservationId))!;
    });

  readonly paymentsOf = async (payment: string) =>
    (await this.reservationOf(payment)).payments.map(({ kind, provider, method, status, amount }) => ({
      kind,
      provider,
      method,
      status,
      amount,
    }));

  /** Sells two tickets that are paid at the reader. @returns the payment */
  readonly sold = async (event: { readonly id: string; readonly priceId: string }): Promise<string> => {
    const { payment } = asked(await this.sell(event));
    this.double.tap(this.reader.reference);
    await this.step(payment, 'look');
    return payment;
  };

  /** Waits until a payment is paid back. */
  readonly refunded = (payment: string): Promise<unknown> =>
    until(
      () => this.dueNow(payment).then(() => this.paymentsOf(payment)),
      (rows) => rows.some(({ kind, status }) => kind === 'refund' && status === 'refunded'),
    );

  readonly stateOf = (payment: string): Promise<string> =>
    this.test.inside(this.venue, async () => (await this.test.app.get(ReaderPaymentsService).find(payment))!.state);
}

/** What a reader is asked for; undefined: the answer is about something else. */
export const asked = ({ view }: PanelAnswer): Asked => view?.['reader'] as Asked;
