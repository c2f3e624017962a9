import { isObject } from '#kernel';
import { limits } from '../limits.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';

export interface SumUpAccess {
  /** Scheme, host and port. */
  readonly base: string;
  readonly apiKey: string;
}

interface SumUpRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/**
 * Asks SumUp.
 * @throws PaymentProviderUnavailable; PaymentProviderRefused with `key`, `not_found`, `offline`, `busy` or the status as code
 */
export type AskSumUp = <Answer extends object>(request: SumUpRequest) => Promise<Answer>;

/** What asks SumUp: all requests together ten seconds at most. */
export function sumUpWith({ base, apiKey }: SumUpAccess): AskSumUp {
  const signal = AbortSignal.timeout(limits.providerAnswer.ms);
  return async <Answer extends object>({ method = 'GET', path, body }: SumUpRequest): Promise<Answer> => {
    const answer = await fetch(new URL(path, base), {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal,
    }).catch(unavailable);
    const { status } = answer;
    // 429: too many requests.
    if (status >= 500 || status === 429)
      throw new PaymentProviderUnavailable(`SumUp does not answer as it should (${status}).`, status >= 500);
    const text = await answer.text().catch(unavailable);
    if (!answer.ok) throw refused(status, text, apiKey);
    const said = text.trim() === '' ? {} : parsed(text);
    if (!isObject(said)) throw new PaymentProviderUnavailable('SumUp does not answer as it should.');
    return said as Answer;
  };
}

function unavailable(): never {
  throw new PaymentProviderUnavailable('SumUp does not answer.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** SumUp has several shapes of refusals: `{detail}`, `{message}`, and `{errors: {type, detail}}`. https://developer.sumup.com/problem */
function refused(status: number, text: string, apiKey: string): PaymentProviderRefused {
  if (status === 401) return new PaymentProviderRefused('SumUp does not know the API key.', 'key');
  const said = parsed(text);
  const top = isObject(said) ? said : {};
  const errors = isObject(top['errors']) ? top['errors'] : {};
  const words = [errors['detail'], top['detail'], top['message']].find((one) => typeof one === 'string');
  const type = [errors['type'], top['type'], top['error_code']].find((one) => typeof one === 'string') ?? '';
  const message = words === undefined ? `SumUp refuses (${status}).` : words.replaceAll(apiKey, '…').slice(0, 500);
  return new PaymentProviderRefused(message, codeOf(status, `${type} ${message}`));
}

/** A reader that is busy is refused without a reason of its own, unlike one that is offline and parameters that do not fit. */
function codeOf(status: number, reason: string): string {
  if (status === 404) return 'not_found';
  if (status !== 422 || /validation/i.test(reason)) return String(status);
  return /offline/i.test(reason) ? 'offline' : 'busy';
}
