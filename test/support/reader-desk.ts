import { randomUUID } from 'node:crypto';
import { PlaceProfileService } from '#places';
import { CardReadersService, ReaderPaymentsService } from '#payments';
import { ReservationsService, type WholeReservation } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { oneEvent } from './box-office.js';
import type { PanelAnswer, PanelClient } from './panel-client.js';
import { staffOf } from './panel-staff.js';
import type { StripeApp } from './stripe-app.js';
import type { StripeTerminal } from './stripe-terminal.js';

/** What the page shows while a reader asks, or when it took nothing. */
interface Asked {
  readonly payment: string;
  readonly state: 'asking' | 'failed' | 'ended';
  readonly amount: string;
  readonly fault: string | null;
}

interface PairedReader {
  readonly id: string;
  /** Its id at Stripe. */
  readonly reference: string;
}

/** A box office with a card reader, "Bar". */
export class ReaderDesk {
  private constructor(
    readonly test: StripeApp,
    readonly venue: TenantIdentity,
    readonly staff: PanelClient,
    private readonly accountId: string,
  ) {}

  reader!: PairedReader;

  static async open(test: StripeApp): Promise<ReaderDesk> {
    const venue = await test.newVenue({ name: 'Venue' });
    const address = { streetAddress: '1 rue Haute', postalCode: '69001', city: 'Lyon', country: 'FR' };
    await test.inside(venue, () => test.app.get(PlaceProfileService).change(address));
    const desk = new ReaderDesk(test, venue, await staffOf(test, venue), (await test.accountOf(venue))!.id);
    desk.reader = await desk.paired('Bar');
    return desk;
  }

  get terminal(): StripeTerminal {
    return this.test.stripe.intents.terminal;
  }

  readonly pair = (name: string, code = `simulated-${name.toLowerCase()}`): Promise<PanelAnswer> =>
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

  readonly stateOf = (payment: string): Promise<string> =>
    this.test.inside(this.venue, async () => (await this.test.app.get(ReaderPaymentsService).find(payment))!.state);
}

/** What a reader is asked for; undefined: the answer is about something else. */
export const asked = ({ view }: PanelAnswer): Asked => view?.['reader'] as Asked;
