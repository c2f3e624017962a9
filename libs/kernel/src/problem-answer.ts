import type { Request, Response } from 'express';
import { isDatabaseUnavailable } from './database-errors.js';
import { problemOfHttpError } from './http-body.js';
import { problem as kernelProblem } from './kernel.problems.js';
import { negotiateLanguage } from './language.js';
import type { Logger } from './logger.js';
import { Problem, problemBody, type ProblemBody } from './problem.js';

/** Lets a module add members to the problems answered under its paths (scanning adds `success`, `message`, `reason`). */
export type ProblemDecorator = (body: ProblemBody, request: Request) => ProblemBody;
const decorators = new Map<string, ProblemDecorator>();

/** @param pathPrefix such as `/scan/`; matched case-insensitively against the request's path */
export function decorateProblems(pathPrefix: string, decorator: ProblemDecorator): void {
  decorators.set(pathPrefix, decorator);
}

/**
 * Turns whatever was thrown into the one error shape. Unknown errors are logged with the request id and answered
 * as 500 that says nothing else; an unreachable database is 503 with `Retry-After`.
 */
export function answerProblem(error: unknown, request: Request, response: Response, logger: Logger): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = asProblem(error, request, logger);
  const { requestId, language = negotiateLanguage(request, undefined) } = request.context;
  response.status(problem.status).set({ 'Cache-Control': 'no-store', ...problem.extras.headers });
  if (problem.status === 503 && !problem.extras.headers?.['Retry-After']) response.set('Retry-After', '2');
  response.set('Content-Language', language);
  const body = decorate(problemBody(problem, language, requestId), request);
  response.type('application/problem+json').send(JSON.stringify(body));
}

function asProblem(error: unknown, request: Request, logger: Logger): Problem {
  if (error instanceof Problem) return error;
  const known = problemOfHttpError(error);
  if (known) return known;
  const unavailable = isDatabaseUnavailable(error);
  logger[unavailable ? 'warn' : 'error'](
    { requestId: request.context.requestId, err: error },
    unavailable ? 'database unavailable' : 'request failed',
  );
  return kernelProblem(unavailable ? 'server.unavailable' : 'server.failure');
}

function decorate(body: ProblemBody, request: Request): ProblemBody {
  const path = (request.originalUrl.split('?')[0] ?? '').toLowerCase();
  for (const [prefix, decorator] of decorators) if (path.startsWith(prefix)) return decorator(body, request);
  return body;
}
