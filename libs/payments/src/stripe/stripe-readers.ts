import type Stripe from 'stripe';
import type { Text } from '#kernel';
import { currentTenant } from '#tenancy';
import type { CardReaders, NewReader, ReaderFault, ReaderRequest } from '../providers/card-readers.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import { marksOf } from '../providers/payment-marks.js';
import type { ProviderAccount } from '../providers/account-fields.js';
import type { CheckoutOutcome } from '../providers/provider-event.js';
import { minorUnits } from './minor-units.js';
import { idOf, intentOutcome, readerOf, readerMark } from './stripe-events.js';

type Ask = <Result>(account: ProviderAccount, work: (stripe: Stripe) => Promise<Result>) => Promise<Result>;

/** Codes of refusals and of failed actions of a reader. https://docs.stripe.com/terminal/payments/collect-card-payment */
const faults: Readonly<Record<string, ReaderFault>> = {
  card_declined: 'declined',
  customer_canceled: 'cancelled',
  connection_error: 'offline',
  terminal_reader_busy: 'busy',
  terminal_reader_offline: 'offline',
  terminal_reader_timeout: 'timeout',
};

const faultOf = (code: string | null | undefined): ReaderFault => faults[code ?? ''] ?? 'failed';

function unknown(): never {
  throw new PaymentProviderUnavailable('Whether the reader asks is not known.');
}

/** Readers of Stripe Terminal, which Stripe's own servers ask for the sums. */
export class StripeReaders implements CardReaders {
  constructor(
    private readonly ask: Ask,
    readonly codeHelp: Text,
  ) {}

  pair({ code, name, place }: NewReader, account: ProviderAccount): Promise<string> {
    return this.ask(account, async (stripe) => {
      const location = await locationOf(stripe, place);
      const reader = await stripe.terminal.readers.create({ registration_code: code, label: name, location });
      return reader.id;
    });
  }

  async unpair(reader: string, account: ProviderAccount): Promise<void> {
    try {
      await this.ask(account, (stripe) => stripe.terminal.readers.del(reader));
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused) || error.code !== 'resource_missing') throw error;
    }
  }

  prepare({ paymentId, reader, amount, currency, description }: ReaderRequest, account: ProviderAccount): Promise<{ reference: string }> {
    return this.ask(account, async (stripe) => {
      const { id } = await stripe.paymentIntents.create(
        {
          amount: minorUnits(amount, currency),
          currency: currency.toLowerCase(),
          allowed_payment_method_types: ['card_present'],
          capture_method: 'automatic',
          description: [...description].slice(0, 250).join(''),
          metadata: { ...marksOf(paymentId), [readerMark]: reader },
        },
        { idempotencyKey: `${paymentId}:reader` },
      );
      return { reference: id };
    });
  }

  async send(reference: string, { reader }: ReaderRequest, account: ProviderAccount): Promise<undefined> {
    try {
      await this.ask(account, (stripe) =>
        stripe.terminal.readers.processPaymentIntent(reader, { payment_intent: reference }, { idempotencyKey: `${reference}:process` }),
      );
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error;
      // A reader that answered late may ask all the same: it is refused once nobody can pay.
      await this.ask(account, (stripe) => cancelAtReader(stripe, reference)).catch(unknown);
      throw new PaymentProviderRefused(error.message, faultOf(error.code));
    }
  }
}

/**
 * What became of a charge without a checkout page. One that its reader does not ask for (any more) and that is not paid is cancelled,
 * so that it is never paid after its outcome was told.
 */
export async function chargeOutcome(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<CheckoutOutcome | undefined> {
  const reader = readerOf(intent);
  if (reader === undefined || intent.status === 'succeeded' || intent.status === 'canceled') return intentOutcome(intent);
  if (intent.status === 'processing') return undefined;
  const action = await actionFor(stripe, reader, intent.id);
  if (action && action.status !== 'failed') return undefined;
  const cancelled = intentOutcome(await stripe.paymentIntents.cancel(intent.id));
  return cancelled?.type === 'closed' && action ? { ...cancelled, type: 'refused', fault: faultOf(action.failure_code) } : cancelled;
}

/** Takes a payment back from the reader that asks for it. Stripe refuses when it was paid, or the card is being charged. */
export async function cancelAtReader(stripe: Stripe, reference: string): Promise<void> {
  const intent = await stripe.paymentIntents.retrieve(reference);
  const reader = readerOf(intent);
  if (reader !== undefined && (await actionFor(stripe, reader, reference))?.status === 'in_progress')
    await stripe.terminal.readers.cancelAction(reader).catch((error: unknown) => {
      // A reader that cannot stop now, or is switched off: whether the payment can be cancelled decides.
      if ((error as { statusCode?: number }).statusCode !== 400) throw error;
    });
  await stripe.paymentIntents.cancel(reference);
}

/** What a reader does for a payment, or did last; undefined: it does something else. */
async function actionFor(stripe: Stripe, reader: string, reference: string): Promise<Stripe.Terminal.Reader.Action | undefined> {
  const found = await stripe.terminal.readers.retrieve(reader).catch((error: unknown) => {
    if ((error as { statusCode?: number }).statusCode !== 404) throw error;
  });
  const action = found && !found.deleted ? found.action : null;
  return idOf(action?.process_payment_intent?.payment_intent ?? null) === reference ? (action ?? undefined) : undefined;
}

/** The location of the venue at Stripe, which every reader has. */
async function locationOf(stripe: Stripe, { name, street, postalCode, city, country }: NewReader['place']): Promise<string> {
  const tenant = currentTenant().id;
  const { data } = await stripe.terminal.locations.list({ limit: 100 });
  const known = data.find(({ metadata }) => metadata['guichet_tenant'] === tenant) ?? data[0];
  if (known) return known.id;
  if ([street, postalCode, city, country].includes('')) throw new PaymentProviderRefused('Stripe needs the address of the venue.', 'place');
  const address = { line1: street, postal_code: postalCode, city, country };
  const made = await stripe.terminal.locations.create({ display_name: name, address, metadata: { guichet_tenant: tenant } });
  return made.id;
}
