import { randomBytes } from 'node:crypto';

export interface Delivered {
  readonly status: number;
  readonly body: string;
}

export interface Session {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly amount_total: number;
  readonly currency: string;
  readonly metadata: Record<string, string>;
  readonly expires_at: number;
  payment_intent: string | null;
  payment_status: 'unpaid' | 'paid';
  status: 'open' | 'complete' | 'expired';
  [member: string]: unknown;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly metadata: Record<string, string>;
  readonly payment_intent: string;
  status: 'succeeded' | 'failed';
  failure_reason?: string;
}

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly payment_intent: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Record<string, string>;
  amount_refunded: number;
  refunded: boolean;
}

export interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly idempotencyKey: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** The exact bytes, which the signature covers. */
  readonly payload: string;
}

export interface Answer {
  readonly status: number;
  readonly body: object;
}

/** An error response in Stripe's format. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: Readonly<Record<string, string>>,
  ) {
    super(error['message']);
  }
}

/** An open session with these parameters. Refuses what Stripe refuses. @param pages origin of the checkout pages */
export function newSession(parameters: StripeRequest['parameters'], pages: string): Session {
  const unknown = Object.keys(parameters).find((name) => !sessionParameters.some((pattern) => pattern.test(name)));
  if (unknown) refuse('parameter_unknown', unknown, `Received unknown parameter: ${unknown}`);
  const read = (name: string): string => parameters[name] ?? refuse('parameter_missing', name, `Missing: ${name}`);
  const price = 'line_items[0][price_data]';
  const units = Object.keys(parameters).filter((name) => name.endsWith('[price_data][unit_amount]'));
  read(`${price}[unit_amount]`);
  const amount = units.reduce((sum, name) => sum + Number(parameters[name]), 0);
  const expires = Number(parameters['expires_at'] ?? now() + 86_400);
  if (read('mode') !== 'payment') refuse('parameter_invalid', 'mode', 'Only payment is known here.');
  if (!Number.isInteger(amount)) refuse('parameter_invalid_integer', price, `Invalid integer: ${amount}`);
  if (amount < 50) refuse('amount_too_small', price, 'The total amount due must be at least 0.50.');
  if (!/^[a-z]{3}$/.test(read(`${price}[currency]`))) refuse('parameter_invalid', price, 'Invalid currency.');
  if ('customer_email' in parameters && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(read('customer_email')))
    refuse('email_invalid', 'customer_email', `Invalid email address: ${parameters['customer_email']}`);
  if (!(expires >= now() + 1800 && expires <= now() + 86_400))
    refuse('parameter_invalid', 'expires_at', 'expires_at must be between 30 minutes and 24 hours from now.');
  for (const name of ['success_url', 'cancel_url']) if (!URL.canParse(read(name))) refuse('url_invalid', name, 'Not a valid URL');
  const session: Session = {
    id: newId('cs_test'),
    object: 'checkout.session',
    amount_total: amount,
    client_reference_id: read('client_reference_id'),
    created: now(),
    currency: read(`${price}[currency]`),
    customer_email: parameters['customer_email'] ?? null,
    expires_at: expires,
    livemode: false,
    locale: parameters['locale'] ?? null,
    metadata: nested(parameters, 'metadata'),
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
  };
  const excluded = Object.values(nested(parameters, 'excluded_payment_method_types'));
  if (excluded.length > 0) session['excluded_payment_method_types'] = excluded;
  if (parameters['payment_intent_data[setup_future_usage]'] === 'off_session' && parameters['customer_creation'] === 'always')
    session['keeps_means'] = true;
  session['url'] = `${pages}/pay/${session.id}`;
  return session;
}

export const invalid = { type: 'invalid_request_error' };
const sessionParameters = [
  /^(mode|client_reference_id|customer_email|customer_creation|locale|success_url|cancel_url|expires_at)$/,
  /^(payment_intent_data\[metadata\]|metadata)\[\w+\]$/,
  /^payment_intent_data\[setup_future_usage\]$/,
  /^excluded_payment_method_types\[\d+\]$/,
  /^line_items\[\d\]\[(quantity|price_data\]\[(currency|unit_amount|product_data\]\[name))\]$/,
];

export function refuse(code: string, param: string, message: string): never {
  throw new Refusal(400, { ...invalid, ...(code ? { code } : {}), param, message });
}

export function nested(parameters: StripeRequest['parameters'], name: string): Record<string, string> {
  const entries = Object.entries(parameters).filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** The ways to pay that are switched on: those of the account, and those of one of a platform. */
export function methodConfigurations(): object {
  const methods = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { available: true }]));
  const own = { ...methods('card', 'google_pay', 'bancontact', 'p24', 'sepa_debit', 'zip'), ideal: { available: false } };
  const of = (application: string | null, more: object) => ({ active: true, is_default: true, application, ...more });
  return { object: 'list', has_more: false, data: [of('ca_1', methods('klarna')), of(null, own)] };
}
