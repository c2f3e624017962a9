import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Injectable } from '@nestjs/common';
import { databaseNow, Outbound, OutboundRefusedError } from '#kernel';
import { signatureOf } from '../endpoints/webhook-secrets.js';
import type { AttemptFailure } from './attempt-failures.js';
import { retryAfterSeconds } from './retry-schedule.js';

/** What came of one request. */
export interface AttemptOutcome {
  readonly attemptedAt: Date;
  readonly milliseconds: number;
  /** HTTP status; null: no answer. */
  readonly status: number | null;
  /** null: delivered. */
  readonly failure: AttemptFailure | null;
  /** The beginning of the answer's body. */
  readonly answer: string | null;
  /** The receiver asks to be left alone for so many seconds. */
  readonly retryAfter?: number;
}

export interface WebhookMessage {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** The current secret first, then the previous one while it is valid. */
  readonly keys: readonly Buffer[];
}

/** From the first byte out to the last byte in. */
export const attemptTimeoutMs = 15_000;
/** Of the answer's body; what follows is not read. */
export const answerBytes = 2048;
/** Interim answers (1xx) in front of the answer; a receiver that sends more is cut off. */
const informationalAnswers = 16;

/** Sends one signed request: no redirects, the address wall at connect time, and always an end. */
@Injectable()
export class WebhookRequests {
  constructor(private readonly outbound: Outbound) {}

  /** Never throws: whatever happens is an outcome. */
  async send({ url, id, body, keys }: WebhookMessage, timeoutMs = attemptTimeoutMs): Promise<AttemptOutcome> {
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
      // An answer without a length ends with its connection, also when it is us who close that.
      signal.throwIfAborted();
      return { ...judge(response), answer: textOf(read) };
    } catch (error) {
      const failure = signal.aborted ? 'timeout' : response ? 'broken' : failureOf(error);
      return { status: response?.statusCode ?? null, failure, answer: response ? textOf(read) : null };
    }
  }
}

/** The receiver does not speak HTTP as one does who answers. */
class BrokenAnswerError extends Error {}

/** A kept connection may have been closed by the receiver in the same moment: that says nothing about the receiver, so ask once more. */
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

/** Ends in every case: a receiver that switches protocols gets its connection closed without an error being told. */
function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let informed = 0;
    request.once('response', resolve);
    // Stays, because a fault after the first line of the answer is told here, too.
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

/** Text that PostgreSQL can keep: broken characters replaced, NUL left out. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, answerBytes)).replaceAll('\0', '');
}
