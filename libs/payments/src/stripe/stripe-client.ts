import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as pass } from 'node:timers/promises';
import type Stripe from 'stripe';
import { limits } from '../limits.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';

/** Loads the library on first use, because it is large and most tenants do not need it. */
export function loadStripe(): Promise<typeof import('stripe')> {
  return (library ??= import('stripe'));
}

let library: Promise<typeof import('stripe')> | undefined;

/**
 * Calls Stripe at `base` (scheme, host and port) with a total timeout of ten seconds; the library's own timeout restarts with each byte.
 * While another request with the same idempotency key is running, for example of a form that was sent twice, repeats this one, so that both
 * have the same answer.
 * @throws PaymentProviderUnavailable, PaymentProviderRefused
 */
export async function askStripe<Result>(secretKey: string, base: string, work: (stripe: Stripe) => Promise<Result>): Promise<Result> {
  const { default: StripeClient } = await loadStripe();
  const { protocol, hostname, port } = new URL(base);
  const plain = protocol === 'http:';
  // A separate agent per call, so that its connection can be closed on timeout.
  const agent = plain ? new HttpAgent() : new HttpsAgent();
  const httpClient = StripeClient.createNodeHttpClient(agent);
  const stripe = new StripeClient(secretKey, {
    protocol: plain ? 'http' : 'https',
    host: hostname,
    port: port || (plain ? 80 : 443),
    httpClient,
    timeout: limits.providerAnswer.ms,
    // The caller decides about retries. (The library always retries once after a broken connection, with the same key.)
    maxNetworkRetries: 0,
    telemetry: false,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PaymentProviderUnavailable('Stripe takes too long.')), limits.providerAnswer.ms);
  });
  try {
    return await Promise.race([afterOthers(() => work(stripe), StripeClient.errors), late]);
  } catch (error) {
    throw translated(error, StripeClient.errors);
  } finally {
    clearTimeout(timer);
    // Otherwise the library would reopen a closed connection.
    httpClient.makeRequest = () => Promise.reject(new Error('given up'));
    agent.destroy();
  }
}

/** Ends at the latest when the client is closed. */
async function afterOthers<Result>(work: () => Promise<Result>, { StripeError }: typeof Stripe.errors): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StripeError) || error.statusCode !== 409) throw error;
      await pass(limits.stripeAgain.ms);
    }
  }
}

/** Maps errors of the library to ours. Its headers and bodies are dropped and keys removed from messages. */
function translated(error: unknown, { StripeError, StripeIdempotencyError }: typeof Stripe.errors): unknown {
  if (!(error instanceof StripeError)) return error;
  const { statusCode, code } = error;
  if (error instanceof StripeIdempotencyError)
    return new PaymentProviderRefused('Stripe was asked for the same payment before, in another way.', 'idempotency');
  // 429: too many requests.
  if (statusCode === undefined || statusCode >= 500 || statusCode === 429)
    return new PaymentProviderUnavailable(`Stripe does not answer as it should (${statusCode ?? 'no answer'}).`, (statusCode ?? 0) >= 500);
  if (statusCode === 401) return new PaymentProviderRefused('Stripe does not know the secret key.', 'key');
  return new PaymentProviderRefused(withoutKeys(error.message), code === 'charge_already_refunded' ? 'already_refunded' : code);
}

function withoutKeys(message: string): string {
  return message.replace(/\b(sk|rk|whsec)_\S+/g, '$1_…').slice(0, 500);
}
