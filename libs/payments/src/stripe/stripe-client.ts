import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type Stripe from 'stripe';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../online/payment-errors.js';

/** A provider that takes longer is not there. */
const timeoutMs = 10_000;

/** Loads the library when it is first needed: most tenants never do, and it is one of the largest. */
export function loadStripe(): Promise<typeof import('stripe')> {
  return (library ??= import('stripe'));
}

let library: Promise<typeof import('stripe')> | undefined;

/**
 * Asks Stripe at `base` (scheme, host and port) and nowhere else, and waits no longer than ten seconds in all: the library's own limit
 * begins anew at every byte.
 * @throws PaymentProviderUnavailable, PaymentProviderRefused
 */
export async function askStripe<Result>(secretKey: string, base: string, work: (stripe: Stripe) => Promise<Result>): Promise<Result> {
  const { default: StripeClient } = await loadStripe();
  const { protocol, hostname, port } = new URL(base);
  const plain = protocol === 'http:';
  // One for each question, so that a connection that is given up is also closed.
  const agent = plain ? new HttpAgent() : new HttpsAgent();
  const httpClient = StripeClient.createNodeHttpClient(agent);
  const stripe = new StripeClient(secretKey, {
    protocol: plain ? 'http' : 'https',
    host: hostname,
    port: port || (plain ? 80 : 443),
    httpClient,
    timeout: timeoutMs,
    // Whoever asks decides what becomes of a failure. (A connection that breaks is tried once more in any case, with the same key.)
    maxNetworkRetries: 0,
    telemetry: false,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PaymentProviderUnavailable('Stripe takes too long.')), timeoutMs);
  });
  try {
    return await Promise.race([work(stripe), late]);
  } catch (error) {
    throw translated(error, StripeClient.errors);
  } finally {
    clearTimeout(timer);
    // The library would open a connection that was closed once more.
    httpClient.makeRequest = () => Promise.reject(new Error('given up'));
    agent.destroy();
  }
}

/** Neither the library's error nor what it carries (headers, bodies) goes on: only words that hold no key. */
function translated(error: unknown, { StripeError, StripeIdempotencyError }: typeof Stripe.errors): unknown {
  if (!(error instanceof StripeError)) return error;
  const { statusCode, code } = error;
  if (error instanceof StripeIdempotencyError)
    return new PaymentProviderRefused('Stripe was asked for the same payment before, in another way.', 'idempotency');
  // 409: another request of the same payment is under way; 429: too many requests.
  if (statusCode === undefined || statusCode >= 500 || statusCode === 409 || statusCode === 429)
    return new PaymentProviderUnavailable(`Stripe does not answer as it should (${statusCode ?? 'no answer'}).`, (statusCode ?? 0) >= 500);
  if (statusCode === 401) return new PaymentProviderRefused('Stripe does not know the secret key.', 'key');
  return new PaymentProviderRefused(withoutKeys(error.message), code);
}

function withoutKeys(message: string): string {
  return message.replace(/\b(sk|rk|whsec)_\S+/g, '$1_…').slice(0, 500);
}
