import { invalid, nested, newId, now, refuse, Refusal, type StripeRequest } from './stripe-objects.js';
import { StripeTerminal } from './stripe-terminal.js';

/** A payment at Stripe, with or without a checkout page. */
export interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly amount_received: number;
  readonly currency: string;
  readonly metadata: Record<string, string>;
  readonly created: number;
  readonly customer: string | null;
  readonly payment_method: string | null;
  readonly status: 'succeeded' | 'processing' | 'requires_payment_method' | 'canceled';
  readonly last_payment_error: { readonly code: string } | null;
}

type NewIntent = Pick<Intent, 'amount_received' | 'currency' | 'metadata'> & Partial<Intent>;

/** The payments at Stripe, and charges of customers who are not there. */
export class StripeIntents {
  readonly all = new Map<string, Intent>();
  /** Why the bank refuses every charge without a customer; undefined: it does not. */
  declines: string | undefined;
  /** The answers to charges are lost. */
  isCut = false;
  /** The answers of requests of this path are lost, although they are carried out: the library asks a second time. */
  losesAnswerOf: string | undefined;
  /** Requests of this path do not arrive. */
  missesAll: string | undefined;
  readonly terminal = new StripeTerminal(this);
  charged: (intent: Intent) => void = () => undefined;

  add({ id = newId('pi'), ...given }: NewIntent): Intent {
    const rest = { created: now(), customer: null, payment_method: null, status: 'succeeded', last_payment_error: null } as const;
    const intent: Intent = { id, object: 'payment_intent', amount: given.amount_received, ...rest, ...given };
    this.all.set(id, intent);
    return intent;
  }

  /** Answers a request about payments; undefined: it is about something else. */
  work(asked: StripeRequest, charged: (intent: Intent) => void): object | undefined {
    const { method, path, parameters } = asked;
    this.charged = charged;
    const [place = '', query = ''] = path.split('?');
    if (place.startsWith('/v1/terminal/')) return this.terminal.work(asked);
    if (!place.startsWith('/v1/payment_intents')) return undefined;
    const [, , , id, verb] = place.split('/');
    if (verb === 'cancel') return this.cancel(this.find(id as string));
    if (method === 'GET' && id !== undefined) return this.find(id);
    if (method === 'GET') {
      const customer = new URLSearchParams(query).get('customer');
      const data = [...this.all.values()].filter((intent) => intent.customer === customer).toReversed();
      return { object: 'list', url: place, has_more: false, data };
    }
    return 'allowed_payment_method_types[0]' in parameters ? this.prepare(parameters) : this.charge(parameters, charged);
  }

  /** Whether a request does not arrive. */
  misses({ path }: StripeRequest): boolean {
    return this.missesAll !== undefined && path.endsWith(this.missesAll);
  }

  /** Whether the answer of a request is lost. */
  loses({ method, path }: StripeRequest): boolean {
    if (method !== 'POST') return false;
    const isLost = this.losesAnswerOf !== undefined && path.endsWith(this.losesAnswerOf);
    return isLost || (this.isCut && path === '/v1/payment_intents');
  }

  /** A payment that a card reader shall ask for. */
  private prepare(parameters: StripeRequest['parameters']): Intent {
    const types = Object.values(nested(parameters, 'allowed_payment_method_types'));
    if (types.join(',') !== 'card_present') refuse('parameter_invalid', 'allowed_payment_method_types', 'Only readers are known here.');
    const { currency = '', amount } = parameters;
    return this.add({
      amount: Number(amount),
      amount_received: 0,
      currency,
      metadata: nested(parameters, 'metadata'),
      status: 'requires_payment_method',
    });
  }

  private cancel(intent: Intent): Intent {
    if (intent.status !== 'requires_payment_method' || this.terminal.isReading)
      refuse(
        'payment_intent_unexpected_state',
        'intent',
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      );
    return Object.assign(intent, { status: 'canceled' });
  }

  find(id: string): Intent {
    const intent = this.all.get(id);
    if (!intent) throw new Refusal(404, { ...invalid, code: 'resource_missing', message: `No such payment_intent: '${id}'` });
    return intent;
  }

  /** A customer who is not there is charged. */
  private charge(parameters: StripeRequest['parameters'], charged: (intent: Intent) => void): Intent {
    const { customer = '', payment_method = '', currency = '' } = parameters;
    const isKept = [...this.all.values()].some((intent) => intent.customer === customer && intent.payment_method === payment_method);
    if (!isKept) throw new Refusal(400, { ...invalid, code: 'resource_missing', message: 'No such customer with this payment method.' });
    if (parameters['off_session'] !== 'true' || parameters['confirm'] !== 'true')
      throw new Refusal(400, { ...invalid, code: 'parameter_missing', message: 'Nobody is there to confirm.' });
    const amount = Number(parameters['amount']);
    const base = { currency, customer, payment_method, metadata: nested(parameters, 'metadata') };
    if (this.declines !== undefined) {
      const last_payment_error = { code: this.declines };
      this.add({ ...base, amount_received: 0, status: 'requires_payment_method', last_payment_error });
      throw new Refusal(402, { type: 'card_error', code: this.declines, message: 'Your card was declined.' });
    }
    const intent = this.add({ ...base, amount_received: amount });
    charged(intent);
    return intent;
  }
}
