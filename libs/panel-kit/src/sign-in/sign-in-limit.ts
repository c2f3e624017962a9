import { negotiateLanguage, problemAnswer, sendDelayed } from '#http';
import { kernelProblem, problemBody, type Language } from '#kernel';
import type { SignInAttempt } from '#tenancy';
import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { PANEL_PATH } from '../request/panel-path.js';
import type { PanelAssets } from '../request/panel-assets.js';
import { browserMarkOf } from './browser-mark.js';
import { failurePage } from './failure.page.js';
import { plainPage } from './plain-page.js';
import { plainWords } from './plain-page.words.js';

/** Counts an attempt in memory. @returns seconds to wait before the next one; 0: the attempt may be checked */
export type CountAttempt = (attempt: Pick<SignInAttempt, 'email' | 'client' | 'browserMark'>) => number;

export interface SignInLimitOptions {
  readonly assets: PanelAssets;
  readonly count: CountAttempt;
  /** Name and language of the place whose panel it is. */
  readonly placeOf: (request: Request) => { readonly name: string; readonly language: Language };
}

/** Reads the form of the sign-in; does nothing when it is read already. */
export const readSignIn: RequestHandler = express.urlencoded({ extended: false, inflate: false, limit: '16kb' });

/** The e-mail address of the form; empty when there is none. */
export function addressOf({ body }: Request): string {
  const { email }: Record<string, unknown> = (body ?? {}) as Record<string, unknown>;
  return typeof email === 'string' ? email.trim().slice(0, 254) : '';
}

/**
 * Answers 429 to a client that tries too often, before its session is loaded, anything is looked up or compressed: a flood costs little.
 * The form is read first only when the browser says that it is known, because it is known for one address.
 */
export function signInLimit(options: SignInLimitOptions): RequestHandler {
  const check = (request: Request, response: Response, browserMark?: string): boolean => {
    const seconds = options.count({ email: addressOf(request), client: request.ip, browserMark });
    if (seconds > 0) refuse(request, response, seconds, options);
    return seconds === 0;
  };
  return (request, response, next) => {
    const browserMark = browserMarkOf(request);
    if (browserMark === undefined) {
      if (check(request, response)) next();
      return;
    }
    readSignIn(request, response, (error?: unknown) => {
      if (error) next(error);
      else if (check(request, response, browserMark)) next();
    });
  };
}

/** A short page for people, a problem for programs. */
function refuse(request: Request, response: Response, seconds: number, { assets, placeOf }: SignInLimitOptions): void {
  const refusal = kernelProblem('rate.limited', { parameters: { seconds }, headers: { 'Retry-After': String(seconds) } });
  const { name, language: fallback } = placeOf(request);
  const language = negotiateLanguage(request, fallback);
  request.context.language = language;
  if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) {
    const { status, headers, body } = problemAnswer(refusal, request);
    sendDelayed(response, () => response.status(status).set(headers).send(body));
    return;
  }
  const { title, detail } = problemBody(refusal, language, request.context.requestId);
  const page = failurePage(title, detail, { path: `${PANEL_PATH}/login`, label: plainWords(language).title });
  const html = plainPage(page, { language, place: name }, assets);
  const headers = { 'Retry-After': String(seconds), 'Content-Language': language };
  sendDelayed(response, () => response.status(429).set(headers).type('html').send(html));
}
