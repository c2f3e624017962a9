import { bodyLimits } from '#http';
import { isDatabaseUnavailable, isEmail, RefusedInput, type Language } from '#kernel';
import type { ChosenPassword, OpenedPasswordLink, SignInResult } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { admit, type FirstSteps } from '../sign-in/begin-session.js';
import { plainPage, type PlainPage } from '../sign-in/plain-page.js';
import { addressOf, readSignIn } from '../sign-in/sign-in-limit.js';
import { codeAddress } from '../sign-in/sign-in.router.js';
import { newPasswordBusy, newPasswordPage } from './new-password.page.js';
import { forgottenPage, noMailsPage, linkOverPage, linkSentPage, linkShownPage } from './steps.page.js';

/** Callbacks for links to passwords. All run inside the request's tenant. */
export interface PasswordLinkOptions {
  /** Whether the server sends mails. */
  readonly delivers: boolean;
  /** Whether pages show the links of mails, which are not sent. */
  readonly showsLinks: () => boolean;
  /** Asks for a link; the same work is done for every address. @returns path of the link, where pages show it */
  readonly ask: (asked: { email: string; client: string | undefined; language: Language }) => Promise<string | undefined>;
  /** The link with this token; undefined when there is none. */
  readonly open: (token: string) => Promise<OpenedPasswordLink | undefined>;
  /**
   * Sets the password and signs in; undefined when the link does not work.
   * @throws RefusedInput on `name` and `password`; UnavailableError when too many passwords wait
   */
  readonly use: (token: string, chosen: ChosenPassword, client: string | undefined) => Promise<SignInResult | undefined>;
}

const WELCOME = `${PANEL_PATH}/welcome`;

/** Where people go on who have chosen a password. */
const next = { first: WELCOME, forgotten: PANEL_PATH } as const;

/** *Forgotten password*, which mails a link, and the page behind links to passwords. They need no script. */
export function passwordLinkRouter(assets: PanelAssets, steps: FirstSteps, options: PasswordLinkOptions): Router {
  const send = (response: Response, status: number, page: PlainPage): void => {
    response
      .status(status)
      .type('html')
      .send(plainPage(page, currentPanelRequest(), assets));
  };
  const ask = async (request: Request, response: Response): Promise<void> => {
    const { language, place } = currentPanelRequest();
    const email = addressOf(request);
    if (!options.delivers && !options.showsLinks()) return send(response, 409, noMailsPage(language));
    if (!isEmail(email)) return send(response, 400, forgottenPage(language, { place, email }));
    const link = await options.ask({ email, client: request.ip, language });
    if (options.showsLinks()) return send(response, 200, linkShownPage(language, link));
    return response.redirect(303, `${PANEL_PATH}/forgotten?sent`);
  };
  // The first password was chosen already, perhaps a moment ago with the same form: the first steps or the sign-in follow.
  const over = (response: Response, link?: OpenedPasswordLink): void =>
    link?.purpose === 'first' ? response.redirect(303, WELCOME) : send(response, 410, linkOverPage(currentPanelRequest().language));
  const show = async ({ params }: Request, response: Response): Promise<void> => {
    const { language, place } = currentPanelRequest();
    const link = await options.open(tokenOf(params));
    if (!link || link.email === null) return over(response, link);
    return send(response, 200, newPasswordPage(language, { purpose: link.purpose, place, email: link.email }));
  };
  const use = async (request: Request, response: Response): Promise<void> => {
    const { language, place } = currentPanelRequest();
    const token = tokenOf(request.params);
    const link = await options.open(token);
    if (!link || link.email === null) return over(response, link);
    const { purpose, email } = link;
    const { name, password }: Record<string, unknown> = request.body ?? {};
    const typed = typeof name === 'string' ? name.slice(0, 1000) : undefined;
    const chosen = { password: typeof password === 'string' ? password.slice(0, 1000) : '', ...(typed !== undefined && { name: typed }) };
    try {
      const result = await options.use(token, chosen, request.ip);
      if (!result) return over(response, link);
      if (result.ok) await admit(request, response, result);
      else if (result.reason === 'code') steps.keep(request, response, result.step);
      return response.redirect(303, result.ok ? next[purpose] : result.reason === 'code' ? codeAddress(undefined) : `${PANEL_PATH}/login`);
    } catch (error) {
      const isBusy = isDatabaseUnavailable(error);
      if (!isBusy && !(error instanceof RefusedInput)) throw error;
      if (isBusy) response.set('Retry-After', '5');
      const faults = error instanceof RefusedInput ? { [error.field]: error.message } : { password: newPasswordBusy(language) };
      return send(response, isBusy ? 503 : 400, newPasswordPage(language, { purpose, place, email, faults, typed: typed ?? '' }));
    }
  };
  const router = Router();
  router.get('/forgotten', ({ query }, response) => {
    const { language, place } = currentPanelRequest();
    if (!options.delivers && !options.showsLinks()) return send(response, 200, noMailsPage(language));
    return send(response, 200, 'sent' in query ? linkSentPage(language) : forgottenPage(language, { place }));
  });
  router.post('/forgotten', readSignIn, bodyLimits, (request, response) => ask(request, response));
  router.get('/password/:token', (request, response) => show(request, response));
  router.post('/password/:token', readSignIn, bodyLimits, (request: Request, response) => use(request, response));
  return router;
}

const tokenOf = ({ token }: Request['params']): string => (typeof token === 'string' ? token : '');
