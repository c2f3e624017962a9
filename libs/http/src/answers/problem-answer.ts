import type { Request, Response } from 'express';
import { isDatabaseUnavailable, kernelProblem, RefusedInput, Problem, problemBody, type ProblemBody } from '#kernel';
import { problemOfHttpError } from '../request/http-body.js';
import { negotiateLanguage } from '../request/negotiate-language.js';
import { sendDelayed } from '../connections/delayed-refusal.js';
import type { Logger } from '#kernel';
/** Adds members to the problems of a module's paths (scanning adds `success`, `message`, `reason`). */
export type ProblemDecorator = (body: ProblemBody, request: Request) => ProblemBody;
const decorators = new Map<string, ProblemDecorator>();

/** @param pathPrefix such as `/scan/`; matched case-insensitively against the request's path */
export function decorateProblems(pathPrefix: string, decorator: ProblemDecorator): void {
  decorators.set(pathPrefix, decorator);
}

/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Thrown to end a route with an existing answer, such as that of an earlier request with the same id. */
export class AnswerKnown extends Error {
  constructor(readonly answer: Answer) {
    super('The answer is known.');
  }
}

/** A problem as an HTML page, with the headers of such pages. */
export interface ProblemPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the page that is sent instead, from what has to be read first. When it fails, this page is sent. */
  readonly later?: () => Promise<ProblemPage>;
}
let pageOf: (body: ProblemBody, request: Request) => ProblemPage | undefined = () => undefined;

/** Registers the function that renders problems as pages for browsers; it returns undefined to keep the JSON body. */
export function showProblems(show: typeof pageOf): void {
  pageOf = show;
}

/**
 * Answers any thrown error as a problem. Unknown errors are logged with the request id and answered as a 500 without details; an
 * unreachable database is a 503 with `Retry-After`.
 */
export function answerProblem(error: unknown, request: Request, response: Response, logger: Logger): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = error instanceof AnswerKnown ? undefined : asProblem(error, request, logger);
  const known: PlannedAnswer = error instanceof AnswerKnown ? error : answerWith(problem as Problem, request);
  const send = ({ status, headers, body }: Answer): void => {
    if (!response.headersSent) response.status(status).set(headers).send(body);
  };
  const answer = (): void => {
    if (known.later) void sendLater(known, send);
    else send(known.answer);
  };
  if (problem?.code === 'rate.limited') sendDelayed(response, answer);
  else answer();
}

/** The answer to an expected error, as `answerProblem` sends it. */
export function problemAnswer(refusal: Problem | RefusedInput, request: Request): Answer {
  return answerWith(refusal instanceof Problem ? refusal : invalidBody(refusal), request).answer;
}

async function sendLater({ answer, later }: PlannedAnswer, send: (answer: Answer) => void): Promise<void> {
  let known = answer;
  try {
    if (later) known = await later();
  } catch {
    // The problem is answered all the same.
  }
  send(known);
}

interface PlannedAnswer {
  readonly answer: Answer;
  /** See `ProblemPage`. */
  readonly later?: () => Promise<Answer>;
}

function answerWith(problem: Problem, request: Request): PlannedAnswer {
  const { requestId, language = negotiateLanguage(request, undefined) } = request.context;
  const headers = {
    'Cache-Control': 'no-store',
    ...(problem.status === 503 ? { 'Retry-After': '2' } : {}),
    ...problem.extras.headers,
    'Content-Language': language,
  };
  const body = decorate(problemBody(problem, language, requestId), request);
  const page = pageOf(body, request);
  if (page) {
    const { later } = page;
    const answerOf = ({ html, headers: ofPage }: ProblemPage): Answer => ({
      status: problem.status,
      headers: { ...headers, ...ofPage, 'Content-Type': 'text/html; charset=utf-8' },
      body: html,
    });
    return { answer: answerOf(page), ...(later && { later: async () => answerOf(await later()) }) };
  }
  const contentType = { 'Content-Type': 'application/problem+json' };
  return { answer: { status: problem.status, headers: { ...headers, ...contentType }, body: JSON.stringify(body) } };
}

function asProblem(error: unknown, request: Request, logger: Logger): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof RefusedInput) return invalidBody(error);
  const known = problemOfHttpError(error);
  if (known) return known;
  const unavailable = isDatabaseUnavailable(error);
  logger[unavailable ? 'warn' : 'error'](
    { requestId: request.context.requestId, err: error },
    unavailable ? 'database unavailable' : 'request failed',
  );
  return kernelProblem(unavailable ? 'server.unavailable' : 'server.failure');
}

function invalidBody({ field, message }: RefusedInput): Problem {
  return kernelProblem('body.invalid', { errors: [{ pointer: `/${field}`, code: 'refused', detail: message }] });
}

function decorate(body: ProblemBody, request: Request): ProblemBody {
  const path = (request.originalUrl.split('?')[0] ?? '').toLowerCase();
  for (const [prefix, decorator] of decorators) if (path.startsWith(prefix)) return decorator(body, request);
  return body;
}
