import { Inject, Injectable, StreamableFile, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { isRejectedByPipes } from '@nestjs/core/internal';
import { problemAnswer, readFormFirst, settle, type Answer } from '#http';
import { LOGGER, Problem, RefusedInput, type Logger } from '#kernel';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { honoursIdempotencyKey, idempotencyKeyOf, requestHash, scopeHash } from './idempotency-key.js';
import { heldSeconds, IdempotentRequestsService } from './idempotent-requests.service.js';
import { runKeyed, type KeyedRequest } from '../../database/transactions/keyed-request.js';

/** Headers that are stored with status and body. */
const keptHeaders = [
  'Content-Type',
  'Content-Language',
  'Cache-Control',
  'Location',
  'Link',
  'ETag',
  'Last-Modified',
  'Preference-Applied',
  'Ignored-Members',
  'Vary',
];

/**
 * Answers a repeated request with the same key and body with the same answer, for 24 hours. Stores the route's answers, including 4xx; not
 * stored are errors of pipes before the route ran, answers with `Retry-After`, and every 5xx: these leave the key free. Committed work is
 * never repeated: its result is committed with it (`TenantDb.transactionOnce`), and a repeat is answered from that. The header is ignored
 * without an API key, because such callers cannot be told apart.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly requests: IdempotentRequestsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.principal || !honoursIdempotencyKey(request)) return next.handle();
    const key = idempotencyKeyOf(request);
    if (key === undefined) return next.handle();
    const scope = scopeHash(request.principal.keyId, request, key);
    const answer = async (): Promise<unknown> => {
      const begun = await this.requests.begin(scope, requestHash(request));
      return this.run(begun, context, next);
    };
    // The content, including files, is part of the request's identity.
    return readFormFirst(context, { handle: () => from(answer()) });
  }

  private async run(begun: KeyedRequest, context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const renewal = setInterval(() => void this.quietly(() => this.requests.renew(begun)), (heldSeconds / 3) * 1000);
    try {
      const value: unknown = await runKeyed(begun, () =>
        lastValueFrom(next.handle(), { defaultValue: undefined }).then((value) => settle(value, response)),
      );
      if (begun.replayed) response.setHeader('Idempotency-Replayed', 'true');
      await this.quietly(() => this.requests.keep(begun, response.statusCode, answerOf(value, response)));
      return value;
    } catch (error) {
      if (isKept(error, request)) {
        const refusal = problemAnswer(error, request);
        await this.quietly(() => this.requests.keep(begun, refusal.status, refusal));
      } else {
        await this.requests.release(begun);
      }
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** The answer is sent even when it cannot be stored; the running request then expires by itself. */
  private async quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn({ err: error }, 'idempotency key not written');
    }
  }
}

function isKept(error: unknown, request: Request): error is Problem | RefusedInput {
  if (isRejectedByPipes(request)) return false;
  if (error instanceof RefusedInput) return true;
  return error instanceof Problem && error.status < 500 && error.extras.headers?.['Retry-After'] === undefined;
}

/** The answer that Express would send for a route's value; undefined when the route answers by itself, or with a stream. */
function answerOf(value: unknown, response: Response): Omit<Answer, 'status'> | undefined {
  if (response.headersSent || value instanceof StreamableFile) return undefined;
  const headers = Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const set = response.getHeader(name);
      return set === undefined ? [] : [[name, String(set)]];
    }),
  );
  if (value === undefined || value === null) return { headers, body: undefined };
  if (typeof value !== 'object') return { headers, body: String(value) };
  return { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) };
}
