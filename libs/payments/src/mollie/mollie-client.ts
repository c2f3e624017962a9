import { createHash } from 'node:crypto';
import { limits } from '../limits.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';

/** Where Mollie is, and as whom it is asked. */
export interface MollieAccess {
  readonly base: string;
  readonly apiKey: string;
}

export interface MollieRequest {
  readonly method?: 'POST' | 'DELETE';
  /** Below `/v2/`. */
  readonly path: string;
  readonly body?: object;
  /** Repeated requests with one key are made once; Mollie keeps it for an hour. https://docs.mollie.com/reference/api-idempotency */
  readonly key?: string;
}

/** https://docs.mollie.com/reference/handling-errors */
interface MollieRefusal {
  readonly detail?: unknown;
}

/**
 * Asks Mollie, ten seconds at most.
 * @throws PaymentProviderUnavailable; PaymentProviderRefused with the status of the answer as code, or `key` when Mollie does not know it
 */
export async function askMollie<Answer extends object>({ base, apiKey }: MollieAccess, request: MollieRequest): Promise<Answer> {
  const { method = 'GET', path, body, key } = request;
  const answer = await fetch(new URL(`/v2/${path}`, base), {
    method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      Accept: 'application/json',
      ...(body && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': shortened(key) }),
    },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(limits.providerAnswer.ms),
  }).catch(unavailable);
  const { status } = answer;
  // 429: too many requests.
  if (status >= 500 || status === 429)
    throw new PaymentProviderUnavailable(`Mollie does not answer as it should (${status}).`, status >= 500);
  const said = (await answer.json().catch(unavailable)) as unknown;
  if (typeof said !== 'object' || said === null) throw new PaymentProviderUnavailable('Mollie does not answer as it should.');
  if (answer.ok) return said as Answer;
  if (status === 401) throw new PaymentProviderRefused('Mollie does not know the API key.', 'key');
  const { detail } = said as MollieRefusal;
  const message = typeof detail === 'string' ? withoutKeys(detail) : `Mollie refuses (${status}).`;
  throw new PaymentProviderRefused(message, String(status));
}

function unavailable(): never {
  throw new PaymentProviderUnavailable('Mollie does not answer.');
}

/** Keys of two ids are longer than the 64 characters that are accepted. */
const shortened = (key: string): string => createHash('sha256').update(key).digest('base64url');

const withoutKeys = (message: string): string => message.replace(/\b(live|test)_\w+/g, '$1_…').slice(0, 500);
