import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Injectable } from '@nestjs/common';
import { databaseNow, Outbound, OutboundRefusedError } from '#kernel';
import { limits } from '../limits.js';
import { signatureOf } from '../endpoints/webhook-secrets.js';
import type { AttemptFailure } from './attempt-failures.js';
import { retryAfterSeconds } from './retry-schedule.js';

/** The result of one request. */
export interface AttemptOutcome {
  readonly attemptedAt: Date;
  readonly milliseconds: number;
  /** HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** null: the delivery succeeded. */
  readonly failure: AttemptFailure | null;
  /** The first `answerBytes` bytes of the answer's body. */
  readonly answer: string | null;
  /** Seconds that the receiver asks to wait (`Retry-After`). */
  readonly retryAfter?: number;
}

export interface WebhookMessage {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** The current secret, then the previous one while it is still valid. */
  readonly keys: readonly Buffer[];
}

/** Time limit from the first byte sent to the last byte received, in milliseconds. */
export const attemptTimeoutMs = limits.answer.ms;
/** Number of bytes of the answer's body that are read and stored. */
export const answerBytes = 2048;
/** Maximum number of interim answers (1xx); the connection of a receiver that sends more is closed. */
const informationalAnswers = 16;

/** Sends one signed request: follows no redirects, checks the address when it connects, and always ends within its time limit. */
@Injectable()
export class WebhookRequests {
  constructor(private readonly outbound: Outbound) {}

  /** Never throws: a failure is returned as an outcome. */
  async send({ url, id, body, keys }: WebhookMessage, timeoutMs: number = attemptTimeoutMs): Promise<AttemptOutcome> {
    const attemptedAt = databaseNow();
    const started = performance.now();
    const timestamp = Math.floor(attemptedAt.getTime() / 1000);
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'Guichet-Webhooks/1.0',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(keys, id, timestamp, body),
    };
    const result = await this.exchange(new URL(url), { method: 'POST', headers }, body, timeoutMs);
    return { attemptedAt, milliseconds: Math.round(performance.now() - started), ...result };
  }

  private async exchange(
    url: URL,
    options: RequestOptions,
    body: string,
    timeoutMs: number,
  ): Promise<Omit<AttemptOutcome, 'attemptedAt' | 'milliseconds'>> {
    let response: IncomingMessage | undefined;
    let read: Buffer = Buffer.alloc(0);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      response = await openExchange(url, { ...options, agent: this.outbound.agentFor(url), signal }, body);
      for await (const chunk of response) {
        read = Buffer.concat([read, chunk as Buffer]);
        if (read.length >= answerBytes) break;
      }
      // An answer without a length ends when its connection ends, also when the abort closed it.
      signal.throwIfAborted();
      return { ...judge(response), answer: textOf(read) };
    } catch (error) {
      const failure = signal.aborted ? 'timeout' : response ? 'broken' : failureOf(error);
      return { status: response?.statusCode ?? null, failure, answer: response ? textOf(read) : null };
    }
  }
}

/** The receiver's answer is not valid HTTP. */
class BrokenAnswerError extends Error {}

/**
 * Repeats the request once when a kept-alive connection was closed: the receiver may have closed it before the request arrived, which is
 * no failure.
 */
async function openExchange(url: URL, options: RequestOptions, body: string): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send(url, options);
  request.end(body);
  try {
    return await answerTo(request);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) return openExchange(url, options, body);
    throw error;
  }
}

/** Always settles: a receiver that switches protocols gets its connection closed, for which Node emits no error. */
function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let informed = 0;
    request.once('response', resolve);
    // Not `once`: Node emits errors after the status line on the request, too.
    request.on('error', reject);
    request.once('close', () => reject(new BrokenAnswerError('closed without an answer')));
    request.on('information', () => {
      informed += 1;
      if (informed > informationalAnswers) request.destroy(new BrokenAnswerError('informs without end'));
    });
  });
}

function judge(response: IncomingMessage): Pick<AttemptOutcome, 'status' | 'failure' | 'retryAfter'> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return { status, failure: null };
  if (status === 410) return { status, failure: 'gone' };
  if (status >= 300 && status < 400) return { status, failure: 'redirect' };
  const retryAfter = retryAfterSeconds(response.headers['retry-after']);
  return { status, failure: 'status', ...(retryAfter === undefined ? {} : { retryAfter }) };
}

function failureOf(error: unknown): AttemptFailure {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    if (cause instanceof OutboundRefusedError) return 'address';
    if (cause instanceof BrokenAnswerError) return 'broken';
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(code)) return 'tls';
    if (code.startsWith('HPE_')) return 'broken';
  }
  return 'unreachable';
}

/** Text that PostgreSQL can store: invalid UTF-8 is replaced, NUL is removed. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, answerBytes)).replaceAll('\0', '');
}
