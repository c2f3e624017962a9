import { bodyLimits } from '#http';
import { isEmail, RefusedInput, type Language } from '#kernel';
import type { SignInResult } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { admit, type FirstSteps } from '../sign-in/begin-session.js';
import { plainPage, type PlainPage } from '../sign-in/plain-page.js';
import { addressOf, readSignIn } from '../sign-in/sign-in-limit.js';
import { codeAddress } from '../sign-in/sign-in.router.js';
import { forgottenPage, newPasswordPage, noMailsPage, linkOverPage, linkSentPage } from './steps.page.js';

/** Callbacks for mailed links to passwords. All run inside the request's tenant. */
export interface PasswordLinkOptions {
  /** Whether the server sends mails. */
  readonly delivers: boolean;
  /** Asks for a link; the same work is done for every address. */
  readonly ask: (asked: { email: string; client: string | undefined; language: Language }) => Promise<void>;
  /** The address of the user behind a link; undefined when it does not work. */
  readonly emailOf: (token: string) => Promise<string | undefined>;
  /**
   * Sets the password and signs in; undefined when the link does not work.
   * @throws RefusedInput on password
   */
  readonly use: (token: string, password: string, client: string | undefined) => Promise<SignInResult | undefined>;
}

/** *Forgotten password*: the page that mails a link, and the page behind the link. They need no script. */
export function passwordLinkRouter(assets: PanelAssets, steps: FirstSteps, options: PasswordLinkOptions): Router {
  const send = (response: Response, status: number, page: PlainPage): void => {
    response
      .status(status)
      .type('html')
      .send(plainPage(page, currentPanelRequest(), assets));
  };
  const over = (response: Response): void => send(response, 410, linkOverPage(currentPanelRequest().language));
  const ask = async (request: Request, response: Response): Promise<void> => {
    const { language, place } = currentPanelRequest();
    const email = addressOf(request);
    if (!options.delivers) return send(response, 409, noMailsPage(language));
    if (!isEmail(email)) return send(response, 400, forgottenPage(language, { place, email }));
    await options.ask({ email, client: request.ip, language });
    return response.redirect(303, `${PANEL_PATH}/forgotten?sent`);
  };
  const show = async ({ params }: Request, response: Response): Promise<void> => {
    const email = await options.emailOf(tokenOf(params));
    return email === undefined ? over(response) : send(response, 200, newPasswordPage(currentPanelRequest().language, { email }));
  };
  const use = async (request: Request, response: Response): Promise<void> => {
    const token = tokenOf(request.params);
    const email = await options.emailOf(token);
    if (email === undefined) return over(response);
    const { password }: Record<string, unknown> = request.body ?? {};
    try {
      const result = await options.use(token, typeof password === 'string' ? password.slice(0, 1000) : '', request.ip);
      if (!result) return over(response);
      if (result.ok) await admit(request, response, result);
      else if (result.reason === 'code') steps.keep(request, response, result.step);
      return response.redirect(303, result.ok ? PANEL_PATH : result.reason === 'code' ? codeAddress(undefined) : `${PANEL_PATH}/login`);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return send(response, 400, newPasswordPage(currentPanelRequest().language, { email, fault: error.message }));
    }
  };
  const router = Router();
  router.get('/forgotten', ({ query }, response) => {
    const { language, place } = currentPanelRequest();
    if (!options.delivers) return send(response, 200, noMailsPage(language));
    return send(response, 200, 'sent' in query ? linkSentPage(language) : forgottenPage(language, { place }));
  });
  router.post('/forgotten', readSignIn, bodyLimits, (request, response) => ask(request, response));
  router.get('/password/:token', (request, response) => show(request, response));
  router.post('/password/:token', readSignIn, bodyLimits, (request: Request, response) => use(request, response));
  return router;
}

const tokenOf = ({ token }: Request['params']): string => (typeof token === 'string' ? token : '');
