import { negotiateLanguage } from '#http';
import { escapeHtml, isDatabaseUnavailable, Problem, problemBody } from '#kernel';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { fill } from '../words/panel-words.js';
import { plainPage } from './plain-page.js';
import { plainWords } from './plain-page.words.js';

const isApi = (request: Request): boolean => request.path.startsWith('/api/');

/** The number by which the log knows this request. */
const requestId = (response: Response): string => response.get('X-Request-Id') ?? '';

/** In AdminJS's own form, so that its pages say it in a notice. */
const apiAnswer = (message: string) => ({ notice: { message, type: 'error' }, records: [], record: null });

/** 404 in the panel's look for what no route took. */
export function panelNotFound(assets: PanelAssets): RequestHandler {
  return (request, response) => {
    response.status(404);
    if (isApi(request)) {
      response.json(apiAnswer('error404Resource'));
      return;
    }
    const language = negotiateLanguage(request, undefined);
    const words = plainWords(language);
    const body = `<p>${escapeHtml(words.notFoundHow)}</p><p class="gt-after"><a href="/admin">${escapeHtml(words.stay)}</a></p>`;
    response.type('html').send(plainPage({ title: words.notFound, body }, { language, place: 'Guichet' }, assets));
  };
}

/** The status of errors that are the request's fault carry it: refused and unreadable bodies. */
function statusOf(error: unknown): number {
  const { status, name }: { status?: unknown; name?: unknown } = Object(error);
  // AdminJS's own words for a record that is not there, and an action that is not allowed.
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

/** AdminJS tells of a missing record in English and with its insides; said by a key, the page finds its own words. */
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

/** Tells the log what went wrong and the user that it did; never how. */
export function panelFailure(assets: PanelAssets, onError: (error: unknown, request: Request) => void): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const status = statusOf(error);
    if (status === 500) onError(error, request);
    if (response.headersSent) {
      next(error);
      return;
    }
    response.status(status);
    if (status === 503) response.set('Retry-After', '2');
    const language = negotiateLanguage(request, undefined);
    const told = error instanceof Problem ? problemBody(error, language, requestId(response)) : undefined;
    if (error instanceof Problem) response.set(error.extras.headers ?? {});
    if (isApi(request)) {
      response.json(apiAnswer(told?.detail ?? 'failed'));
      return;
    }
    const words = plainWords(language);
    const how = told?.detail ?? fill(words.failedHow, { id: requestId(response) || '–' });
    const body = `<p>${escapeHtml(how)}</p><p class="gt-after"><a href="/admin">${escapeHtml(words.stay)}</a></p>`;
    response.type('html').send(plainPage({ title: told?.title ?? words.failed, body }, { language, place: 'Guichet' }, assets));
  };
}
