import { negotiateLanguage, sendDelayed } from '#http';
import { isDatabaseUnavailable, Problem, problemBody } from '#kernel';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH, proofPath } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { ProofNeeded } from '../rights/proofs.js';
import { fill } from '../words/panel-words.js';
import { failurePage } from './failure.page.js';
import { plainPage } from './plain-page.js';
import { plainWords } from './plain-page.words.js';

const isApi = (request: Request): boolean => request.path.startsWith('/api/');

/** The request's id in the log. */
const requestId = (response: Response): string => response.get('X-Request-Id') ?? '';

/** An error in AdminJS's format, which its pages show as a notice. */
const apiAnswer = (message: string) => ({ notice: { message, type: 'error' }, records: [], record: null });

/** Answers 404 in the panel's design when no route matched. */
export function panelNotFound(assets: PanelAssets): RequestHandler {
  return (request, response) => {
    response.status(404);
    if (isApi(request)) {
      response.json(apiAnswer('error404Resource'));
      return;
    }
    const language = negotiateLanguage(request, undefined);
    const words = plainWords(language);
    const page = failurePage(words.notFound, words.notFoundHow, { path: PANEL_PATH, label: words.stay });
    response.type('html').send(plainPage(page, { language, place: 'Guichet' }, assets));
  };
}

/** The HTTP status of an error. Errors with a client error status keep it, such as those about unreadable bodies. */
function statusOf(error: unknown): number {
  const { status, name }: { status?: unknown; name?: unknown } = Object(error);
  // AdminJS's errors for unknown records and forbidden actions.
  if (name === 'NotFoundError') return 404;
  if (name === 'ForbiddenError') return 403;
  if (isDatabaseUnavailable(error)) return 503;
  if (error instanceof Problem) return error.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

interface AdminAnswer {
  notice?: { message: string };
  record?: { baseError?: { type?: string } | null } | null;
}

/** Replaces AdminJS's English messages about missing records, which contain internal names, by keys that the page translates. */
export function plainRefusals(): RequestHandler {
  return (_request, response, next) => {
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      const { notice, record } = (typeof body === 'object' && body !== null ? body : {}) as AdminAnswer;
      const type = record?.baseError?.type;
      if (notice && type === 'NotFoundError') notice.message = 'error404Record';
      if (notice && type === 'ForbiddenError' && notice.message.includes(' ')) notice.message = 'error404Record';
      return send(body);
    };
    next();
  };
}

/** The panel opens a dialog on this header, and repeats the request. Links lead to a page, and back. */
function askForProof(request: Request, response: Response): void {
  if (!isApi(request)) {
    response.redirect(303, `${proofPath}?next=${encodeURIComponent(request.originalUrl)}`);
    return;
  }
  response.set('Guichet-Proof', 'needed').json(apiAnswer(plainWords(currentPanelRequest().language).proofNeeded));
}

/** Logs unexpected errors and answers with a page or a notice without their details. */
export function panelFailure(assets: PanelAssets, onError: (error: unknown, request: Request) => void): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const status = statusOf(error);
    if (status === 500) onError(error, request);
    if (response.headersSent) {
      next(error);
      return;
    }
    response.status(status);
    if (error instanceof ProofNeeded) {
      askForProof(request, response);
      return;
    }
    if (status === 503) response.set('Retry-After', '2');
    const language = negotiateLanguage(request, undefined);
    const refusal = error instanceof Problem ? problemBody(error, language, requestId(response)) : undefined;
    if (error instanceof Problem) response.set(error.extras.headers ?? {});
    const send = (answer: () => void): void => (refusal?.code === 'rate.limited' ? sendDelayed(response, answer) : answer());
    // Compressing a refusal costs more than deciding on it.
    if (refusal) response.set('Cache-Control', 'no-store, no-transform');
    if (isApi(request)) {
      send(() => response.json(apiAnswer(refusal?.detail ?? 'failed')));
      return;
    }
    const words = plainWords(language);
    const how = refusal?.detail ?? fill(words.failedHow, { id: requestId(response) || '–' });
    const page = failurePage(refusal?.title ?? words.failed, how, { path: PANEL_PATH, label: words.stay });
    const html = plainPage(page, { language, place: 'Guichet' }, assets);
    send(() => response.type('html').send(html));
  };
}
